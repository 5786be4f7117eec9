/** A list that contacts subscribe to. Memberships are in the streams of the contacts (see membership.ts). */
import type { OwnedAggregate } from '../kernel/aggregate.js';
import { DomainError, notFound } from '../kernel/errors.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { ownField } from '../kernel/own-fields.js';
import { named, nullable, oneOf, optional, record, text, time } from '../kernel/schema.js';

/** `double`: a contact that is added is pending until it confirms by email. */
export const optIns = ['single', 'double'] as const;
export const optInSchema = named('OptIn', oneOf(...optIns));
export type OptIn = (typeof optIns)[number];

// Events

const optIn = oneOf(...optIns);

export const ListCreated = eventType('ListCreated', record({ list_id: text, name: text, description: nullable(text), opt_in: optIn, at: time }));
/** Contains only the fields that changed. */
export const ListChanged = eventType(
  'ListChanged',
  record({ list_id: text, name: optional(text), description: optional(nullable(text)), opt_in: optional(optIn), at: time }),
);
/** Ends all memberships of the list. Their history stays in the log. */
export const ListDeleted = eventType('ListDeleted', record({ list_id: text, at: time }));

export const listEvents = [ListCreated, ListChanged, ListDeleted] as const;
export type ListEvent = EventOf<(typeof listEvents)[number]>;

// State

interface ListBase {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly opt_in: OptIn;
  readonly created_at: string;
  readonly updated_at: string;
  /** Number of events, starting at 1. */
  readonly version: number;
}
export type ActiveList = ListBase & { readonly status: 'active' };
export type List = { readonly status: 'new' } | ActiveList | (ListBase & { readonly status: 'deleted' });

export function evolve(list: List, event: ListEvent): List {
  if (event.type === 'ListCreated') {
    const { list_id: id, name, description, opt_in, at } = event.data;
    return { status: 'active', id, name, description, opt_in, created_at: at, updated_at: at, version: 1 };
  }
  if (list.status === 'new') return list;
  const next = { ...list, updated_at: event.data.at, version: list.version + 1 };
  switch (event.type) {
    case 'ListChanged': {
      const { name = list.name, description = list.description, opt_in = list.opt_in } = event.data;
      return { ...next, name, description, opt_in };
    }
    case 'ListDeleted':
      return { ...next, status: 'deleted' };
    default:
      return event satisfies never;
  }
}

/** A list as the API shows it, without its counts. */
export type ListDetails = Omit<ActiveList, 'status'>;

/** Throws if the list was never created. */
export function toListDetails(state: List): ListDetails {
  if (state.status === 'new') throw new Error('The list was never created.');
  const { id, name, description, opt_in, created_at, updated_at, version } = state;
  return { id, name, description, opt_in, created_at, updated_at, version };
}

// Commands

export interface ListChange {
  readonly name?: string;
  readonly description?: string | null;
  readonly opt_in?: OptIn;
}

export type ListCommand =
  | { type: 'Create'; list_id: string; name: string; description: string | null; opt_in: OptIn; now: string }
  /** `expected`: the version that the caller has read, or null to skip the check. */
  | { type: 'Change'; list_id: string; change: ListChange; expected: number | null; now: string }
  | { type: 'Delete'; list_id: string; now: string };

/** Throws `version_conflict`, and `not_found` also if the list is deleted. */
export function decide(command: ListCommand, list: List): readonly ListEvent[] {
  const { list_id, now: at } = command;
  if (command.type === 'Create') {
    const { name, description, opt_in } = command;
    return list.status === 'new' ? [{ type: 'ListCreated', data: { list_id, name, description, opt_in, at } }] : [];
  }
  if (list.status === 'new') throw notFound('list', list_id);
  switch (command.type) {
    case 'Change': {
      if (list.status === 'deleted') throw notFound('list', list_id);
      const { expected } = command;
      if (expected !== null && expected !== list.version) {
        const message = `The list is at version ${list.version}, not ${expected}. Read it again, then change it.`;
        throw new DomainError('version_conflict', message, { expected, actual: list.version });
      }
      const changes = Object.fromEntries(Object.entries(command.change).filter(([name, value]) => value !== ownField(list, name)));
      return Object.keys(changes).length > 0 ? [{ type: 'ListChanged', data: { list_id, ...changes, at } }] : [];
    }
    case 'Delete':
      return list.status === 'deleted' ? [] : [{ type: 'ListDeleted', data: { list_id, at } }];
    default:
      return command satisfies never;
  }
}

// Stream

export const listStream = (id: string): string => `list-${id}`;

export const contactList: OwnedAggregate<List, ListCommand, ListEvent> = {
  resource: 'list',
  stream: listStream,
  events: listEvents,
  snapshots: { name: 'list', version: 1 },
  initial: { status: 'new' },
  evolve,
  decide,
};
