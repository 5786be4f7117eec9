/**
 * The webhook endpoints of an account. One stream holds all of them, so that their limit also holds for requests at the same
 * moment; it is apart from the account's stream, because sign-in and settings load that one.
 */
import type { Aggregate } from '../kernel/aggregate.js';
import { DomainError, notFound } from '../kernel/errors.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { GrowingMap } from '../kernel/growing-map.js';
import { boundedText, list, mapOf, nullable, record, text, time } from '../kernel/schema.js';

/** Endpoints of one account, enabled or disabled. */
export const MAX_ENDPOINTS = 20;

// Events

const endpoint_id = text;
/** Always complete, since they are sealed together. `lane` is the keyed hash of the host. */
const targetFields = {
  account_id: text,
  endpoint_id,
  url: text,
  lane: text,
  /** Names of platform events; empty for all of them. */
  events: list(text),
  description: nullable(boundedText({})),
  /** Headers that the account adds to every request. */
  headers: mapOf(boundedText({})),
};
/** No personal data of a recipient, but must not be in the log in plain text. */
const sealedTarget = ['url', 'description', 'headers'] as const;

export const EndpointCreated = eventType('EndpointCreated', record({ ...targetFields, secret: text, at: time }), {
  personal: { subject: 'account_id', fields: [...sealedTarget, 'secret'] },
});
export const EndpointChanged = eventType('EndpointChanged', record({ ...targetFields, at: time }), {
  personal: { subject: 'account_id', fields: [...sealedTarget] },
});
/** The secret before also signs until `previous_until`; null ends it at once. */
export const EndpointSecretRotated = eventType(
  'EndpointSecretRotated',
  record({ account_id: text, endpoint_id, secret: text, previous_until: nullable(time), at: time }),
  { personal: { subject: 'account_id', fields: ['secret'] } },
);
/** Its pending deliveries are stopped, and no new ones begin. */
export const EndpointDisabled = eventType('EndpointDisabled', record({ endpoint_id, at: time }));
export const EndpointEnabled = eventType('EndpointEnabled', record({ endpoint_id, at: time }));
export const EndpointDeleted = eventType('EndpointDeleted', record({ endpoint_id, at: time }));

export const endpointEvents = [EndpointCreated, EndpointChanged, EndpointSecretRotated, EndpointDisabled, EndpointEnabled, EndpointDeleted] as const;
export type EndpointEvent = EventOf<(typeof endpointEvents)[number]>;
export type SealedEndpointEvent = SealedEventOf<(typeof endpointEvents)[number]>;

// State

export interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly lane: string;
  readonly events: readonly string[];
  readonly description: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly secret: { readonly current: string; readonly previous: { readonly secret: string; readonly until: string } | null };
  readonly status: 'enabled' | 'disabled';
  /** How often it was enabled, the creation included. A delivery that began in an earlier term stays stopped. */
  readonly term: number;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Endpoints {
  /** In the order of their creation. */
  readonly byId: ReadonlyMap<string, Endpoint>;
  readonly deleted: GrowingMap<true>;
}

export function evolve(endpoints: Endpoints, event: EndpointEvent): Endpoints {
  const { endpoint_id: id, at } = event.data;
  const changed = (change: (known: Endpoint) => Partial<Endpoint>): Endpoints => {
    const known = endpoints.byId.get(id);
    if (!known) return endpoints;
    const next = { ...known, ...change(known), version: known.version + 1, updated_at: at };
    return { ...endpoints, byId: new Map(endpoints.byId).set(id, next) };
  };
  switch (event.type) {
    case 'EndpointCreated':
      return { ...endpoints, byId: new Map(endpoints.byId).set(id, created(event.data)) };
    case 'EndpointChanged': {
      const { url, lane, events, description, headers } = event.data;
      return changed(() => ({ url, lane, events, description, headers }));
    }
    case 'EndpointSecretRotated': {
      const { secret: current, previous_until: until } = event.data;
      return changed(({ secret }) => ({ secret: { current, previous: until === null ? null : { secret: secret.current, until } } }));
    }
    case 'EndpointDisabled':
      return changed(() => ({ status: 'disabled' }));
    case 'EndpointEnabled':
      return changed(({ term }) => ({ status: 'enabled', term: term + 1 }));
    case 'EndpointDeleted': {
      const byId = new Map(endpoints.byId);
      byId.delete(id);
      return { byId, deleted: endpoints.deleted.with(id, true) };
    }
    default:
      return event satisfies never;
  }
}

