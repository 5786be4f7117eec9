import {
  type Append,
  type AppendPosition,
  type Checkpoint,
  type EventPage,
  type EventStore,
  type ExpectedRevision,
  isWrongRevision,
  type NewEvent,
  PAGE_BYTES,
  PAGE_OVERRUN,
  type Position,
  type ReadOptions,
  type RecordedEvent,
  type WrongExpectedRevision,
} from '../../domain/kernel/ports.js';
import { ChangeChannel, mayInclude } from './change-channel.js';
import { openDatabase, type Statement } from './driver.js';
import { LOG_FILE, positionNumber, rowPositionText } from './files.js';
import { SharedReadTransaction } from './shared-read-transaction.js';
import { RowReader } from './shortened-rows.js';
import { toAppendResults, type Writer } from './writer-client.js';

const PAGE = 1_000;
const COLUMNS = 'position, stream, revision, id, type, data, metadata';

interface Row extends Omit<RecordedEvent, 'position' | 'data' | 'metadata'> {
  position: number;
  data: string;
  metadata: string;
}
/** Field by field: rows come without a prototype, and spreading one costs more than reading it. */
const recorded = ({ position, stream, revision, id, type, data, metadata }: Row): RecordedEvent => ({
  position: rowPositionText(position),
  stream,
  revision,
  id,
  type,
  data,
  metadata,
});

/** The log in `events.db`. Reads go straight to the file in WAL mode and see only what is committed. */
export class SqliteEventStore implements EventStore {
  readonly #read: SharedReadTransaction;
  readonly #channel: ChangeChannel;
  readonly #forwards: Statement;
  readonly #backwards: Statement;
  readonly #exists: Statement;
  readonly #all: Statement;
  readonly #pageEnd: Statement;
  readonly #before: Statement;
  readonly #prefixed: Statement;
  readonly #head: Statement;
  readonly #rows: RowReader;

