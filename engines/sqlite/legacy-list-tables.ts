/** The values of list fields in generations that earlier releases have built: one table, with an index over all of it. */
import type { Doc, ViewSpec } from '../../domain/kernel/ports.js';
import type { Database, Statement } from './driver.js';
import { fieldOf, hasTable, quote, type Table, toSql } from './tables.js';

export const legacyListTable = (collection: string): string => `${collection}__multi`;

/** A generation whose building was interrupted by the upgrade lacks the index. */
export function indexLegacyLists(db: Database, { collections }: ViewSpec): void {
  for (const collection of Object.keys(collections)) {
    const table = legacyListTable(collection);
    if (hasTable(db, table)) db.exec(`CREATE INDEX IF NOT EXISTS ${quote(`${table}_find`)} ON ${quote(table)} (field, scope, value, ord)`);
  }
}

/** Writes the rows of list fields: those of a document anew where any has changed. */
export class LegacyListWriter {
  readonly #insert: Statement;
  readonly #delete: Statement;

  constructor(
    db: Database,
    collection: string,
    private readonly multi: NonNullable<Table['multi']>,
  ) {
    const table = quote(legacyListTable(collection));
    // SQLite stores true as 1, so both may be the same row.
    this.#insert = db.prepare(`INSERT OR IGNORE INTO ${table} (field, scope, value, ord, id) VALUES (?, ?, ?, ?, ?)`);
    this.#delete = db.prepare(`DELETE FROM ${table} WHERE id = ?`);
  }

  write(id: string, before: Doc | undefined, after: Doc | undefined): void {
    const { fields, scope, order } = this.multi;
    if (before && after && [...fields, scope, order].every((f) => JSON.stringify(before[f]) === JSON.stringify(after[f]))) return;
    if (before) this.#delete.run(id);
    if (!after) return;
    for (const field of fields) {
      for (const value of new Set((after[field] as unknown[] | undefined) ?? [])) {
        this.#insert.run(field, fieldOf(after, scope), toSql(value), fieldOf(after, order), id);
      }
    }
  }
}
