import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Clock } from '../../../domain/kernel/ports.js';
import { LogFeed } from '../../../log/feed/log-feed.js';
import { type NameFeed, namesOf } from '../../../log/feed/names.js';
import { RemoteNames, serveNames } from '../../../log/feed/remote-names.js';
import type { EventLog } from '../../../log/runtime/event-log.js';
import type { Config } from '../config/config.js';

/** The threads of a node. */
type ThreadName = 'main' | 'projections' | 'processes';
export type NamesPorts = { readonly namesTo: readonly MessagePort[]; readonly namesFrom: MessagePort | null };

/**
 * One thread of a node reads the log, and all others get the names of streams from it: the thread of the projections, which
 * needs whole events, or else the main thread.
 */
export function namesPorts(roles: Config['roles']): Record<ThreadName, NamesPorts> {
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
  const portsOf = (thread: ThreadName): NamesPorts => ({ namesTo: thread === reader ? to : [], namesFrom: from[thread] ?? null });
  return { main: portsOf('main'), projections: portsOf('projections'), processes: portsOf('processes') };
}

/** The names of the log in one thread. */
export interface ThreadNames {
  readonly names: NameFeed;
  /** The feed, where this thread reads the log. */
  readonly feed: LogFeed | null;
  /** Reads until the signal aborts. */
  readonly run: () => Promise<void>;
  readonly close: () => void;
}

/** Reads the log and serves it to other threads, or gets the names from the thread that does. */
export function threadNames({ namesTo, namesFrom }: NamesPorts, log: EventLog, clock: Clock, signal: AbortSignal): ThreadNames {
  const close = (): void => {
    for (const port of [...namesTo, ...(namesFrom ? [namesFrom] : [])]) port.close();
  };
  if (namesFrom) return { names: new RemoteNames(namesFrom), feed: null, run: async () => {}, close };
  const feed = new LogFeed(log, clock, signal);
  const names = namesOf(feed);
  for (const port of namesTo) serveNames(names, port, signal);
  return { names, feed, run: () => feed.run(), close };
}
