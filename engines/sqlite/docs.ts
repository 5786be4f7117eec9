import { existsSync } from 'node:fs';
import type { Checkpoint, CollectionSpec, Doc, Docs, Find, FoundPage, Value, ViewSpec } from '../../domain/kernel/ports.js';
import type { SqliteCatalog } from './catalog.js';
import { DocumentColumns, type DocumentRow } from './documents.js';
import { type Database, openDatabase, type Statement } from './driver.js';
import { KEYWORD_NUMBER, Keywords } from './keywords.js';
import { type ListSource, listSource } from './list-tables.js';
import { SharedReadTransaction } from './shared-read-transaction.js';
import { quote, type SqlValue, toSql } from './tables.js';

/** Queries differ only by the fields they name, so there are few; this guards against a mistake. */
const MAX_STATEMENTS = 500;

/** Reads one generation of a projection. */
class GenerationReader {
  readonly #db: Database;
  readonly #read: SharedReadTransaction;
  readonly #statements = new Map<string, Statement>();
  readonly #columns = new Map<string, DocumentColumns>();
  readonly #lists = new Map<string, ListSource>();
  readonly keywords: Keywords;
  #divided: boolean | null = null;

  constructor(
    path: string,
    readonly generation: number,
  ) {
    this.#db = openDatabase(path, { readOnly: true, cacheMb: 8 });
    this.#read = new SharedReadTransaction(this.#db);
    this.keywords = new Keywords(this.#db);
  }

  get(sql: string, ...values: SqlValue[]): unknown {
    const statement = this.#statement(sql);
    return this.#read.read(() => statement.get(...values));
  }

  all(sql: string, ...values: SqlValue[]): unknown[] {
    const statement = this.#statement(sql);
    return this.#read.read(() => statement.all(...values));
  }

  /** Calls `take` with row after row until it returns false. Returns whether it did. */
  each(sql: string, values: readonly SqlValue[], take: (row: unknown) => boolean): boolean {
    const statement = this.#statement(sql);
    return this.#read.read(() => {
      for (const row of statement.iterate(...values)) if (!take(row)) return true;
      return false;
    });
  }

  #statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Whether this generation has the collection: one of an older version may not. */
  has(collection: string): boolean {
    return this.columnsOf(collection).exist;
  }

  /** A generation of an older version may lack a column that today's queries name; its documents still have the field. */
  field(collection: string, field: string): string {
    return this.columnsOf(collection).has(field) ? `t.${quote(field)}` : `json_extract(t.doc, ${`'$.${field.replaceAll("'", "''")}'`})`;
  }

  columnsOf(collection: string): DocumentColumns {
    let columns = this.#columns.get(collection);
    if (!columns) {
      columns = new DocumentColumns(this.#db, collection);
      if (columns.exist) this.#columns.set(collection, columns);
    }
    return columns;
  }

  listsOf(collection: string): ListSource {
    let source = this.#lists.get(collection);
    if (!source) {
      source = listSource(collection, (table) => this.columnsOf(table).exist);
      this.#lists.set(collection, source);
    }
    return source;
  }

  /** Ends the shared read transaction first, so that the checkpoints are the current ones. */
  checkpointsNow(): readonly Checkpoint[] {
    this.#read.end();
    return this.checkpoints();
  }

  /** By partition. */
  checkpoints(): readonly Checkpoint[] {
    this.#divided ??= this.columnsOf('partitions').exist;
    const sql = this.#divided ? 'SELECT checkpoint FROM partitions ORDER BY partition' : 'SELECT checkpoint FROM meta';
    return (this.all(sql) as { checkpoint: string }[]).map(({ checkpoint }) => checkpoint);
  }

  close(): void {
    this.#read.close();
  }
}

/** Keeps a reader of the active generation of each projection, and replaces it when another one is promoted. */
export class GenerationReaders {
  readonly #open = new Map<string, GenerationReader>();

  constructor(private readonly catalog: SqliteCatalog) {}

  /** Null while the projection has no tables yet. */
  of(name: string): GenerationReader | null {
    const open = this.#open.get(name);
    if (open && open.generation >= this.catalog.recentGeneration(name)) return open;
    // The file of one that was replaced a moment ago may be gone.
    const generation = this.catalog.row(name)?.generation;
    if (generation === undefined) return null;
    const path = this.catalog.path(name, generation);
    if (!existsSync(path)) return null;
    const reading = new GenerationReader(path, generation);
    // The writer creates the file first and then all tables in one transaction.
    if (!reading.has('meta')) {
      reading.close();
      return null;
    }
    open?.close();
    this.#open.set(name, reading);
    return reading;
  }

