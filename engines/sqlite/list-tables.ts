/**
 * The values of list fields, such as the tags of a contact: one row per value, by which queries find documents.
 *
 * The rows are in blocks of neighbors in the order in which queries return documents. A document that is new has its rows in the last
 * block of its scope, so that a commit writes few pages however many documents there are: values such as hashes are spread over a whole
 * table. A query looks for its value in block after block, which is one lookup for each.
 */
import type { Doc, ViewSpec } from '../../domain/kernel/ports.js';
import type { Database, Statement } from './driver.js';
import { LegacyListWriter, legacyListTable } from './legacy-list-tables.js';
import { fieldOf, hasTable, quote, type SqlValue, type Table, toSql } from './tables.js';

/** Rows of a block, of which more are added only where documents come out of order. A query has one lookup per block. */
const BLOCK_ROWS = 100_000;
/** Tried again after so many rows where a full block cannot be ended, since another writer is ahead. */
const TRY_AGAIN_ROWS = 1_000;
/** Stands for a scope or an order that a document lacks, and for the start of the first block. Like null it comes before all values. */
const NO_VALUE = -Infinity;
const NO_VALUE_SQL = '-9e999';

const listTable = (collection: string): string => `${collection}__lists`;
const blockTable = (collection: string): string => `${collection}__blocks`;

/** Creates the tables of all list fields. A generation of an earlier release keeps its own. */
export function createListTables(db: Database, { collections }: ViewSpec): void {
  const blocks = 'block INTEGER PRIMARY KEY, scope NOT NULL, start NOT NULL, UNIQUE (scope, start)';
  const key = 'field, block, value, ord, id';
  const rows = `field TEXT NOT NULL, block INTEGER NOT NULL, value NOT NULL, ord NOT NULL, id TEXT NOT NULL, PRIMARY KEY (${key})`;
  for (const [name, { multi }] of Object.entries(collections)) {
    if (!multi || hasTable(db, legacyListTable(name))) continue;
    db.exec(`CREATE TABLE IF NOT EXISTS ${quote(blockTable(name))} (${blocks})`);
    db.exec(`CREATE TABLE IF NOT EXISTS ${quote(listTable(name))} (${rows}) WITHOUT ROWID`);
  }
}

/** Where a query finds the rows of list fields: each row `m` belongs to one document. */
export interface ListSource {
  readonly table: string;
  readonly from: string;
  /** The column that has the scope. */
  readonly scope: string;
  /** The column of the start of a row's block, at which or after which its document is; null where there are no blocks. */
  readonly start: string | null;
  /** The condition that a row `x` is one of the document of `m`. */
  readonly isOfDocument: string;
  /** The condition that the document of `m` has an order. */
  readonly hasOrder: string;
}

/** `exists`: whether the generation has a table. */
export function listSource(collection: string, exists: (table: string) => boolean): ListSource {
  if (exists(legacyListTable(collection))) {
    const table = quote(legacyListTable(collection));
    return { table, from: `${table} m`, scope: 'm.scope', start: null, isOfDocument: 'x.id = m.id', hasOrder: 'm.ord IS NOT NULL' };
  }
  const table = quote(listTable(collection));
  return {
    table,
    from: `${quote(blockTable(collection))} b CROSS JOIN ${table} m ON m.block = b.block`,
    scope: 'b.scope',
    start: 'b.start',
    isOfDocument: 'x.block = m.block AND x.ord = m.ord AND x.id = m.id',
    hasOrder: `m.ord > ${NO_VALUE_SQL}`,
  };
}

type ListRow = readonly [field: string, value: SqlValue];

/** Writes the rows of list fields. Rows that a change leaves alone are not touched. */
export class ListWriter {
  readonly #insert: Statement;
  readonly #delete: Statement;
  readonly #blockAt: Statement;
  readonly #startBlock: Statement;
  readonly #countRows: Statement;
  readonly #comesAfter: Statement;
  /** By block, of those that this writer has asked for: the last ones of scopes. */
  readonly #rows = new Map<number, number>();

