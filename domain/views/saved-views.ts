/**
 * The saved views of an account: a name for a list as somebody has filtered it. One stream holds all of them, so that their limit also
 * holds for requests at the same moment.
 */
import type { Aggregate } from '../kernel/aggregate.js';
import { DomainError, notFound } from '../kernel/errors.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { GrowingMap } from '../kernel/growing-map.js';
import { boundedText, flag, nullable, record, text, time } from '../kernel/schema.js';

/** Saved views of one account, those of all its users together. */
export const MAX_SAVED_VIEWS = 200;

// Events

/** Always complete, since they are sealed together. */
const viewFields = {
  account_id: text,
  view_id: text,
  name: boundedText({}),
  /** Which list it is of, as the program that shows it names its pages. */
  page: text,
  /** The filters as the query of an URL. They may name people. */
  query: boundedText({}),
  /** For all of the account; otherwise for its owner alone. */
  shared: flag,
};
const sealed = { personal: { subject: 'account_id', fields: ['name', 'query'] } } as const;

/** `owner`: the user who has made it; null for a key. */
export const SavedViewCreated = eventType('SavedViewCreated', record({ ...viewFields, owner: nullable(text), at: time }), sealed);
export const SavedViewChanged = eventType('SavedViewChanged', record({ ...viewFields, at: time }), sealed);
export const SavedViewDeleted = eventType('SavedViewDeleted', record({ view_id: text, at: time }));

export const savedViewEvents = [SavedViewCreated, SavedViewChanged, SavedViewDeleted] as const;
export type SavedViewEvent = EventOf<(typeof savedViewEvents)[number]>;

// State

/** What is saved. */
export interface ViewContent {
  readonly name: string;
  readonly page: string;
  readonly query: string;
  readonly shared: boolean;
}

export interface SavedView extends ViewContent {
  readonly id: string;
  readonly owner: string | null;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface SavedViews {
  /** In the order of their creation. */
  readonly byId: ReadonlyMap<string, SavedView>;
  readonly deleted: GrowingMap<true>;
}

export function evolve(views: SavedViews, event: SavedViewEvent): SavedViews {
  const { view_id: id, at } = event.data;
  const byId = new Map(views.byId);
  switch (event.type) {
    case 'SavedViewCreated': {
      const { owner } = event.data;
      byId.set(id, { id, ...contentOf(event.data), owner, version: 1, created_at: at, updated_at: at });
      return { ...views, byId };
    }
    case 'SavedViewChanged': {
      const known = byId.get(id);
      if (known) byId.set(id, { ...known, ...contentOf(event.data), version: known.version + 1, updated_at: at });
      return { ...views, byId };
    }
    case 'SavedViewDeleted':
      byId.delete(id);
      return { byId, deleted: views.deleted.with(id, true) };
    default:
      return event satisfies never;
  }
}

const contentOf = ({ name, page, query, shared }: ViewContent): ViewContent => ({ name, page, query, shared });

// Commands

export type SavedViewCommand =
  | { type: 'Create'; account_id: string; view_id: string; content: ViewContent; user: string | null; now: string }
  /** `expected`: the version that the caller has read, or null to skip the check. `user`: who changes it; null for a key. */
  | { type: 'Change'; account_id: string; view_id: string; change: Partial<ViewContent>; user: string | null; expected: number | null; now: string }
  | { type: 'Delete'; view_id: string; user: string | null; now: string };
type Of<T extends SavedViewCommand['type']> = Extract<SavedViewCommand, { type: T }>;

/** Throws `conflict` above the limit, `version_conflict`, `forbidden`, and `not_found`. */
export function decide(command: SavedViewCommand, views: SavedViews): readonly SavedViewEvent[] {
  const { view_id, user, now: at } = command;
  switch (command.type) {
    case 'Create':
      return create(command, views);
    case 'Change':
      return change(command, viewOf(views, view_id, user));
    case 'Delete':
      if (views.deleted.has(view_id)) return [];
      return [{ type: 'SavedViewDeleted', data: { view_id: viewOf(views, view_id, user).id, at } }];
    default:
      return command satisfies never;
  }
}

function create({ account_id, view_id, content, user: owner, now: at }: Of<'Create'>, { byId, deleted }: SavedViews): readonly SavedViewEvent[] {
  if (byId.has(view_id) || deleted.has(view_id)) return [];
  if (owner === null && !content.shared) throw notPersonal();
  if (byId.size >= MAX_SAVED_VIEWS)
    throw new DomainError('conflict', `An account has at most ${MAX_SAVED_VIEWS} saved views.`, { limit: MAX_SAVED_VIEWS });
  return [{ type: 'SavedViewCreated', data: { account_id, view_id, ...contentOf(content), owner, at } }];
}

function change({ account_id, view_id, change, user, expected, now: at }: Of<'Change'>, known: SavedView): readonly SavedViewEvent[] {
  if (expected !== null && expected !== known.version) {
    const message = `The view is at version ${known.version}, not ${expected}. Read it again, then change it.`;
    throw new DomainError('version_conflict', message, { expected, actual: known.version });
  }
  const next = { ...contentOf(known), ...change };
  if (known.shared && !next.shared) {
    if (known.owner === null) throw notPersonal();
    if (known.owner !== user) throw new DomainError('forbidden', 'Only the user who has made a view can take it from the others.');
  }
  if (JSON.stringify(next) === JSON.stringify(contentOf(known))) return [];
  return [{ type: 'SavedViewChanged', data: { account_id, view_id, ...next, at } }];
}

const notPersonal = () => new DomainError('forbidden', 'A view of an API key is for all of the account. Send `"shared": true`.');

/** Whether a user, or a key (null), sees a view. */
export const isVisibleTo = (user: string | null, { shared, owner }: SavedView): boolean => shared || (user !== null && owner === user);

/** Throws `not_found`, also for the personal view of somebody else. */
export function viewOf({ byId }: SavedViews, id: string, user: string | null): SavedView {
  const view = byId.get(id);
  if (!view || !isVisibleTo(user, view)) throw notFound('view', id);
  return view;
}

// Stream

export const savedViewsStream = (account: string): string => `savedViews-${account}`;

export const savedViews: Aggregate<SavedViews, SavedViewCommand, SavedViewEvent> = {
  stream: savedViewsStream,
  events: savedViewEvents,
  snapshots: { name: 'savedViews', version: 1 },
  initial: { byId: new Map(), deleted: GrowingMap.empty },
  evolve,
  decide,
};