function created({ endpoint_id: id, account_id: _, secret, at, ...target }: EventOf<typeof EndpointCreated>['data']): Endpoint {
  const terms = { status: 'enabled', term: 1, version: 1, created_at: at, updated_at: at } as const;
  return { id, ...target, secret: { current: secret, previous: null }, ...terms };
}

// Commands

/** What an account chooses about an endpoint. */
export type EndpointTarget = Pick<Endpoint, 'url' | 'lane' | 'events' | 'description' | 'headers'>;
/** `url` and `lane` are given together. */
export type EndpointChange = Partial<EndpointTarget & Pick<Endpoint, 'status'>>;

export type EndpointCommand =
  | { type: 'Create'; account_id: string; endpoint_id: string; target: EndpointTarget; secret: string; now: string }
  /** `expected`: the version that the caller has read, or null to skip the check. */
  | { type: 'Change'; account_id: string; endpoint_id: string; change: EndpointChange; expected: number | null; now: string }
  | { type: 'RotateSecret'; account_id: string; endpoint_id: string; secret: string; previous_until: string | null; now: string }
  | { type: 'Delete'; endpoint_id: string; now: string };
type Of<T extends EndpointCommand['type']> = Extract<EndpointCommand, { type: T }>;

/** Throws `conflict` above the limit, `version_conflict`, and `not_found`. */
export function decide(command: EndpointCommand, endpoints: Endpoints): readonly EndpointEvent[] {
  const { endpoint_id, now: at } = command;
  switch (command.type) {
    case 'Create':
      return create(command, endpoints);
    case 'Change':
      return change(command, endpointIn(endpoints, endpoint_id));
    case 'RotateSecret': {
      const { account_id, secret, previous_until } = command;
      const { secret: known } = endpointIn(endpoints, endpoint_id);
      return known.current === secret ? [] : [{ type: 'EndpointSecretRotated', data: { account_id, endpoint_id, secret, previous_until, at } }];
    }
    case 'Delete':
      if (endpoints.deleted.has(endpoint_id)) return [];
      return [{ type: 'EndpointDeleted', data: { endpoint_id: endpointIn(endpoints, endpoint_id).id, at } }];
    default:
      return command satisfies never;
  }
}

function create({ account_id, endpoint_id, target, secret, now: at }: Of<'Create'>, { byId, deleted }: Endpoints): readonly EndpointEvent[] {
  if (byId.has(endpoint_id) || deleted.has(endpoint_id)) return [];
  if (byId.size >= MAX_ENDPOINTS)
    throw new DomainError('conflict', `An account has at most ${MAX_ENDPOINTS} webhook endpoints.`, { limit: MAX_ENDPOINTS });
  return [{ type: 'EndpointCreated', data: { account_id, endpoint_id, ...dataOf(target), secret, at } }];
}

function change({ account_id, endpoint_id, change, expected, now: at }: Of<'Change'>, known: Endpoint): readonly EndpointEvent[] {
  if (expected !== null && expected !== known.version) {
    const message = `The endpoint is at version ${known.version}, not ${expected}. Read it again, then change it.`;
    throw new DomainError('version_conflict', message, { expected, actual: known.version });
  }
  const { status = known.status, ...target } = change;
  const next = dataOf({ ...known, ...target });
  const events: EndpointEvent[] = [];
  if (JSON.stringify(next) !== JSON.stringify(dataOf(known)))
    events.push({ type: 'EndpointChanged', data: { account_id, endpoint_id, ...next, at } });
  if (status !== known.status) events.push({ type: status === 'enabled' ? 'EndpointEnabled' : 'EndpointDisabled', data: { endpoint_id, at } });
  return events;
}

const dataOf = ({ url, lane, events, description, headers }: EndpointTarget) => ({
  url,
  lane,
  events: [...events],
  description,
  headers: { ...headers },
});

/** Throws `not_found`. */
export function endpointIn({ byId }: Endpoints, id: string): Endpoint {
  const endpoint = byId.get(id);
  if (!endpoint) throw notFound('webhook_endpoint', id);
  return endpoint;
}

/** The secrets that sign at a time, the newest first. */
export const endpointSecrets = ({ secret: { current, previous } }: Endpoint, nowMs: number): readonly string[] =>
  previous && Date.parse(previous.until) > nowMs ? [current, previous.secret] : [current];

// Stream

export const endpointsStream = (account: string): string => `endpoints-${account}`;

export const endpoints: Aggregate<Endpoints, EndpointCommand, EndpointEvent> = {
  stream: endpointsStream,
  events: endpointEvents,
  snapshots: { name: 'endpoints', version: 1 },
  initial: { byId: new Map(), deleted: GrowingMap.empty },
  evolve,
  decide,
};
