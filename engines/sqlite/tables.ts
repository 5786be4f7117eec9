import type { Checkpoint, CollectionSpec, Doc, Value, ViewSpec } from '../../domain/kernel/ports.js';
import type { Database } from './driver.js';
import { createKeywords, KEYWORD_TYPE } from './keywords.js';

/** The table of a collection: one row per document, with one column per indexed field and the JSON of the other fields. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Those of the columns that hold the number of a text. */
  readonly keywords: ReadonlySet<string>;
  readonly multi: CollectionSpec['multi'];
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

export const hasTable = (db: Database, name: string): boolean =>
  db.prepare(`SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?`).get(name) !== undefined;

export function tableOf(name: string, spec: CollectionSpec): Table {
  const columns = [...new Set(spec.indexes.flat())].filter((field) => field !== 'id');
  return { name, columns, keywords: new Set(spec.keywords), multi: spec.multi };
}

/**
 * Creates the tables, with no more indexes than writing needs. With more than one partition, their checkpoints are in a table of
 * their own, and not in `meta`. What exists stays as it is.
 */
export function createTables(db: Database, spec: ViewSpec, partitions: number): void {
  const exists = db.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'meta'`).get() !== undefined;
  if (!exists && partitions > 1) {
    db.exec('CREATE TABLE partitions (partition INTEGER PRIMARY KEY, checkpoint TEXT NOT NULL)');
    const insert = db.prepare(`INSERT INTO partitions (partition, checkpoint) VALUES (?, 'start')`);
    for (let i = 0; i < partitions; i++) insert.run(i);
  }
  db.exec('CREATE TABLE IF NOT EXISTS meta (one INTEGER PRIMARY KEY CHECK (one = 1), checkpoint TEXT NOT NULL)');
  db.exec(`INSERT OR IGNORE INTO meta (one, checkpoint) VALUES (1, 'start')`);
  for (const [name, collection] of Object.entries(spec.collections)) {
    const { columns, keywords } = tableOf(name, collection);
    const defined = columns.map((c) => `, ${quote(c)}${keywords.has(c) ? ` ${KEYWORD_TYPE}` : ''}`).join('');
    if (keywords.size > 0) createKeywords(db);
    db.exec(`CREATE TABLE IF NOT EXISTS ${quote(name)} (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, doc TEXT NOT NULL${defined})`);
  }
}

/** Reads the checkpoints of all partitions, by statements that are prepared once. */
export function checkpointReader(db: Database): () => readonly Checkpoint[] {
  const divided = db.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'partitions'`).get() !== undefined;
  const all = db.prepare(divided ? 'SELECT checkpoint FROM partitions ORDER BY partition' : 'SELECT checkpoint FROM meta');
  return () => (all.all() as { checkpoint: string }[]).map(({ checkpoint }) => checkpoint);
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
  }
}

/** A value as SQLite stores it. */
export type SqlValue = string | number | null;

export const toSql = (value: unknown): SqlValue =>
  value === undefined || value === null ? null : typeof value === 'boolean' ? Number(value) : typeof value === 'number' ? value : String(value);

export const fieldOf = (doc: Doc, field: string): SqlValue => toSql(doc[field] as Value);
