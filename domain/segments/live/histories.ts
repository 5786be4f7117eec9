/**
 * The times of the events of a contact that match a predicate, as far as leaves need them: the most recent ones, or all within the
 * longest window. A leaf counts them at any moment exactly, and merged contacts unify theirs without a loss.
 */

/** The time of an event in milliseconds since 1970, or the time with the value that a leaf aggregates. */
export type HistoryEntry = number | readonly [at: number, value: number];
/** The most recent first. */
export type History = readonly HistoryEntry[];

/** What is kept of the events that match. */
export interface Retention {
  /** Only this many of the most recent; null: all. */
  readonly most: number | null;
  /** Only those of this interval, both ends included, in milliseconds since 1970. */
  readonly interval: readonly [number, number] | null;
  /** Older ones can no longer count, in milliseconds before now. */
  readonly horizon: number | null;
}

export const noHistory: History = [];
export const entryTimeOf = (kept: HistoryEntry): number => (typeof kept === 'number' ? kept : kept[0]);

const isKept = ({ interval, horizon }: Retention, at: number, now: number): boolean =>
  (interval === null || (at >= interval[0] && at <= interval[1])) && (horizon === null || at > now - horizon);

/** The history with one more event, which may be older than others. The same one where the event is not kept. */
export function addTo(history: History, kept: HistoryEntry, retention: Retention, now: number): History {
  const at = entryTimeOf(kept);
  if (!isKept(retention, at, now)) return history;
  const { most } = retention;
  if (most !== null && history.length >= most && at <= entryTimeOf(history[most - 1] as HistoryEntry)) return history;
  const next = [...history];
  next.splice(placeOf(history, at), 0, kept);
  return bounded(next, retention, now);
}

/** The unified history of two contacts. */
export function unifyHistories(left: History, right: History, retention: Retention, now: number): History {
  if (left.length === 0) return right;
  if (right.length === 0) return left;
  return bounded(
    [...left, ...right].sort((a, b) => entryTimeOf(b) - entryTimeOf(a)),
    retention,
    now,
  );
}

/** Behind those of the same time. */
function placeOf(history: History, at: number): number {
  let place = 0;
  while (place < history.length && entryTimeOf(history[place] as HistoryEntry) >= at) place += 1;
  return place;
}

function bounded(history: HistoryEntry[], { most, horizon }: Retention, now: number): History {
  if (most !== null && history.length > most) history.length = most;
  if (horizon !== null) while (history.length > 0 && entryTimeOf(history[history.length - 1] as HistoryEntry) <= now - horizon) history.pop();
  return history;
}
