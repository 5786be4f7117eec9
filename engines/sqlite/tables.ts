import type { CollectionSpec, Doc, Value, ViewSpec } from '../../domain/kernel/ports.js';
import type { Database } from './driver.js';

/** How a collection lies in a table: one row a document, its JSON, and one column for each indexed field. */
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

/** The tables, and the one index that writing itself needs. */
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

/** The indexes that queries need. Made over full tables they cost a fraction of what row by row they do. */
export function createIndexes(db: Database, spec: ViewSpec): void {
  for (const [name, collection] of Object.entries(spec.collections)) {
    collection.indexes.forEach((fields, i) => {
      // Documents without the field in question stay out of the index: most messages belong to no campaign.
      const present = fields.slice(1, -1).map((f) => `${quote(f)} IS NOT NULL`);
      db.exec(
        `CREATE INDEX IF NOT EXISTS ${quote(`${name}_${i}`)} ON ${quote(name)} (${fields.map(quote).join(', ')})${present.length > 0 ? ` WHERE ${present.join(' AND ')}` : ''}`,
      );
    });
    if (collection.multi)
      db.exec(`CREATE INDEX IF NOT EXISTS ${quote(`${name}__multi_find`)} ON ${quote(multiTable(name))} (field, scope, value, ord)`);
  }
}

/** A value as SQLite keeps it. */
export const toSql = (value: unknown): string | number | null =>
  value === undefined || value === null ? null : typeof value === 'boolean' ? Number(value) : typeof value === 'number' ? value : String(value);

export const fieldOf = (doc: Doc, field: string): string | number | null => toSql(doc[field] as Value);

const SCANNED_AT_ONCE = 1_000;

/** All documents of a collection in order of id. */
export async function* scanTable(db: Database, collection: string): AsyncIterable<Doc> {
  const page = db.prepare(`SELECT id, doc FROM ${quote(collection)} WHERE id > ? ORDER BY id LIMIT ${SCANNED_AT_ONCE}`);
  for (let after = ''; ; ) {
    const rows = page.all(after) as { id: string; doc: string }[];
    for (const row of rows) yield JSON.parse(row.doc) as Doc;
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
