import type { Doc } from '../../domain/kernel/ports.js';
import type { Database } from './driver.js';
import { KEYWORD_TYPE, Keywords } from './keywords.js';
import { quote } from './tables.js';

/**
 * How a row stores its document: as JSON without what the columns of the row hold already. A file of an earlier release may
 * hold whole documents; they read the same.
 */

/** Texts that a column gives back exactly. */
const PRINTABLE = /^[ -~]*$/;

const isInColumn = (value: unknown): boolean =>
  typeof value === 'string' ? PRINTABLE.test(value) : typeof value === 'number' && Number.isFinite(value);

/** The JSON of a document without its id and what `columns` hold. */
export function storedText(doc: Doc, columns: readonly string[]): string {
  const rest: Record<string, unknown> = { ...doc };
  if (isInColumn(doc.id)) rest.id = undefined;
  for (const column of columns) if (isInColumn(doc[column])) rest[column] = undefined;
  return JSON.stringify(rest);
}

export type DocumentRow = { readonly id: string; readonly doc: string } & Readonly<Record<string, string | number | null>>;

/** The columns of a table as it is, and the documents of its rows. */
export class DocumentColumns {
  readonly #keywordsByName = new Map<string, boolean>();
  readonly #columns: readonly (readonly [name: string, isKeyword: boolean])[];

  constructor(db: Database, table: string) {
    for (const { name, type } of db.prepare(`PRAGMA table_info(${quote(table)})`).all() as { name: string; type: string }[])
      this.#keywordsByName.set(name, type === KEYWORD_TYPE);
    this.#columns = [...this.#keywordsByName].filter(([name]) => name !== 'key' && name !== 'id' && name !== 'doc');
  }

  get exist(): boolean {
    return this.#keywordsByName.size > 0;
  }

  has(name: string): boolean {
    return this.#keywordsByName.has(name);
  }

  isKeyword(name: string): boolean {
    return this.#keywordsByName.get(name) ?? false;
  }

  /** What a query selects so that `whole` has all it needs. */
  selected(alias: string): string {
    return ['id', 'doc', ...this.#columns.map(([name]) => name)].map((name) => `${alias}.${quote(name)}`).join(', ');
  }

  whole(row: DocumentRow, keywords: Keywords): Doc {
    const rest = row.doc.length > 2 ? `,${row.doc.slice(1)}` : '}';
    const doc = JSON.parse(`{"id":${JSON.stringify(row.id)}${rest}`) as Record<string, unknown>;
    for (const [name, isKeyword] of this.#columns) {
      const value = row[name];
      if (value === null || value === undefined || doc[name] !== undefined) continue;
      doc[name] = isKeyword ? keywords.textOf(value as number) : value;
    }
    return doc as Doc;
  }

  /** About how long the JSON of the whole document is. */
  lengthOf(row: DocumentRow): number {
    let length = 0;
    for (const name in row) {
      const value = row[name];
      if (typeof value === 'string') length += value.length;
    }
    return length;
  }
}

const SCAN_BATCH = 1_000;
const SCAN_BYTES = 4_194_304;

/** All documents of a collection, ordered by id. */
export async function* scanTable(db: Database, collection: string): AsyncIterable<Doc> {
  const columns = new DocumentColumns(db, collection);
  const keywords = new Keywords(db);
  const page = db.prepare(`SELECT ${columns.selected('t')} FROM ${quote(collection)} t WHERE t.id > ? ORDER BY t.id LIMIT ${SCAN_BATCH}`);
  for (let after = ''; ; ) {
    const rows: DocumentRow[] = [];
    let bytes = 0;
    for (const row of page.iterate(after) as unknown as Iterable<DocumentRow>) {
      rows.push(row);
      bytes += row.doc.length;
      if (bytes >= SCAN_BYTES) break;
    }
    for (const row of rows) yield columns.whole(row, keywords);
    const last = rows.at(-1);
    if (!last) return;
    after = last.id;
  }
}
