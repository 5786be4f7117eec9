import type { LimitTable } from '../../domain/kernel/rate-limits.js';
import { mayRefuseTestKey } from './access/test-keys.js';
import { DEFAULT_BODY_LIMIT } from './body/body.js';
import { type ErrorCode, isErrorCode } from './errors.js';
import type { AnyRoute } from './route.js';
import type { JsonSchema } from './validation/json-schema.js';

/** One operation with a recorded request and a response body for each status. */
export interface RecordedExample {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** One delivery as recorded by a webhook receiver. */
export interface RecordedWebhook {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Examples that a test records from the running service: of operations by their id, of webhooks by their event. */
export interface RecordedExamples {
  readonly operations: Readonly<Record<string, RecordedExample>>;
  readonly webhooks: Readonly<Record<string, RecordedWebhook>>;
}

/** The input of the OpenAPI document and the API page. */
export interface ApiDescription {
  readonly routes: readonly AnyRoute[];
  readonly limits: LimitTable;
  /** Without a slash at the end. */
  readonly publicUrl: string;
  /** The `Service` in `X-Service-Position`. */
  readonly headerPrefix: string;
  /** Of this release. */
  readonly version: string;
  readonly examples: RecordedExamples;
}

/** The capabilities in reading order, each with a one-line description. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  messages: 'Send one message or ten thousand over any channel, follow their status, and query the reasons.',
  webhooks: 'Signed and retried notifications, with a record of every attempt.',
  contacts: 'The people you message, matched by address and merged without loss.',
  fields: 'Custom fields of contacts.',
  jobs: 'Work on many items, such as imports and exports, with its progress, errors and result.',
  lists: 'Groups of contacts who subscribed.',
  segments: 'Live rules over contacts and their events.',
  events: 'What contacts did, under your own event names.',
  suppressions: 'Addresses that must not get messages.',
  consent: 'Consents with time, source and proof.',
  campaigns: 'Scheduled messages to an audience.',
  journeys: 'Sequences of messages that react to events of contacts.',
  templates: 'Texts with variables.',
  forms: 'Hosted forms that create contacts.',
  inbox: 'In-app messages.',
  push: 'Devices that receive push messages.',
  scores: 'Predictions about contacts.',
  accounts: 'Sign-in, users, API keys and settings.',
  changes: 'What has changed in the account, as a stream of events for pages that show it.',
  views: 'Saved filters of lists, personal or shared in the account.',
  system: 'This installation, for its operator.',
};

/** Routes by capability, in the order of the table above; capabilities that are not in it come last. */
export function groupByTag(routes: readonly AnyRoute[]): [tag: string, routes: AnyRoute[]][] {
  const groups = new Map<string, AnyRoute[]>();
  for (const route of routes) groups.set(route.tag, [...(groups.get(route.tag) ?? []), route]);
  const names = Object.keys(tagDescriptions);
  const place = (tag: string): number => (names.includes(tag) ? names.indexOf(tag) : names.length);
  return [...groups].sort(([a], [b]) => place(a) - place(b));
}

export const propertiesOf = (schema: unknown): [name: string, schema: JsonSchema, required: boolean][] => {
  const { properties: fields = {}, required = [] } = (schema ?? {}) as { properties?: Record<string, JsonSchema>; required?: readonly string[] };
  return Object.entries(fields).map(([name, field]) => [name, field, required.includes(name)]);
};

/** When a code is answered by the server itself, before any route. */
const commonErrors: readonly { readonly when: (route: AnyRoute) => boolean; readonly codes: readonly ErrorCode[] }[] = [
  { when: () => true, codes: ['invalid_parameter', 'not_acceptable', 'headers_too_large', 'rate_limit_exceeded', 'internal_error', 'unavailable'] },
  { when: (r) => r.access !== 'public', codes: ['unauthorized'] },
  { when: (r) => !['public', 'operator'].includes(r.access), codes: ['token_expired'] },
  { when: (r) => ['read', 'write', 'either'].includes(r.access), codes: ['insufficient_scope'] },
  { when: (r) => r.access === 'owner' || mayRefuseTestKey(r), codes: ['forbidden'] },
  { when: (r) => r.path.includes('/:'), codes: ['not_found'] },
  { when: (r) => r.query?.properties?.cursor !== undefined, codes: ['invalid_cursor'] },
  { when: takesConsistencyHeaders, codes: ['projection_behind'] },
  { when: (r) => Boolean(r.body), codes: ['invalid_json', 'payload_too_large', 'unsupported_media_type', 'validation_error', 'unknown_field'] },
  { when: (r) => r.method === 'POST', codes: ['idempotency_key_reused', 'idempotency_in_progress'] },
  { when: (r) => r.method !== 'GET' && r.access !== 'public', codes: ['conflict'] },
];

export function takesConsistencyHeaders(route: AnyRoute): boolean {
  return route.method === 'GET' && !['public', 'operator'].includes(route.access);
}

/** All codes that a route can answer: its own and those of the server. */
export function errorCodesOf(route: AnyRoute): ErrorCode[] {
  const shell = commonErrors.filter(({ when }) => when(route)).flatMap(({ codes }) => codes);
  return [...new Set([...(route.errors ?? []).filter(isErrorCode), ...shell])];
}

/** Whether a request without a body is refused: it is read as an object without fields. */
export function requiresBody({ body }: AnyRoute): boolean {
  if (!body) return false;
  const { type, required = [], minProperties = 0 } = body as { type?: string; required?: readonly string[]; minProperties?: number };
  return type !== 'object' || required.length > 0 || minProperties > 0;
}

export const bodyLimitOf = (route: AnyRoute): number => route.bodyLimit ?? DEFAULT_BODY_LIMIT;

/** The required credential of a route, in words. */
export const accessDescriptions: Readonly<Record<AnyRoute['access'], string>> = {
  read: 'Needs the scope `read`.',
  write: 'Needs the scope `write`.',
  either: 'Needs the scope `read` or `write`.',
  owner: 'For an owner, or a key without a scope list.',
  public: 'Needs no credential.',
  operator: "Needs the operator's token.",
};
