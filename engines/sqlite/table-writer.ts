import { type Doc, endOfPrefix, type Op } from '../../domain/kernel/ports.js';
import { DocumentColumns, type DocumentRow, storedText } from './documents.js';
import type { Database, Statement } from './driver.js';
import type { Keywords } from './keywords.js';
import { fieldOf, multiTable, quote, type Table, toSql } from './tables.js';

/** Writes the documents of one collection with statements that are prepared once. */
export class TableWriter {
  readonly #select: Statement;
  readonly #insert: Statement;
  readonly #delete: Statement;
  /** By the changed columns, as a bit set. */
  readonly #updates = new Map<number, Statement>();
  readonly #lists: ListWriter | null;
  readonly #columns: DocumentColumns;

  constructor(
    private readonly db: Database,
    private readonly table: Table,
    private readonly keywords: Keywords,
  ) {
    const name = quote(table.name);
    const columns = ['id', 'doc', ...table.columns];
    this.#columns = new DocumentColumns(db, table.name);
    this.#select = db.prepare(`SELECT ${this.#columns.selected('t')} FROM ${name} t WHERE t.id = ?`);
    this.#insert = db.prepare(`INSERT INTO ${name} (${columns.map(quote).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
    this.#delete = db.prepare(`DELETE FROM ${name} WHERE id = ?`);
    this.#lists = table.multi ? new ListWriter(db, table.name, table.multi) : null;
  }

  load(id: string): Doc | undefined {
    const row = this.#select.get(id) as DocumentRow | undefined;
    return row && this.#columns.whole(row, this.keywords);
  }

  idsWithPrefix(prefix: string): string[] {
    const statement = this.db.prepare(`SELECT id FROM ${quote(this.table.name)} WHERE id >= ? AND id < ?`);
    return (statement.all(prefix, endOfPrefix(prefix)) as { id: string }[]).map(({ id }) => id);
  }

  write({ id, before, after }: Op): void {
    if (!after) this.#delete.run(id);
    else if (before) this.#update(id, before, after);
    else this.#insert.run(id, this.#textOf(after), ...this.table.columns.map((c) => this.#valueOf(after, c)));
    this.#lists?.write(id, before, after);
  }

  /** Sets only the changed columns, so that only their indexes are updated. */
  #update(id: string, before: Doc, after: Doc): void {
    const changed: string[] = [];
    let bits = 0;
    this.table.columns.forEach((column, i) => {
      if (before[column] === after[column]) return;
      changed.push(column);
      bits += 2 ** i;
    });
    let statement = this.#updates.get(bits);
    if (!statement) {
      statement = this.db.prepare(`UPDATE ${quote(this.table.name)} SET doc = ?${changed.map((c) => `, ${quote(c)} = ?`).join('')} WHERE id = ?`);
      this.#updates.set(bits, statement);
    }
    statement.run(this.#textOf(after), ...changed.map((c) => this.#valueOf(after, c)), id);
  }

  #textOf(doc: Doc): string {
    return storedText(doc, this.table.columns);
  }

  #valueOf(doc: Doc, column: string): string | number | null {
    if (!this.#columns.isKeyword(column)) return fieldOf(doc, column);
    const value = doc[column];
    if (value === undefined || value === null) return null;
    if (typeof value !== 'string') throw new TypeError(`${this.table.name}.${column} is a keyword, so its values are texts`);
    return this.keywords.numberOf(value);
  }
}

/** Writes the rows of list fields: one per value. */
class ListWriter {
  readonly #insert: Statement;
  readonly #delete: Statement;

  constructor(
    db: Database,
    collection: string,
    private readonly multi: NonNullable<Table['multi']>,
  ) {
    const table = quote(multiTable(collection));
    // SQLite stores true as 1, so both may be the same row.
    this.#insert = db.prepare(`INSERT OR IGNORE INTO ${table} (field, scope, value, ord, id) VALUES (?, ?, ?, ?, ?)`);
    this.#delete = db.prepare(`DELETE FROM ${table} WHERE id = ?`);
  }

  write(id: string, before: Doc | undefined, after: Doc | undefined): void {
    const had = this.#lists(before);
    if (!had && !this.#lists(after)) return;
    const { fields, scope, order } = this.multi;
    if (before && after && [...fields, scope, order].every((f) => JSON.stringify(before[f]) === JSON.stringify(after[f]))) return;
    if (had) this.#delete.run(id);
    if (!after) return;
    for (const field of fields) {
      for (const value of new Set((after[field] as unknown[] | undefined) ?? [])) {
        this.#insert.run(field, fieldOf(after, scope), toSql(value), fieldOf(after, order), id);
      }
    }
  }

  #lists(doc: Doc | undefined): boolean {
    return doc !== undefined && this.multi.fields.some((f) => Array.isArray(doc[f]) && (doc[f] as unknown[]).length > 0);
  }
}
