import { LRUCache } from 'lru-cache';
import type { Database, Statement } from './driver.js';

/** Texts of keyword fields, each once. Columns of such fields, and their indexes, hold its number. */
const TABLE = 'keywords__';

/** Numbers or texts that are kept in memory: a text of thousands of documents is looked up once. */
const CACHED = 5_000;

/** The type of a keyword column. Other columns have none. */
export const KEYWORD_TYPE = 'INT';

export const createKeywords = (db: Database): void =>
  db.exec(`CREATE TABLE IF NOT EXISTS ${TABLE} (n INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE)`);

/** The number of a text in a query: null where no document has it. */
export const KEYWORD_NUMBER = `(SELECT n FROM ${TABLE} WHERE text = ?)`;

/** Reads and writes the numbers of texts in one database. */
export class Keywords {
  readonly #numbers = new LRUCache<string, number>({ max: CACHED });
  readonly #texts = new LRUCache<number, string>({ max: CACHED });
  #find: Statement | undefined;
  #insert: Statement | undefined;
  #text: Statement | undefined;

  constructor(private readonly db: Database) {}

  /** Stores a new text. In a transaction: call `forget` where it is rolled back. */
  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#find ??= this.db.prepare(`SELECT n FROM ${TABLE} WHERE text = ?`);
    this.#insert ??= this.db.prepare(`INSERT INTO ${TABLE} (text) VALUES (?)`);
    const found = this.#find.get(text) as { n: number } | undefined;
    const number = found?.n ?? Number(this.#insert.run(text).lastInsertRowid);
    this.#numbers.set(text, number);
    return number;
  }

  textOf(number: number): string {
    const known = this.#texts.get(number);
    if (known !== undefined) return known;
    this.#text ??= this.db.prepare(`SELECT text FROM ${TABLE} WHERE n = ?`);
    const { text } = this.#text.get(number) as { text: string };
    this.#texts.set(number, text);
    return text;
  }

  forget(): void {
    this.#numbers.clear();
    this.#texts.clear();
  }
}
