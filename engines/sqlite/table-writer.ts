import { type Doc, endOfPrefix, type Op } from '../../domain/kernel/ports.js';
import { DocumentColumns, type DocumentRow, storedText } from './documents.js';
import type { Database, Statement } from './driver.js';
import type { Keywords } from './keywords.js';
import { listWriter } from './list-tables.js';
import { fieldOf, quote, type Table } from './tables.js';

/** Writes the documents of one collection with statements that are prepared once. */
export class TableWriter {
  readonly #select: Statement;
  readonly #insert: Statement;
  readonly #delete: Statement;
  /** By the changed columns, as a bit set. */
  readonly #updates = new Map<number, Statement>();
  readonly #lists: ReturnType<typeof listWriter> | null;
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
    this.#lists = table.multi ? listWriter(db, table.name, table.multi) : null;
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
