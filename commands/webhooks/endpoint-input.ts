import Type from 'typebox';
import { type FieldProblem, invalidRequest } from '../../domain/kernel/errors.js';
import { boundedText, nullable, optional, record } from '../../domain/kernel/schema.js';
import { textPattern } from '../../domain/kernel/text-patterns.js';
import type { EndpointTarget } from '../../domain/webhooks/endpoint.js';
import { endpointStatusSchema } from '../../domain/webhooks/endpoint-resource.js';
import { isPlatformEvent, platformEventNames } from '../../domain/webhooks/platform-events.js';
import { isOwnHeader } from '../../formats/webhooks/request-headers.js';
import type { Context } from '../runtime/command.js';
import { type WellFormed, withRule } from '../runtime/rules.js';

const MAX_HEADERS = 20;

const fields = {
  url: Type.String({ description: 'An absolute URL that is not in a private network.' }),
  events: Type.Array(boundedText({ maxLength: 100 }), { maxItems: 100, description: `Any of ${platformEventNames.join(', ')}. Empty: all of them.` }),
  description: nullable(boundedText({ maxLength: 500 })),
  headers: Type.Record(
    Type.String(),
    Type.String({ maxLength: 1_024, ...textPattern('^[\\u0020-\\u007e]*$', 'Use ASCII characters of one line.') }),
    {
      description: `At most ${MAX_HEADERS} headers that are added to every request. They are stored encrypted and never shown.`,
    },
  ),
};

type EndpointFields = WellFormed<{ url?: string; events?: readonly string[]; headers?: Readonly<Record<string, string>> }>;

/** What the schema cannot express: whether the URL may be called, the names of events and of headers. */
function endpointProblems({ url, events = [], headers = {} }: EndpointFields, context: Pick<Context, 'ports'>): FieldProblem[] {
  const target = url === undefined ? null : context.ports.messages.checkWebhookUrl(url);
  const refused = Object.keys(headers).filter((name) => !isOwnHeader(name));
  return [
    ...(target ? [{ field: 'url', ...target }] : []),
    ...unknownEventProblems(events),
    ...refused.map((name) => ({
      field: `headers.${name}`,
      code: 'reserved',
      message: 'This is not the name of a header, or a header of the service itself.',
    })),
    ...(Object.keys(headers).length > MAX_HEADERS ? [{ field: 'headers', code: 'too_many', message: `Give at most ${MAX_HEADERS} headers.` }] : []),
  ];
}

/** None, or one that names all unknown events. */
export function unknownEventProblems(events: readonly (string | undefined)[]): FieldProblem[] {
  const unknown = events.filter((event) => event !== undefined && !isPlatformEvent(event));
  if (unknown.length === 0) return [];
  const names = unknown.map((name) => `'${name}'`).join(', ');
  const message = unknown.length === 1 ? `There is no event type ${names}.` : `There are no event types ${names}.`;
  return [{ field: 'events', code: 'unknown_event_type', message, details: { allowed: platformEventNames } }];
}

export const newEndpoint = withRule(
  record({ ...fields, events: optional(fields.events), description: optional(fields.description), headers: optional(fields.headers) }),
  (given, { context }) => endpointProblems(given as EndpointFields, context),
);

export const endpointChange = withRule(
  record({
    url: optional(fields.url),
    events: optional(fields.events),
    description: optional(fields.description),
    headers: optional(fields.headers),
    status: optional(endpointStatusSchema),
  }),
  (given, { context }) => endpointProblems(given as EndpointFields, context),
);

/** Throws `invalid_url`, `unknown_event_type`, and `validation_error` for several problems. */
export function requireValidTarget(given: EndpointFields, context: Pick<Context, 'ports'>): void {
  const problems = endpointProblems(given, context);
  if (problems.length > 0) throw invalidRequest(problems);
}

/** Seconds in which the secret before signs too, after a rotation. */
export const overlapSeconds = Type.Integer({ minimum: 0, maximum: 604_800, description: 'Default: a day.' });

/** The chosen events in the order of the table, each once. */
export const normalizedEvents = (events: readonly string[]): EndpointTarget['events'] => platformEventNames.filter((name) => events.includes(name));
