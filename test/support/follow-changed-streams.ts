import type { Checkpoint } from '../../domain/kernel/ports.js';
import { type ChangedStreamsPage, changedStreamsOf, type StreamFilter } from '../../log/feed/changed-streams.js';
import { LogFeed } from '../../log/feed/log-feed.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { system } from './system.js';

/** Follows the log by a feed of its own until the signal aborts. */
export async function followNames(
  log: EventLog,
  wanted: Partial<StreamFilter>,
  after: Checkpoint,
  signal: AbortSignal,
  note: (page: ChangedStreamsPage) => void,
): Promise<void> {
  const feed = new LogFeed(log, system.clock, signal);
  const following = async () => {
    for await (const page of changedStreamsOf(feed).pages({ streams: [], events: [], ...wanted }, after, signal)) note(page);
  };
  await Promise.all([feed.run(), following()]);
}