  constructor(
    db: Database,
    collection: string,
    private readonly multi: NonNullable<Table['multi']>,
    private readonly blockRows = BLOCK_ROWS,
  ) {
    const [table, blocks] = [quote(listTable(collection)), quote(blockTable(collection))];
    const ofFields = `field IN (${multi.fields.map(() => '?').join(', ')})`;
    this.#insert = db.prepare(`INSERT INTO ${table} (field, block, value, ord, id) VALUES (?, ?, ?, ?, ?)`);
    this.#delete = db.prepare(`DELETE FROM ${table} WHERE field = ? AND block = ? AND value = ? AND ord = ? AND id = ?`);
    this.#blockAt = db.prepare(`SELECT block, NOT EXISTS (SELECT 1 FROM ${blocks} l WHERE l.scope = b.scope AND l.start > b.start) AS is_last
      FROM ${blocks} b WHERE scope = ? AND start <= ? ORDER BY start DESC LIMIT 1`);
    this.#startBlock = db.prepare(`INSERT INTO ${blocks} (scope, start) VALUES (?, ?) RETURNING block`);
    this.#countRows = db.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${ofFields} AND block = ?`);
    this.#comesAfter = db.prepare(`SELECT max(ord) < ? AS is_after FROM ${table} WHERE ${ofFields} AND block = ?`);
  }

  write(id: string, before: Doc | undefined, after: Doc | undefined): void {
    const { fields, scope, order } = this.multi;
    const stays = before?.[scope] === after?.[scope] && before?.[order] === after?.[order];
    const removed: ListRow[] = [];
    const added: ListRow[] = [];
    for (const field of fields) {
      if (stays && before?.[field] === after?.[field]) continue;
      const had = valuesOf(before, field);
      const has = valuesOf(after, field);
      for (const value of stays ? without(had, has) : had) removed.push([field, value]);
      for (const value of stays ? without(has, had) : has) added.push([field, value]);
    }
    if (before && removed.length > 0) this.#remove(before, removed, id);
    if (after && added.length > 0) this.#add(after, added, id);
  }

  #remove(doc: Doc, rows: readonly ListRow[], id: string): void {
    const { scope, order } = this.#placeOf(doc);
    const { block } = this.#blockOf(scope, order);
    for (const [field, value] of rows) this.#delete.run(field, block, value, order, id);
    this.#count(block, -rows.length);
  }

  #add(doc: Doc, rows: readonly ListRow[], id: string): void {
    const { scope, order } = this.#placeOf(doc);
    const block = this.#blockWithRoom(scope, order);
    for (const [field, value] of rows) this.#insert.run(field, block, value, order, id);
    this.#count(block, rows.length);
  }

  #placeOf(doc: Doc): { readonly scope: string | number; readonly order: string | number } {
    return { scope: fieldOf(doc, this.multi.scope) ?? NO_VALUE, order: fieldOf(doc, this.multi.order) ?? NO_VALUE };
  }

  #blockOf(scope: string | number, order: string | number): { readonly block: number; readonly is_last: number } {
    const found = this.#blockAt.get(scope, order) as { block: number; is_last: number } | undefined;
    return found ?? { block: this.#start(scope, NO_VALUE), is_last: 1 };
  }

  /** The last block, when it is full, is followed by another one, which begins with a document that comes after all of it. */
  #blockWithRoom(scope: string | number, order: string | number): number {
    const { block, is_last } = this.#blockOf(scope, order);
    if (!is_last || this.#rowsOf(block) < this.blockRows) return block;
    const { is_after } = this.#comesAfter.get(order, ...this.multi.fields, block) as { is_after: number | null };
    if (is_after) return this.#start(scope, order);
    this.#rows.set(block, this.blockRows - Math.min(TRY_AGAIN_ROWS, this.blockRows / 2));
    return block;
  }

  #start(scope: string | number, start: string | number): number {
    return (this.#startBlock.get(scope, start) as { block: number }).block;
  }

  #count(block: number, rows: number): void {
    const known = this.#rows.get(block);
    if (known !== undefined) this.#rows.set(block, known + rows);
  }

  #rowsOf(block: number): number {
    const known = this.#rows.get(block) ?? (this.#countRows.get(...this.multi.fields, block) as { n: number }).n;
    this.#rows.set(block, known);
    return known;
  }
}

/** The writer of the list fields of a collection, as the file has them. */
export const listWriter = (db: Database, collection: string, multi: NonNullable<Table['multi']>): Pick<ListWriter, 'write'> =>
  hasTable(db, legacyListTable(collection)) ? new LegacyListWriter(db, collection, multi) : new ListWriter(db, collection, multi);

const NO_VALUES: ReadonlySet<SqlValue> = new Set();

/** As SQLite stores them, each once: it stores true as 1. */
function valuesOf(doc: Doc | undefined, field: string): ReadonlySet<SqlValue> {
  const list = doc?.[field];
  return Array.isArray(list) && list.length > 0 ? new Set(list.flatMap((value) => toSql(value) ?? [])) : NO_VALUES;
}

const without = (values: ReadonlySet<SqlValue>, left: ReadonlySet<SqlValue>): SqlValue[] => [...values].filter((value) => !left.has(value));
