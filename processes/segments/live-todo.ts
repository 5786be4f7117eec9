/** The document of a contact whose memberships are kept up to date: a to-do that is due when they change. */
import { type ContactNode, descendantsOf } from '../../domain/contacts/contact-tree.js';
import type { QuietCause } from '../../domain/contacts/quiet-cause.js';
import type { SegmentCatalog } from '../../domain/segments/live/catalog.js';
import type { OwnInputs } from '../../domain/segments/live/inputs.js';
import { advance, type Flip, type LiveContact, nextLook } from '../../domain/segments/live/membership.js';
import type { RecordedChange } from '../../domain/segments/live/recorded.js';
import type { Todo } from '../runtime/process-manager.js';

/** A change that is not recorded yet. */
export interface PendingChange extends Flip {
  /** The event that caused it; null where time did, or a change of rules. */
  readonly event: string | null;
  /** That event was a row of an import. */
  readonly imported?: true;
  /** It was a late one, or caused by one. */
  readonly late?: true;
}

/** One contact. The document of a root holds what is kept of all that is merged into it. */
export interface LiveTodo extends Todo {
  readonly kind: 'contact';
  readonly contact: string;
  /** Null where the document of another contact holds it. */
  readonly node: ContactNode<OwnInputs> | null;
  /** The contact whose document holds it; null where this one does. */
  readonly holder: string | null;
  /** The contact into which it is merged. */
  readonly into: string | null;
  /** Deleted or erased. */
  readonly gone: boolean;
  /** See LiveContact. */
  readonly now: number;
  readonly stamp: number;
  readonly members: readonly number[];
  readonly quiet_until?: number;
  /** Of the stream of its memberships; -1 if there is none. */
  readonly revision: number;
  readonly pending: readonly PendingChange[];
}

const NEVER = Number.MAX_SAFE_INTEGER;
/** Of the to-dos of contacts. */
export const MEMBERSHIP_PRIORITY = 1;
export const liveTodoId = (contact: string): string => `${contact}/segments`;

export const newLiveTodo = (contact: string, account: string, node: ContactNode<OwnInputs>): LiveTodo => ({
  id: liveTodoId(contact),
  kind: 'contact',
  ...{ contact, account, node, holder: null, into: null, gone: false, now: 0, stamp: 0, members: [], revision: -1, pending: [] },
  ...{ priority: MEMBERSHIP_PRIORITY, lane: 'segments', due_at: NEVER },
});

/** All contacts whose data the document holds. */
export const contactsIn = ({ contact, node }: LiveTodo): string[] => [contact, ...(node ? descendantsOf(node).map(({ id }) => id) : [])];

/** A contact that is merged or gone has no memberships of its own. */
export const liveOf = ({ node, into, gone, now, stamp, members, quiet_until }: LiveTodo): LiveContact => ({
  tree: into === null && !gone ? node : null,
  ...{ now, stamp, members, quiet_until },
});

/** The document with new memberships: due at once where they are to be recorded, otherwise when time changes them. */
export function withLive(todo: LiveTodo, catalog: SegmentCatalog, { now, stamp, members }: LiveContact, changes: LiveTodo['pending']): LiveTodo {
  // A segment that is deleted ends its memberships by itself.
  const pending = changes.filter(({ n }) => catalog.segments.has(n));
  const { quiet_until: _, ...rest } = todo;
  const next = { ...rest, now, stamp, members, pending };
  if (pending.length > 0) return { ...next, due_at: now };
  const due_at = nextLook(catalog, liveOf(next))?.at ?? NEVER;
  return { ...next, due_at, quiet_until: due_at };
}

const quietFlags = { import: { imported: true }, late: { late: true } } as const;

export const toPending = (flips: readonly Flip[], event: { readonly id: string; readonly quiet: QuietCause | null } | null): PendingChange[] =>
  flips.map((flip) => {
    const by = flip.cause === 'timer' || flip.cause === 'rule_change' ? null : event;
    return { ...flip, event: by?.id ?? null, ...(by?.quiet && quietFlags[by.quiet]) };
  });

/** What is to be recorded of a contact, and its memberships after that. */
export interface Changes {
  readonly contact: LiveContact;
  readonly pending: readonly PendingChange[];
}

/** It is due because of the time alone: no event has changed anything that is not recorded yet. */
export const isDueByTimeOnly = ({ pending }: LiveTodo): boolean => pending.length === 0;

/** What events have changed. */
export const changesSoFar = (todo: LiveTodo): Changes => ({ contact: liveOf(todo), pending: todo.pending });

/** What events and the time change up to a moment. */
export function changesUpTo(todo: LiveTodo, catalog: SegmentCatalog, now: number): Changes {
  const { contact, flips } = advance(catalog, liveOf(todo), now);
  return { contact, pending: [...todo.pending, ...toPending(flips, null)] };
}

/** By the number of a segment: its id, and the version of its rules in force. */
export type NamesOf = (n: number) => { readonly id: string; readonly rules_version: number } | undefined;

/** A segment that is deleted meanwhile has no name; who was in it is not recorded any more. */
export const toRecorded = (pending: readonly PendingChange[], namesOf: NamesOf): RecordedChange[] =>
  pending.flatMap(({ n, change, cause, at, event, imported, late, reread }) => {
    const named = namesOf(n);
    if (!named) return [];
    const about = { segment_id: named.id, rules_version: named.rules_version, change, cause, at: new Date(at).toISOString(), event_id: event };
    return [{ ...about, ...(imported && { imported }), ...(late && { late }), ...(reread && { reread }) }];
  });

/**
 * The document after what was recorded of it. Usually that is what was pending; where something else happened in between, what is
 * recorded counts, and the difference to what is true now is pending.
 */
export function afterRecord(
  todo: LiveTodo,
  catalog: SegmentCatalog,
  numberOf: (segment: string) => number | undefined,
  recorded: { readonly changes: readonly RecordedChange[]; readonly at: number; readonly revision: number },
): LiveTodo {
  const { contact, pending } = changesUpTo(todo, catalog, recorded.at);
  const changes = recorded.changes.flatMap(({ segment_id, change }) => {
    const n = numberOf(segment_id);
    return n === undefined ? [] : [{ n, change }];
  });
  const next = { ...todo, revision: recorded.revision };
  const known = pending.filter(({ n }) => catalog.segments.has(n));
  if (changes.every(({ n, change }, i) => known[i]?.n === n && known[i]?.change === change))
    return withLive(next, catalog, contact, known.slice(changes.length));
  const members = new Set(contact.members);
  for (const { n, change } of [...pending].reverse())
    if (change === 'entered') members.delete(n);
    else members.add(n);
  for (const { n, change } of changes)
    if (change === 'entered') members.add(n);
    else members.delete(n);
  const is = new Set(contact.members);
  const last = pending.at(-1);
  const about = {
    cause: last?.cause ?? 'timer',
    at: contact.now,
    event: last?.event ?? null,
    ...(last?.reread && { reread: true as const }),
  } as const;
  const missing = [
    ...[...is].filter((n) => !members.has(n)).map((n) => ({ n, change: 'entered' as const, ...about })),
    ...[...members].filter((n) => !is.has(n)).map((n) => ({ n, change: 'left' as const, ...about })),
  ];
  return withLive(next, catalog, contact, missing);
}