  constructor(
    dir: string,
    private readonly writer: Writer,
  ) {
    const db = openDatabase(`${dir}/${LOG_FILE}`, { readOnly: true, cacheMb: 8 });
    this.#read = new SharedReadTransaction(db);
    this.#channel = new ChangeChannel(dir);
    this.#forwards = db.prepare(`SELECT ${COLUMNS} FROM events WHERE stream = ? AND revision >= ? ORDER BY revision LIMIT ?`);
    this.#backwards = db.prepare(`SELECT ${COLUMNS} FROM events WHERE stream = ? AND revision <= ? ORDER BY revision DESC LIMIT ?`);
    this.#exists = db.prepare('SELECT 1 FROM events WHERE stream = ? LIMIT 1');
    this.#all = db.prepare(`SELECT ${COLUMNS} FROM events WHERE position > ? ORDER BY position LIMIT ?`);
    this.#before = db.prepare(`SELECT ${COLUMNS} FROM events WHERE position < ? ORDER BY position DESC LIMIT ?`);
    this.#pageEnd = db.prepare(
      `SELECT max(position) AS position FROM (
        SELECT position, sum(size) OVER (ORDER BY position) - size AS before
        FROM (SELECT position, length(data) AS size FROM events WHERE position > ? ORDER BY position LIMIT ?)
      ) WHERE before < ?`,
    );
    this.#prefixed = db.prepare(
      `SELECT ${COLUMNS} FROM events WHERE position > ? AND position <= ? AND substr(stream, 1, ?) = ? ORDER BY position LIMIT ?`,
    );
    this.#head = db.prepare('SELECT max(position) AS position FROM events');
    const texts = db.prepare('SELECT data, metadata FROM events WHERE position = ?');
    this.#rows = new RowReader((position) => texts.get(position) as { data: string; metadata: string });
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendPosition> {
    const [done] = await this.appendAll([[{ stream, expected, events }]]);
    if (isWrongRevision(done)) throw done;
    return done as AppendPosition;
  }

  async appendAll(chains: readonly (readonly Append[])[]): Promise<(AppendPosition | WrongExpectedRevision)[]> {
    for (const chain of chains) {
      if (chain.length === 0) throw new RangeError('a chain must have at least one append');
      for (const { stream, events } of chain) if (events.length === 0) throw new RangeError(`append to ${stream} has no events`);
    }
    return chains.length === 0 ? [] : toAppendResults(chains, await this.writer.submit({ kind: 'append', chains }));
  }

  async read(stream: string, { from, limit = Number.MAX_SAFE_INTEGER, backwards = false }: ReadOptions = {}): Promise<RecordedEvent[] | 'not-found'> {
    const rows = this.#read.read(() =>
      backwards ? this.#backwards.all(stream, from ?? Number.MAX_SAFE_INTEGER, limit) : this.#forwards.all(stream, from ?? 0, limit),
    ) as Row[];
    if (rows.length === 0 && (from === undefined || !this.#read.read(() => this.#exists.get(stream)))) return 'not-found';
    if (backwards) rows.reverse();
    const read = this.#rows.complete(rows).map(recorded);
    return backwards ? read.reverse() : read;
  }

  /** Reads in slices, so that a page of large events stays small in bytes too. */
  async readAll(after: Checkpoint, limit: number, maxBytes = PAGE_BYTES): Promise<EventPage> {
    const events: RecordedEvent[] = [];
    let at = positionNumber(after);
    for (let bytes = 0; events.length < limit && bytes < maxBytes; ) {
      const wanted = Math.min(PAGE_OVERRUN, limit - events.length);
      const rows = this.#all.all(at, wanted) as unknown as Row[];
      for (const row of this.#rows.complete(rows)) {
        events.push(recorded(row));
        bytes += row.data.length;
        at = row.position;
      }
      if (rows.length < wanted) return { events, upTo: events.at(-1)?.position ?? after, caughtUp: true };
    }
    return { events, upTo: events.at(-1)?.position ?? after, caughtUp: (await this.head()) === rowPositionText(at) };
  }

  /** Counts the bytes of rows as they are stored, which may be fewer than those of the whole texts. */
  async pageEnd(after: Checkpoint, limit: number): Promise<Checkpoint> {
    const { position } = this.#pageEnd.get(positionNumber(after), limit, PAGE_BYTES) as { position: number | null };
    return position === null ? after : rowPositionText(position);
  }

  async readBackwards(before: Position | 'end', limit: number): Promise<readonly RecordedEvent[]> {
    const rows = this.#before.all(before === 'end' ? Number.MAX_SAFE_INTEGER : positionNumber(before), limit) as unknown as Row[];
    return this.#rows.complete(rows.reverse()).map(recorded).reverse();
  }

  async head(): Promise<Checkpoint> {
    const { position } = this.#head.get() as { position: number | null };
    return position === null ? 'start' : rowPositionText(position);
  }

  /** Reads page after page: at once while there is more, otherwise when a matching stream is appended to. */
  async *subscribe(after: Checkpoint, signal: AbortSignal, limit = PAGE, streamPrefix?: string): AsyncIterable<EventPage> {
    const read = (at: Checkpoint) => (streamPrefix === undefined ? this.readAll(at, limit) : this.#readPrefix(at, limit, streamPrefix));
    const listener = this.#channel.listen(streamPrefix === undefined ? undefined : mayInclude(streamPrefix));
    try {
      for (let at = after; !signal.aborted; ) {
        const { notified } = listener;
        const page = await read(at);
        at = page.upTo;
        if (page.events.length > 0) yield page;
        if (page.caughtUp) await listener.waitForNext(notified, { signal });
      }
    } finally {
      this.#channel.unlisten(listener);
    }
  }

  /** `upTo` is the head of the log as it was before the read, so that events of other streams are skipped once. */
  #readPrefix(after: Checkpoint, limit: number, prefix: string): EventPage {
    const { position } = this.#head.get() as { position: number | null };
    const rows: Row[] = [];
    let [bytes, more] = [0, false];
    // One more than the limit shows whether there are more.
    const found = this.#prefixed.iterate(positionNumber(after), position ?? 0, prefix.length, prefix, limit + 1);
    for (const row of found as unknown as Iterable<Row>) {
      more = rows.length === limit || bytes >= PAGE_BYTES;
      if (more) break;
      rows.push(row);
      bytes += row.data.length;
    }
    const caughtUp = !more;
    const end = caughtUp ? position : rows.at(-1)?.position;
    return { events: this.#rows.complete(rows).map(recorded), upTo: end ? rowPositionText(end) : after, caughtUp };
  }

  async close(): Promise<void> {
    this.#channel.close();
    this.#read.close();
    await this.writer.close();
  }
}
