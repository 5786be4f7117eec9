import { randomBytes } from 'node:crypto';
import type { Checkpoint, DocumentRef, ExpectedRevision, NewEvent, Op, Position, RecordedEvent } from '../../domain/kernel/ports.js';
import { openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import { openSqliteLog } from '../../engines/sqlite/index.js';
import { eventTypes } from '../../log/event-types.js';
import { EventLog } from '../../log/runtime/event-log.js';
import { Vault } from '../../log/vault/vault.js';
import { systemClock } from '../../ops/system/clock.js';
import { systemEntropy } from '../../ops/system/entropy.js';
import { messages } from '../../projections/messages/projection.js';
import { foldPage } from '../../projections/runtime/fold-page.js';
import type { DataFolder } from '../folders.js';

/** The calls of a service to its engines, derived from a real log, to repeat them with any engine. */

/** One append of one event. */
export interface AppendCall {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly event: NewEvent;
}

/** One page of the message history: the documents it loads, and the resulting operations. */
export interface ViewPage {
  readonly to: Position;
  readonly refs: readonly DocumentRef[];
  readonly ops: readonly Op[];
}

const READ_PAGE = 2_000;

/** The first events of the messages in a log, in its order. */
export async function readMessageEvents({ dir }: Pick<DataFolder, 'dir'>, count: number): Promise<readonly RecordedEvent[]> {
  const { events: log } = openSqliteLog({ dir });
  const events: RecordedEvent[] = [];
  for (let after = 'start'; events.length < count; ) {
    const page = await log.readAll(after, READ_PAGE);
    events.push(...page.events.filter(({ stream }) => stream.startsWith('message-')));
    after = page.upTo;
    if (page.caughtUp) break;
  }
  await log.close();
  if (events.length < count) throw new Error(`the log has only ${events.length} of ${count} message events`);
  return events.slice(0, count);
}

/**
 * The appends of these events. Streams and types have other names than those of a service, so that a service over the
 * same log ignores them. Between two appends to a stream there are at least `apart` others, so that fewer concurrent
 * appends never conflict.
 */
export function appendsOf(events: readonly RecordedEvent[], run: string, apart: number): readonly AppendCall[] {
  const seen = new Map<string, { revision: number; at: number }>();
  const appends: AppendCall[] = [];
  for (const { stream, revision, id, type, data, metadata } of events) {
    const before = seen.get(stream);
    // If a stream continues too soon, its remaining events are omitted.
    if (revision !== (before ? before.revision + 1 : 0) || (before && appends.length - before.at < apart)) continue;
    seen.set(stream, { revision, at: appends.length });
    const event = { id, type: `Bench${type}`, data, metadata };
    appends.push({ stream: `bench-${run}-${stream}`, expected: revision === 0 ? 'no-stream' : revision - 1, event });
  }
  return appends;
}

export const sizeOf = (appends: readonly AppendCall[]): number =>
  appends.reduce((sum, { event: { data, metadata } }) => sum + data.length + metadata.length, 0) / appends.length;

/** Folds the events into the message history, in pages of these sizes in turn. */
export async function viewPages(events: readonly RecordedEvent[], sizes: readonly number[]): Promise<readonly ViewPage[]> {
  const writer = await openMemoryViews({ clock: systemClock }).views.writer(messages);
  let refs: DocumentRef[] = [];
  const load = writer.load.bind(writer);
  writer.load = (wanted) => {
    refs.push(...wanted);
    return load(wanted);
  };
  // Only decodes: sealed fields stay sealed, and no key is read.
  const memory = openMemoryLog();
  const log = new EventLog(memory.events, new Vault(randomBytes(32), memory.keys, { clock: systemClock, entropy: systemEntropy }), eventTypes);
  const pages: ViewPage[] = [];
  let at: Checkpoint = 'start';
  let next = 0;
  for (const size of sizes) {
    const part = events.slice(next, next + size).map((recorded) => ({ ...recorded, recorded, decode: () => log.decode(recorded) }));
    const to = (part.at(-1) as RecordedEvent).position;
    const ops = await foldPage(messages, writer, { after: at, upTo: to, events: part, bytes: 0 }, log);
    await writer.commit(at, to, ops);
    pages.push({ to, refs, ops });
    refs = [];
    at = to;
    next += size;
  }
  return pages;
}
