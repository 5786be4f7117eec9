import type { Checkpoint, RecordedEvent } from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/runtime/event-log.js';

const PAGE = 2_000;

/** The events that the streams with this prefix have by now, in the order of the log. Reads the whole log. */
export async function* eventsOfStreams({ store }: EventLog, prefix: string): AsyncIterable<RecordedEvent> {
  for (let at: Checkpoint = 'start'; ; ) {
    const page = await store.readAll(at, PAGE);
    for (const event of page.events) if (event.stream.startsWith(prefix)) yield event;
    if (page.caughtUp || page.events.length === 0) return;
    at = page.upTo;
  }
}
