import { type Checkpoint, type EventStore, isAfter, type RecordedEvent } from '../../domain/kernel/ports.js';
import { type CopyContext, throwIfInterrupted, withRetries } from './copy-context.js';

/** Events per page. */
const PAGE = 5_000;

/** All events from the first to the one at `head`, page by page. The next page is read ahead. */
export async function* readPagesUpTo(store: EventStore, head: Checkpoint, context: CopyContext): AsyncGenerator<readonly RecordedEvent[]> {
  if (head === 'start') return;
  const read = (after: Checkpoint) => {
    const page = withRetries(context, () => store.readAll(after, PAGE));
    // A loop that is left early never awaits the page.
    page.catch(() => {});
    return page;
  };
  for (let next = read('start'); ; ) {
    const { events, upTo, caughtUp } = await next;
    throwIfInterrupted(context);
    const more = isAfter(head, upTo);
    if (more && caughtUp) throw new Error(`the log ends at ${upTo}, before its head ${head}`);
    if (more) next = read(upTo);
    yield more ? events : events.filter(({ position }) => !isAfter(position, head));
    if (!more) return;
  }
}

/** The part of a log before a position, from 0 to 1. Positions grow with the log, whether they count events or bytes. */
export const fractionOf = (at: Checkpoint, head: Checkpoint): number =>
  head === 'start' || at === 'start' ? 0 : Math.min(1, Number(at) / Number(head));
