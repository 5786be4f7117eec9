import type { Doc, Op } from '../../domain/kernel/ports.js';
import type { Database, Statement } from './driver.js';
import { fieldOf, multiTable, quote, type Table, toSql } from './tables.js';

/** Writes the documents of one collection with statements that are prepared once. */
export class TableWriter {
  readonly #select: Statement;
  readonly #insert: Statement;
  readonly #delete: Statement;
  /** By the changed columns, as a bit set. */
  readonly #updates = new Map<number, Statement>();
  readonly #lists: ListWriter | null;

  constructor(
    private readonly db: Database,
    private readonly table: Table,
  ) {
    const name = quote(table.name);
    const columns = ['id', 'doc', ...table.columns];
    this.#select = db.prepare(`SELECT doc FROM ${name} WHERE id = ?`);
    this.#insert = db.prepare(`INSERT INTO ${name} (${columns.map(quote).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`);
    this.#delete = db.prepare(`DELETE FROM ${name} WHERE id = ?`);
    this.#lists = table.multi ? new ListWriter(db, table.name, table.multi) : null;
  }

  load(id: string): Doc | undefined {
    const row = this.#select.get(id) as { doc: string } | undefined;
    return row && (JSON.parse(row.doc) as Doc);
  }

  write({ id, before, after }: Op): void {
    if (!after) this.#delete.run(id);
    else if (before) this.#update(id, before, after);
    else this.#insert.run(id, JSON.stringify(after), ...this.table.columns.map((c) => fieldOf(after, c)));
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
    statement.run(JSON.stringify(after), ...changed.map((c) => fieldOf(after, c)), id);
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
