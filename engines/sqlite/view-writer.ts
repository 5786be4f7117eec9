import { LRUCache } from 'lru-cache';
import type { Checkpoint, Doc, DocumentRef, Op, Position, ViewSpec, ViewWriter } from '../../domain/kernel/ports.js';
import { type Database, openDatabase, reading, type Statement, transaction } from './driver.js';
import { TableWriter } from './table-writer.js';
import { createIndexes, createTables, scanTable, tableOf } from './tables.js';

/** Documents that were just written are often loaded again by one of the next pages. */
const CACHED_DOCS = 5_000;
/** Cached for a document that is known not to exist. */
const ABSENT: Doc = { id: '' };

/** Writes one generation of one projection: documents and checkpoint in one transaction. */
export class SqliteViewWriter implements ViewWriter {
  readonly #db: Database;
  readonly #tables = new Map<string, TableWriter>();
  readonly #recent = new LRUCache<string, Doc>({ max: CACHED_DOCS });
  readonly #checkpoint: Statement;
  readonly #move: Statement;

  constructor(
    readonly path: string,
    readonly generation: number,
    private readonly spec: ViewSpec,
    private readonly superseded: () => boolean,
    private readonly announce: (position: Position) => void = () => {},
  ) {
    this.#db = openDatabase(path, { cacheMb: 16 });
    transaction(this.#db, () => createTables(this.#db, spec));
    for (const [name, collection] of Object.entries(spec.collections)) this.#tables.set(name, new TableWriter(this.#db, tableOf(name, collection)));
    this.#checkpoint = this.#db.prepare('SELECT checkpoint FROM meta');
    this.#move = this.#db.prepare('UPDATE meta SET checkpoint = ?');
  }

  /** Called before the generation is read. Until then it is only written, which is faster without indexes. */
  createIndexes(): void {
    transaction(this.#db, () => createIndexes(this.#db, this.spec));
  }

  async checkpoint(): Promise<Checkpoint> {
    return this.#readCheckpoint();
  }

  async load(refs: readonly DocumentRef[]): Promise<(Doc | undefined)[]> {
    return reading(this.#db, () => this.#load(refs));
  }

  #load(refs: readonly DocumentRef[]): (Doc | undefined)[] {
    return refs.map(({ collection, id }) => {
      const key = `${collection}/${id}`;
      const cached = this.#recent.get(key);
      if (cached) return cached === ABSENT ? undefined : cached;
      const doc = this.#table(collection).load(id);
      // This is the only writer, so the document stays absent. Most messages have no webhook, at each of their events.
      if (!doc) this.#recent.set(key, ABSENT);
      return doc;
    });
  }

  async commit(from: Checkpoint, to: Position, ops: readonly Op[]): Promise<'ok' | 'mismatch'> {
    if (this.superseded()) return 'mismatch';
    try {
      const done = transaction(this.#db, () => {
        if (this.#readCheckpoint() !== from) return false;
        for (const op of ops) this.#write(op);
        this.#move.run(to);
        return true;
      });
      if (done) this.announce(to);
      // Another writer committed: the cache may be stale.
      else this.#recent.clear();
      return done ? 'ok' : 'mismatch';
    } catch (e) {
      this.#recent.clear();
      throw e;
    }
  }

  skipTo(position: Position): void {
    this.announce(position);
  }

  scan(collection: string): AsyncIterable<Doc> {
    return scanTable(this.#db, collection);
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  #readCheckpoint(): Checkpoint {
    return (this.#checkpoint.get() as { checkpoint: string }).checkpoint;
  }

  #write(op: Op): void {
    this.#table(op.collection).write(op);
    this.#recent.set(`${op.collection}/${op.id}`, op.after ?? ABSENT);
  }

  #table(collection: string): TableWriter {
    const table = this.#tables.get(collection);
    if (!table) throw new Error(`no collection ${collection}`);
    return table;
  }
}
