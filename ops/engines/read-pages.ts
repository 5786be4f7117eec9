import { type Checkpoint, type EventStore, isAfter, type Recorded } from '../../domain/kernel/ports.js';
import { type CopyContext, throwIfInterrupted, withRetries } from './copy-context.js';

/** Events read at a time. */
const PAGE = 5_000;

/** All events from the first to the one at `head`, page by page; the next page is on its way while one is looked at. */
export async function* readPagesUpTo(store: EventStore, head: Checkpoint, work: CopyContext): AsyncGenerator<readonly Recorded[]> {
  if (head === 'start') return;
  const read = (after: Checkpoint) => {
    const page = withRetries(work, () => store.readAll(after, PAGE));
    // Whoever leaves the loop early never asks how this one went.
    page.catch(() => {});
    return page;
  };
  for (let next = read('start'); ; ) {
    const { events, upTo, caughtUp } = await next;
    throwIfInterrupted(work);
    const more = isAfter(head, upTo);
    if (more && caughtUp) throw new Error(`the log ended at ${upTo} although its last event was at ${head}`);
    if (more) next = read(upTo);
    yield more ? events : events.filter(({ position }) => !isAfter(position, head));
    if (!more) return;
  }
}

/** How much of a log lies before a position. Positions grow with what is written, whether they count events or bytes. */
export const fractionOf = (at: Checkpoint, head: Checkpoint): number =>
  head === 'start' || at === 'start' ? 0 : Math.min(1, Number(at) / Number(head));