  close(): void {
    for (const reading of this.#open.values()) reading.close();
    this.#open.clear();
  }
}

interface WhereClause {
  readonly from: string;
  readonly sql: string;
  readonly values: SqlValue[];
}

/** The documents of one collection. */
export class SqliteDocs<D extends Doc> implements Docs<D> {
  readonly #multi: CollectionSpec['multi'];

  constructor(
    private readonly readers: GenerationReaders,
    private readonly spec: ViewSpec,
    private readonly collection: string,
  ) {
    this.#multi = spec.collections[collection]?.multi;
  }

  async get(id: string): Promise<D | undefined> {
    const reading = this.#reading();
    if (!reading) return undefined;
    const columns = reading.columnsOf(this.collection);
    const row = reading.get(`SELECT ${columns.selected('t')} FROM ${quote(this.collection)} t WHERE t.id = ?`, id) as DocumentRow | undefined;
    return row && (columns.whole(row, reading.keywords) as D);
  }

  async getMany(ids: readonly string[]): Promise<(D | undefined)[]> {
    const reading = this.#reading();
    if (!reading || ids.length === 0) return ids.map(() => undefined);
    const columns = reading.columnsOf(this.collection);
    const sql = `SELECT ${columns.selected('t')} FROM json_each(?) asked JOIN ${quote(this.collection)} t ON t.id = asked.value`;
    const rows = reading.all(sql, JSON.stringify(ids)) as DocumentRow[];
    const byId = new Map(rows.map((row) => [row.id, columns.whole(row, reading.keywords) as D]));
    return ids.map((id) => byId.get(id));
  }

  async find(query: Find): Promise<D[]> {
    const reading = this.#reading();
    if (!reading) return [];
    const { sql, values } = this.#select(reading, query);
    const columns = reading.columnsOf(this.collection);
    return (reading.all(sql, ...values) as DocumentRow[]).map((row) => columns.whole(row, reading.keywords) as D);
  }

  async findPage(query: Find, maxBytes: number): Promise<FoundPage<D>> {
    const reading = this.#reading();
    const docs: D[] = [];
    let bytes = 0;
    if (!reading) return { docs, bytes, cut: false };
    const { sql, values } = this.#select(reading, query);
    const columns = reading.columnsOf(this.collection);
    const cut = reading.each(sql, values, (row) => {
      if (bytes >= maxBytes) return false;
      docs.push(columns.whole(row as DocumentRow, reading.keywords) as D);
      bytes += columns.lengthOf(row as DocumentRow);
      return true;
    });
    return { docs, bytes, cut };
  }

  #select(reading: GenerationReader, { where, range, order, limit }: Find): { readonly sql: string; readonly values: readonly SqlValue[] } {
    const { from, sql, values } = this.#where(reading, where, range);
    const columns = order ? this.#orderColumns(reading, order.field, where) : [];
    const ordered = columns.length > 0 ? ` ORDER BY ${columns.map((one) => `${one} ${order?.descending ? 'DESC' : 'ASC'}`).join(', ')}` : '';
    return { sql: `SELECT ${reading.columnsOf(this.collection).selected('t')} FROM ${from}${sql}${ordered} LIMIT ?`, values: [...values, limit] };
  }

  async count(where: Find['where'], { range, limit }: Parameters<Docs['count']>[1] = {}): Promise<number> {
    const reading = this.#reading();
    if (!reading) return 0;
    const { from, sql, values } = this.#where(reading, where, range);
    const [counted, all] = limit === undefined ? [`${from}${sql}`, values] : [`(SELECT 1 FROM ${from}${sql} LIMIT ?)`, [...values, limit]];
    return (reading.get(`SELECT count(*) AS n FROM ${counted}`, ...all) as { n: number }).n;
  }

