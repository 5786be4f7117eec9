import type { Schemas } from '../../api/client.ts';
import type { Status } from './words.ts';

/** A state that the message was in, or may still come to. */
export interface State {
  readonly status: Status;
  /** Null of one that has not come yet. */
  readonly at: string | null;
  /** Milliseconds since the state before. */
  readonly took: number | null;
  /** How often it was entered, where one is repeated until it works. */
  readonly times: number;
}

/** What comes next if nothing goes wrong. */
const next: ReadonlyMap<Status, Status> = new Map([
  ['scheduled', 'queued'],
  ['queued', 'sending'],
  ['sending', 'sent'],
  ['sent', 'delivered'],
]);

/**
 * The states of a message in the order in which it was in them, and those ahead of it. Tries that are repeated are one state: a message that waited
 * and was tried five times is shown as queued, sending (5), sent.
 */
export function statesOf(events: readonly Schemas['MessageEvent'][], isTransient: (status: Status) => boolean): State[] {
  const states: { status: Status; at: string; times: number }[] = [];
  for (const { status, occurred_at: at } of events) {
    const last = states.at(-1);
    const before = states.at(-2);
    if (last?.status === status) continue;
    // Back from a try to the queue, and from there to the next try.
    if (last?.status === 'sending' && status === 'queued' && before?.status === 'queued') {
      states.pop();
      before.times = Math.max(before.times, last.times) + 1;
      continue;
    }
    const tries = status === 'sending' && last?.status === 'queued' ? last.times : 1;
    states.push({ status, at, times: tries });
  }
  const shown: State[] = states.map(({ status, at, times }, i) => {
    const previous = states[i - 1];
    return { status, at, took: previous ? Date.parse(at) - Date.parse(previous.at) : null, times: status === 'sending' ? times : 1 };
  });
  const last = states.at(-1)?.status;
  if (last === undefined || !isTransient(last)) return shown;
  for (let status = next.get(last); status !== undefined; status = next.get(status)) shown.push({ status, at: null, took: null, times: 1 });
  return shown;
}
