import { type Checkpoint, isAfter, type Position, type RecordedEvent } from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { Metadata } from '../../log/runtime/log-event.js';

/** One line of an export. */
export interface EventRow {
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  /** Sealed: as stored. Open: upcast to the current version of its type. */
  readonly data: unknown;
  readonly metadata: Metadata;
}

/** Which events; all if empty. */
export interface EventFilter {
  readonly stream?: string | undefined;
  readonly type?: string | undefined;
  /** Only events after this position. */
  readonly after?: Checkpoint | undefined;
}

export interface ReadEventsOptions extends EventFilter {
  /** Opens personal fields. Erased ones read `<erased>`. */
  readonly open?: boolean | undefined;
  readonly signal: AbortSignal;
  /** Called after each page of the log. */
  readonly onPage?: ((upTo: Checkpoint) => void) | undefined;
}

const PAGE = 1_000;

/** All matching events up to the end of the log, including those appended meanwhile. */
export async function* exportEvents(log: EventLog, { after = 'start', signal, onPage, ...reading }: ReadEventsOptions): AsyncIterable<EventRow> {
  for (let at: Checkpoint = after; !signal.aborted; ) {
    const page = await log.store.readAll(at, PAGE);
    yield* await toRows(log, page.events.filter(matches(reading)), reading.open);
    onPage?.(page.upTo);
    if (page.caughtUp) return;
    at = page.upTo;
  }
}

/** The `last` matching events and then, with `follow`, new ones until the signal aborts. */
export async function* tailEvents(
  log: EventLog,
  options: ReadEventsOptions & { readonly last: number; readonly follow: boolean },
): AsyncIterable<EventRow> {
  const { last, follow, signal, open } = options;
  const { events, upTo } = await lastEvents(log, options.after ?? 'start', last, matches(options));
  yield* await toRows(log, events, open);
  if (!follow) return;
  for await (const page of log.store.subscribe(upTo, signal, PAGE)) yield* await toRows(log, page.events.filter(matches(options)), open);
}

export interface EventCount {
  readonly events: number;
  /** The position of the last event of the log, or 'start'. */
  readonly head: Checkpoint;
  readonly by_type: Readonly<Record<string, number>>;
}

/** Counts events without decoding them. */
export async function countEvents(log: EventLog, { after = 'start', signal, onPage, ...selection }: ReadEventsOptions): Promise<EventCount> {
  const byType = new Map<string, number>();
  let events = 0;
  let at: Checkpoint = after;
  for (let done = false; !done && !signal.aborted; ) {
    const page = await log.store.readAll(at, PAGE);
    for (const { type } of page.events.filter(matches(selection))) {
      byType.set(type, (byType.get(type) ?? 0) + 1);
      events += 1;
    }
    at = page.upTo;
    onPage?.(at);
    done = page.caughtUp;
  }
  const sorted = [...byType].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  return { events, head: at, by_type: Object.fromEntries(sorted) };
}

const matches =
  ({ stream, type }: EventFilter) =>
  (event: RecordedEvent): boolean =>
    (stream === undefined || event.stream === stream) && (type === undefined || event.type === type);

async function toRows(log: EventLog, events: readonly RecordedEvent[], open = false): Promise<EventRow[]> {
  if (!open) return events.map(({ data, metadata, ...event }) => ({ ...event, data: JSON.parse(data), metadata: JSON.parse(metadata) }));
  const opened = await log.open(events.map((event) => log.decode(event)));
  return opened.map(({ event, meta, stream, revision, position, id }) => ({
    ...{ position, stream, revision, id, type: event.type, data: event.data },
    metadata: meta,
  }));
}

/** The last matching events after a position, the oldest first, and how far the log was read. */
async function lastEvents(
  log: EventLog,
  after: Checkpoint,
  last: number,
  wanted: (event: RecordedEvent) => boolean,
): Promise<{ events: readonly RecordedEvent[]; upTo: Checkpoint }> {
  const head = await log.store.head();
  const upTo = isAfter(after, head) ? after : head;
  const found: RecordedEvent[] = [];
  for (let before: Position | 'end' = 'end'; found.length < last; ) {
    const page = await log.store.readBackwards(before, PAGE);
    // What was appended since the head was read is for those who follow the log.
    const inRange = page.filter(({ position }) => isAfter(position, after) && !isAfter(position, head));
    found.push(...inRange.filter(wanted));
    const oldest = page.at(-1);
    if (!oldest || !isAfter(oldest.position, after)) break;
    before = oldest.position;
  }
  return { events: found.slice(0, last).reverse(), upTo };
}