  /** Skips from value to value in the index: costs one lookup per value, not per document. */
  async distinct(field: string): Promise<Value[]> {
    const reading = this.#reading();
    if (!reading) return [];
    const column = reading.field(this.collection, field);
    const next = `SELECT min(${column}) AS value FROM ${quote(this.collection)} t WHERE ${column} > ?`;
    const values: Value[] = [];
    // SQLite orders numbers before texts, so the empty text would skip them: start below both.
    const isKeyword = reading.columnsOf(this.collection).isKeyword(field);
    for (let after: Value = -Infinity; ; ) {
      const { value } = reading.get(next, toSql(after)) as { value: Value };
      if (value === null) return values;
      values.push(isKeyword ? reading.keywords.textOf(value as number) : value);
      after = value;
    }
  }

  /** Null where the projection or the collection does not exist yet. */
  #reading(): GenerationReader | null {
    const reading = this.readers.of(this.spec.name);
    return reading?.has(this.collection) ? reading : null;
  }

  #where(reading: GenerationReader, where: Find['where'], range?: Find['range']): WhereClause {
    const values: SqlValue[] = [];
    const conditions: string[] = [];
    let from = `${quote(this.collection)} t`;
    const multiField = this.#multiFieldIn(where);
    const lists = reading.listsOf(this.collection);
    if (multiField) {
      from = `${lists.from} CROSS JOIN ${quote(this.collection)} t ON t.id = m.id`;
      conditions.push('m.field = ?', 'm.value = ?');
      values.push(multiField, toSql(where[multiField]));
    }
    for (const [field, value] of Object.entries(where)) {
      if (field === multiField) continue;
      const column = this.#multi?.fields.includes(field) ? null : this.#field(reading, field, value === null ? {} : where);
      if (column === null) {
        conditions.push(`EXISTS (SELECT 1 FROM ${lists.table} x WHERE ${lists.isOfDocument} AND x.field = ? AND x.value = ?)`);
        values.push(field, toSql(value));
      } else if (value === null) conditions.push(`${column} IS NULL`);
      else {
        conditions.push(`${column} = ${this.#placeholder(reading, field, column)}`);
        values.push(toSql(value));
      }
    }
    if (range) this.#addRange(reading, where, range, conditions, values);
    return { from, sql: conditions.length > 0 ? ` WHERE ${conditions.join(' AND ')}` : '', values };
  }

  #addRange(reading: GenerationReader, where: Find['where'], range: NonNullable<Find['range']>, conditions: string[], values: SqlValue[]): void {
    const column = this.#field(reading, range.field, where);
    const lists = reading.listsOf(this.collection);
    const isOfList = column === LIST_ORDER;
    // Comparisons exclude null; a range without bounds has none.
    conditions.push(isOfList ? lists.hasOrder : `${column} IS NOT NULL`);
    for (const [bound, operator] of BOUNDS) {
      const value = range[bound];
      if (value === undefined) continue;
      const isUpper = bound === 'lt' || bound === 'lte';
      for (const one of isOfList && isUpper && lists.start ? [lists.start, column] : [column]) {
        conditions.push(`${one} ${operator} ?`);
        values.push(toSql(value));
      }
    }
  }

  /** Of a value that a column is compared with. */
  #placeholder(reading: GenerationReader, field: string, column: string): string {
    return column.startsWith('t.') && reading.columnsOf(this.collection).isKeyword(field) ? KEYWORD_NUMBER : '?';
  }

  /** Blocks of one scope come one after the other. */
  #orderColumns(reading: GenerationReader, field: string, where: Find['where']): readonly string[] {
    const column = this.#field(reading, field, where);
    const { start } = reading.listsOf(this.collection);
    const isOfOneScope = this.#multi !== undefined && (where[this.#multi.scope] ?? null) !== null;
    return column === LIST_ORDER && start !== null && isOfOneScope ? [start, column] : [column];
  }

  #multiFieldIn(where: Find['where']): string | undefined {
    return this.#multi?.fields.find((field) => field in where);
  }

  /** The rows of list fields have scope and order, too, so that the join is one index scan. */
  #field(reading: GenerationReader, field: string, where: Find['where']): string {
    if (this.#multiFieldIn(where)) {
      if (field === this.#multi?.scope) return reading.listsOf(this.collection).scope;
      if (field === this.#multi?.order) return LIST_ORDER;
    }
    return field === 'id' ? 't.id' : reading.field(this.collection, field);
  }
}

const LIST_ORDER = 'm.ord';

const BOUNDS = [
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
] as const;
