/**
 * What a process tries after its holder has died: recorded in batches, so that work which kills the process is known. Nothing is
 * recorded while holders end cleanly.
 */
import type { EventOf } from '../kernel/event.js';
import { eventType } from '../kernel/event.js';
import { count, list, record, text, time } from '../kernel/schema.js';

// Events

const base = { process: text, epoch: count };
/** Ids of to-dos. */
const ids = list(text);

/** These were in flight when the previous holder died. They are tried in groups, apart from all other work. */
export const WorkSuspected = eventType(
  'WorkSuspected',
  record({
    ...base,
    todos: ids,
    /** How often the suspected to-dos have become fewer: the delay before their trial grows with it. */
    round: count,
    /** How often in a row the only one of them was tried, and the process died. */
    deaths: count,
    /** The first of these deaths became known. */
    first_at: time,
    at: time,
  }),
);
/** `started` are about to start; `ended` have ended, or recorded a part of their work, since the last record. */
export const WorkTried = eventType('WorkTried', record({ ...base, started: ids, ended: ids, at: time }));
/** The process has lived long enough: what starts from now on is not recorded. */
export const WorkTrialsEnded = eventType('WorkTrialsEnded', record({ ...base, at: time }));

export const probeEvents = [WorkSuspected, WorkTried, WorkTrialsEnded] as const;
export type ProbeEvent = EventOf<(typeof probeEvents)[number]>;

// What a death says

export type Suspicion = Pick<EventOf<typeof WorkSuspected>['data'], 'todos' | 'round' | 'deaths'> & { readonly first_at: string | null };

const NONE: Suspicion = { todos: [], round: 0, deaths: 0, first_at: null };

/**
 * Which to-dos may have killed a holder that recorded these events and then died. Of earlier suspects, those that were in flight;
 * where none of them was, something else in flight may be the reason, and they stay suspected until they have ended once.
 */
export function suspicionAfterDeath(events: readonly ProbeEvent[]): Suspicion {
  let before = NONE;
  let firstAt: string | null = null;
  const inFlight = new Set<string>();
  const ended = new Set<string>();
  for (const { type, data } of events) {
    if (type === 'WorkTried') {
      firstAt ??= data.at;
      for (const id of data.ended) {
        inFlight.delete(id);
        ended.add(id);
      }
      for (const id of data.started) inFlight.add(id);
      continue;
    }
    before = type === 'WorkSuspected' ? data : NONE;
    inFlight.clear();
    ended.clear();
  }
  // Work that has ended once, or recorded a part, may go on or be in flight again: it is not what killed the holders before.
  const tried = before.todos.filter((id) => inFlight.has(id) && !ended.has(id));
  const first_at = before.first_at ?? firstAt;
  if (tried.length === 0) {
    const todos = [...new Set([...before.todos.filter((id) => !ended.has(id)), ...inFlight])];
    return todos.length === 0 ? NONE : { todos, round: Math.max(1, before.round), deaths: 0, first_at };
  }
  const [only] = tried;
  const isAgain = before.todos.length === 1 && only === before.todos[0];
  return { todos: tried, round: before.round + 1, deaths: tried.length > 1 ? 0 : isAgain ? before.deaths + 1 : 1, first_at };
}

// Stream

/** One for each holder of the lease. */
export const probeStream = (process: string, epoch: number): string => `trial-${process}/${epoch}`;
