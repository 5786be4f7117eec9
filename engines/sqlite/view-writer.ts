import { LRUCache } from 'lru-cache';
import type { Doc, From, Op, Position, Ref, ViewSpec, ViewWriter } from '../../domain/kernel/ports.js';
import { type Database, openDatabase, type Statement, transaction } from './driver.js';
import { createTables, fieldOf, multiTable, quote, scanTable, type Table, tableOf, toSql } from './tables.js';

/** Documents that were just written are most often asked for again by one of the next pages. */
const CACHED_DOCS = 20_000;
/** Stands in the cache for a document that is known not to exist. */
const ABSENT: Doc = { id: '' };

/** Writes one generation of one projection: documents and checkpoint in one transaction. */
export class SqliteViewWriter implements ViewWriter {
  readonly #db: Database;
  readonly #tables = new Map<string, Table>();
  readonly #statements = new Map<string, Statement>();
  readonly #recent = new LRUCache<string, Doc>({ max: CACHED_DOCS });
  readonly #checkpoint: Statement;
  readonly #move: Statement;

  constructor(
    readonly path: string,
    readonly generation: number,
    spec: ViewSpec,
    private readonly superseded: () => boolean,
    private readonly onCommit: (position: Position) => void = () => {},
  ) {
    this.#db = openDatabase(path, { cacheMb: 32 });
    transaction(this.#db, () => createTables(this.#db, spec));
    for (const [name, collection] of Object.entries(spec.collections)) this.#tables.set(name, tableOf(name, collection));
    this.#checkpoint = this.#db.prepare('SELECT checkpoint FROM meta');
    this.#move = this.#db.prepare('UPDATE meta SET checkpoint = ?');
  }

  async checkpoint(): Promise<From> {
    return this.#readCheckpoint();
  }

  async load(refs: readonly Ref[]): Promise<(Doc | undefined)[]> {
    return refs.map(({ collection, id }) => {
      const key = `${collection}/${id}`;
      const cached = this.#recent.get(key);
      if (cached) return cached === ABSENT ? undefined : cached;
      const row = this.#statement(`SELECT doc FROM ${quote(collection)} WHERE id = ?`).get(id) as { doc: string } | undefined;
      if (row) return JSON.parse(row.doc) as Doc;
      // Being the only writer, this one knows that it stays so: most messages have no webhook, at each of their events.
      this.#recent.set(key, ABSENT);
      return undefined;
    });
  }

  async commit(from: From, to: Position, ops: readonly Op[]): Promise<'ok' | 'mismatch'> {
    if (this.superseded()) return 'mismatch';
    try {
      const done = transaction(this.#db, () => {
        if (this.#readCheckpoint() !== from) return false;
        for (const op of ops) this.#write(op);
        this.#move.run(to);
        return true;
      });
      if (done) this.onCommit(to);
      // Somebody else wrote: what is remembered here may be out of date.
      else this.#recent.clear();
      return done ? 'ok' : 'mismatch';
    } catch (e) {
      this.#recent.clear();
      throw e;
    }
  }

  scan(collection: string): AsyncIterable<Doc> {
    return scanTable(this.#db, collection);
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  #readCheckpoint(): From {
    return (this.#checkpoint.get() as { checkpoint: string }).checkpoint;
  }

  #write({ collection, id, before, after }: Op): void {
    const table = this.#tables.get(collection);
    if (!table) throw new Error(`no collection ${collection}`);
    if (!after) {
      this.#statement(`DELETE FROM ${quote(collection)} WHERE id = ?`).run(id);
      this.#recent.set(`${collection}/${id}`, ABSENT);
    } else {
      if (before) this.#update(table, id, before, after);
      else this.#insert(table, id, after);
      this.#recent.set(`${collection}/${id}`, after);
    }
    if (table.multi) this.#writeMulti(table, id, before, after);
  }

  #insert(table: Table, id: string, doc: Doc): void {
    const columns = ['id', 'doc', ...table.columns];
    const sql = `INSERT INTO ${quote(table.name)} (${columns.map(quote).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
    this.#statement(sql).run(id, JSON.stringify(doc), ...table.columns.map((c) => fieldOf(doc, c)));
  }

  /** Names only the columns that changed, so that only their indexes are touched. */
  #update(table: Table, id: string, before: Doc, after: Doc): void {
    const changed = table.columns.filter((c) => before[c] !== after[c]);
    const sql = `UPDATE ${quote(table.name)} SET doc = ?${changed.map((c) => `, ${quote(c)} = ?`).join('')} WHERE id = ?`;
    this.#statement(sql).run(JSON.stringify(after), ...changed.map((c) => fieldOf(after, c)), id);
  }

  #writeMulti({ name, multi }: Table, id: string, before: Doc | undefined, after: Doc | undefined): void {
    if (!multi) return;
    const { fields, scope, order } = multi;
    const listed = (doc: Doc | undefined) => (doc ? fields.some((f) => Array.isArray(doc[f]) && (doc[f] as unknown[]).length > 0) : false);
    const same = before && after && [...fields, scope, order].every((f) => JSON.stringify(before[f]) === JSON.stringify(after[f]));
    if (same || (!listed(before) && !listed(after))) return;
    const table = quote(multiTable(name));
    if (listed(before)) this.#statement(`DELETE FROM ${table} WHERE id = ?`).run(id);
    if (!after) return;
    const insert = this.#statement(`INSERT INTO ${table} (field, scope, value, ord, id) VALUES (?, ?, ?, ?, ?)`);
    for (const field of fields) {
      for (const value of new Set((after[field] as unknown[] | undefined) ?? [])) {
        insert.run(field, fieldOf(after, scope), toSql(value), fieldOf(after, order), id);
      }
    }
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
