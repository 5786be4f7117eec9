import Type from 'typebox';
import { type EventInput, eventInput } from '../../commands/events/parse-event.js';
import { recordEvent } from '../../commands/events/record-event.js';
import { type EventRowProblem, type InputBatch, recordEvents } from '../../commands/events/record-events.js';
import { invalid } from '../../domain/kernel/errors.js';
import { documentedAs, list, named } from '../../domain/kernel/schema.js';
import { type AnyRoute, route } from '../kernel/route.js';
import { bodyValidator } from '../kernel/validation.js';
import { exampleRecordedEvent, recordedEvent, recordedEvents } from './schemas.js';

export const MAX_EVENTS_PER_BATCH = 1_000;
/** A thousand events with as much to say as one may. */
const MAX_BATCH_BODY_BYTES = 32 * 1024 * 1024;

const common = { tag: 'events', limit: 'general', access: 'write' } as const;
const example = {
  contact: { email: 'ada@example.com' },
  event: 'purchase',
  properties: { value: 42.5, currency: 'EUR' },
  occurred_at: '2026-01-15T10:29:00Z',
};
const checkEvent = bodyValidator(eventInput);

const eventBody = named('RecordEventRequest', eventInput);

/** Checked here, not by the body: so it says what was received. */
const batchBody = Type.Object(
  {
    events: documentedAs(
      Type.Array(Type.Unknown(), { description: `1 to ${MAX_EVENTS_PER_BATCH} events, each with the fields of a single one.` }),
      list(eventBody),
    ),
  },
  { additionalProperties: false },
);

/** Telling what contacts did: one event, or many. */
export const recordRoutes: AnyRoute[] = [
  route({
    ...common,
    method: 'POST',
    path: '/v1/events',
    operationId: 'recordEvent',
    summary: 'Record a custom event',
    description:
      'Something that a contact did, in your own words. The contact is named by `email`, `phone`, `id` or a `unique` custom field; an address that nobody has makes the contact. The same `idempotency_key` records the event once.',
    body: eventBody,
    responses: { 202: { description: 'Recorded, and on disk.', schema: recordedEvent, example: exampleRecordedEvent } },
    errors: ['not_found', 'contact_erased', 'conflict'],
    example,
    async handle({ body, execute }) {
      const { output } = await execute(recordEvent, body);
      return { status: 202, body: output };
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: '/v1/events/batch',
    operationId: 'recordEvents',
    summary: 'Record many custom events',
    description: `Up to ${MAX_EVENTS_PER_BATCH} events. Those that are right are recorded, whatever is wrong with the others: \`errors\` names them by their place and field. Each may have an \`idempotency_key\` of its own, which records it once however often and by whichever way it comes.`,
    body: batchBody,
    bodyLimit: MAX_BATCH_BODY_BYTES,
    responses: {
      202: {
        description: 'What became of each event.',
        schema: recordedEvents,
        example: {
          received: 2,
          accepted: 1,
          rejected: 1,
          events: [{ index: 0, ...exampleRecordedEvent }],
          errors: [{ index: 1, field: 'contact.email', code: 'invalid_email', message: 'Use an email address, for example ada@example.com.' }],
        },
      },
    },
    errors: ['conflict'],
    example: { events: [example, { contact: { id: exampleRecordedEvent.contact_id }, event: 'cart_left' }] },
    async handle({ body, execute }) {
      const { output } = await execute(recordEvents, readBatch(body.events));
      return { status: 202, body: output };
    },
  }),
];

function readBatch(events: readonly unknown[]): InputBatch {
  const received = events.length;
  if (received === 0 || received > MAX_EVENTS_PER_BATCH) {
    const message = `Give 1 to ${MAX_EVENTS_PER_BATCH} events, not ${received}.`;
    throw invalid([{ field: 'events', code: received === 0 ? 'required' : 'too_many', message }]);
  }
  const problems: EventRowProblem[] = [];
  const items: { index: number; input: EventInput }[] = [];
  events.forEach((one, index) => {
    const verdict = checkEvent(one);
    if (verdict.problems.length === 0) items.push({ index, input: one as EventInput });
    else problems.push(...verdict.problems.map(({ field, code, message }) => ({ index, field, code, message })));
  });
  return { received, items, problems };
}
