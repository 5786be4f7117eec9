import Type from 'typebox';
import type { RecordedCustomEvent } from '../../commands/events/append-custom-event.js';
import { eventInput, START_JOURNEYS } from '../../commands/events/parse-event.js';
import { recordEvent } from '../../commands/events/record-event.js';
import { recordEvents } from '../../commands/events/record-events.js';
import { withRule } from '../../commands/runtime/rules.js';
import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { documentedAs, list, named } from '../../domain/kernel/schema.js';
import { identityWarnings } from '../contacts/identity-warnings.js';
import { itemChecker, listedProblems, listRule } from '../http/items.js';
import { type AnyRoute, route } from '../http/route.js';
import { recordedEvent, recordedEvents } from './schemas.js';

export const MAX_EVENTS_PER_BATCH = 1_000;
/** A thousand events of maximum size. */
const MAX_BATCH_BODY_BYTES = 32 * 1024 * 1024;

const common = { tag: 'events', limit: 'general', access: 'write' } as const;
const checker = itemChecker('events', eventInput);

function countProblems(received: number): FieldProblem[] {
  if (received > 0 && received <= MAX_EVENTS_PER_BATCH) return [];
  const message = `Give 1 to ${MAX_EVENTS_PER_BATCH} events, not ${received}.`;
  return [{ field: '', code: received === 0 ? 'required' : 'too_many', message }];
}

const eventBody = named('RecordEventRequest', eventInput);

/** Checked here, not by the schema, so that the message has the received number. */
const batchBody = Type.Object(
  {
    events: withRule(
      documentedAs(
        Type.Array(Type.Unknown(), { description: `1 to ${MAX_EVENTS_PER_BATCH} events, each with the fields of a single one.` }),
        list(eventBody),
      ),
      listRule(checker, countProblems),
    ),
    start_journeys: Type.Optional(START_JOURNEYS),
  },
  { additionalProperties: false },
);

const withWarnings = <E extends Pick<RecordedCustomEvent, 'warnings'>>({ warnings = [], ...event }: E, email: string | undefined) => ({
  ...event,
  ...identityWarnings({ warnings, not_applied: [] }, email),
});

/** Recording custom events, one or many. */
export const recordRoutes: AnyRoute[] = [
  route({
    ...common,
    method: 'POST',
    path: '/v1/events',
    operationId: 'recordEvent',
    summary: 'Record a custom event',
    description:
      'An event of a contact, with a name of your own. The contact is identified by `email`, `phone`, `id` or a `unique` custom field; an unknown address creates a contact. The same `idempotency_key` records the event once.',
    body: eventBody,
    responses: { 202: { description: 'The event is stored.', schema: recordedEvent } },
    errors: ['not_found', 'contact_erased', 'conflict'],
    async handle({ body, execute }) {
      const { output } = await execute(recordEvent, body);
      return { status: 202, body: withWarnings(output, body.contact.email) };
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: '/v1/events/batch',
    operationId: 'recordEvents',
    summary: 'Record many custom events',
    description: `Up to ${MAX_EVENTS_PER_BATCH} events. All valid ones are recorded; \`errors\` lists the others by index and field. Each may have an \`idempotency_key\` of its own, which records it once, also across requests and both operations.`,
    body: batchBody,
    bodyLimit: MAX_BATCH_BODY_BYTES,
    responses: {
      202: {
        description: 'The result of each event.',
        schema: recordedEvents,
      },
    },
    errors: ['conflict'],
    async handle(request) {
      const { body, execute } = request;
      const { events, start_journeys = false } = body;
      const wrongCount = countProblems(events.length);
      if (wrongCount.length > 0) throw invalid(wrongCount.map((problem) => ({ ...problem, field: 'events' })));
      const { items, problems, warnings } = await checker.checkItems(events, request);
      const inputs = items.map(({ index, value }) => ({ index, input: value }));
      const { output } = await execute(recordEvents, { received: events.length, items: inputs, problems, start_journeys });
      const emails = new Map(items.map(({ index, value }) => [index, value.contact.email]));
      const recorded = output.events.map((event) => withWarnings(event, emails.get(event.index)));
      const answer = { ...output, events: recorded, ...listedProblems(output.errors) };
      return { status: 202, body: warnings.length > 0 ? { ...answer, warnings } : answer };
    },
  }),
];
