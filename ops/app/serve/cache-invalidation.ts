import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Clock } from '../../../domain/kernel/ports.js';
import { type ChangedStreamFeed, changedStreamsOf } from '../../../log/feed/changed-streams.js';
import { LogFeed } from '../../../log/feed/log-feed.js';
import { RemoteChangedStreams, serveChangedStreams } from '../../../log/feed/remote-changed-streams.js';
import type { EventLog } from '../../../log/runtime/event-log.js';
import { changesIn } from '../../../projections/changes/resources.js';
import type { Config } from '../config/config.js';

/** The threads of a node. */
type ThreadName = 'main' | 'projections' | 'processes';
export type InvalidationPorts = { readonly changedStreamsTo: readonly MessagePort[]; readonly changedStreamsFrom: MessagePort | null };

/**
 * One thread of a node reads the log, and all others get the names of streams from it: the thread of the projections, which
 * needs whole events, or else the main thread.
 */
export function invalidationPorts(roles: Config['roles']): Record<ThreadName, InvalidationPorts> {
  const reader: ThreadName = roles.includes('projections') ? 'projections' : 'main';
  const from: Partial<Record<ThreadName, MessagePort>> = {};
  const to: MessagePort[] = [];
  const threads: readonly ThreadName[] = ['main', ...roles.filter((role) => role !== 'api')];
  for (const thread of threads) {
    if (thread === reader) continue;
    const { port1, port2 } = new MessageChannel();
    to.push(port1);
    from[thread] = port2;
  }
  const portsOf = (thread: ThreadName): InvalidationPorts => ({
    changedStreamsTo: thread === reader ? to : [],
    changedStreamsFrom: from[thread] ?? null,
  });
  return { main: portsOf('main'), projections: portsOf('projections'), processes: portsOf('processes') };
}

/** The names of the log in one thread. */
export interface ThreadInvalidation {
  readonly changedStreams: ChangedStreamFeed;
  /** The feed, where this thread reads the log. */
  readonly feed: LogFeed | null;
  /** Reads until the signal aborts. */
  readonly run: () => Promise<void>;
  readonly close: () => void;
}

/** Reads the log and serves it to other threads, or gets the names from the thread that does. */
export function threadInvalidation(
  { changedStreamsTo, changedStreamsFrom }: InvalidationPorts,
  log: EventLog,
  clock: Clock,
  signal: AbortSignal,
): ThreadInvalidation {
  const close = (): void => {
    for (const port of [...changedStreamsTo, ...(changedStreamsFrom ? [changedStreamsFrom] : [])]) port.close();
  };
  if (changedStreamsFrom) return { changedStreams: new RemoteChangedStreams(changedStreamsFrom), feed: null, run: async () => {}, close };
  const feed = new LogFeed(log, clock, signal);
  const changedStreams = changedStreamsOf(feed, changesIn);
  for (const port of changedStreamsTo) serveChangedStreams(changedStreams, port, signal);
  return { changedStreams, feed, run: () => feed.run(), close };
}
