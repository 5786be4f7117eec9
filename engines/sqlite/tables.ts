import type { CollectionSpec, Doc, Value, ViewSpec } from '../../domain/kernel/ports.js';
import type { Database } from './driver.js';

/** The table of a collection: one row per document with its JSON, and one column per indexed field. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly multi: CollectionSpec['multi'];
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const multiTable = (collection: string): string => `${collection}__multi`;

export function tableOf(name: string, spec: CollectionSpec): Table {
  const columns = [...new Set(spec.indexes.flat())].filter((field) => field !== 'id');
  return { name, columns, multi: spec.multi };
}

/** Creates the tables, with no more indexes than writing needs. */
export function createTables(db: Database, spec: ViewSpec): void {
  db.exec('CREATE TABLE IF NOT EXISTS meta (one INTEGER PRIMARY KEY CHECK (one = 1), checkpoint TEXT NOT NULL)');
  db.exec(`INSERT OR IGNORE INTO meta (one, checkpoint) VALUES (1, 'start')`);
  for (const [name, collection] of Object.entries(spec.collections)) {
    const { columns } = tableOf(name, collection);
    const defined = columns.map((c) => `, ${quote(c)}`).join('');
    db.exec(`CREATE TABLE IF NOT EXISTS ${quote(name)} (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, doc TEXT NOT NULL${defined})`);
    if (collection.multi) {
      const columns = 'id TEXT NOT NULL, field TEXT NOT NULL, scope, value, ord, PRIMARY KEY (id, field, value)';
      db.exec(`CREATE TABLE IF NOT EXISTS ${quote(multiTable(name))} (${columns}) WITHOUT ROWID`);
    }
  }
}

/** Creates the indexes that queries need: far cheaper over full tables than row by row. */
export function createIndexes(db: Database, spec: ViewSpec): void {
  for (const [name, collection] of Object.entries(spec.collections)) {
    collection.indexes.forEach((fields, i) => {
      // A partial index leaves out documents without the field: most messages belong to no campaign.
      const present = fields.slice(1, -1).map((f) => `${quote(f)} IS NOT NULL`);
      db.exec(
        `CREATE INDEX IF NOT EXISTS ${quote(`${name}_${i}`)} ON ${quote(name)} (${fields.map(quote).join(', ')})${present.length > 0 ? ` WHERE ${present.join(' AND ')}` : ''}`,
      );
    });
    if (collection.multi)
      db.exec(`CREATE INDEX IF NOT EXISTS ${quote(`${name}__multi_find`)} ON ${quote(multiTable(name))} (field, scope, value, ord)`);
  }
}

/** A value as SQLite stores it. */
export const toSql = (value: unknown): string | number | null =>
  value === undefined || value === null ? null : typeof value === 'boolean' ? Number(value) : typeof value === 'number' ? value : String(value);

export const fieldOf = (doc: Doc, field: string): string | number | null => toSql(doc[field] as Value);

const SCAN_BATCH = 1_000;
const SCAN_BYTES = 4_194_304;

/** All documents of a collection, ordered by id. */
export async function* scanTable(db: Database, collection: string): AsyncIterable<Doc> {
  const page = db.prepare(`SELECT id, doc FROM ${quote(collection)} WHERE id > ? ORDER BY id LIMIT ${SCAN_BATCH}`);
  for (let after = ''; ; ) {
    const rows: { id: string; doc: string }[] = [];
    let bytes = 0;
    for (const row of page.iterate(after) as unknown as Iterable<{ id: string; doc: string }>) {
      rows.push(row);
      bytes += row.doc.length;
      if (bytes >= SCAN_BYTES) break;
    }
    for (const row of rows) yield JSON.parse(row.doc) as Doc;
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
