import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import {
  type Checkpoint,
  type Doc,
  type DocumentRef,
  lowestOf,
  type Op,
  type Position,
  type ViewSpec,
  type ViewWriter,
} from '../../domain/kernel/ports.js';
import { scanTable } from './documents.js';
import { type Database, openDatabase, reading, type Statement, transaction, transactionInTurns } from './driver.js';
import { Keywords } from './keywords.js';
import { indexLegacyLists } from './legacy-list-tables.js';
import { createListTables } from './list-tables.js';
import { READ_MARK } from './replacement-mark.js';
import { TableWriter } from './table-writer.js';
import { checkpointReader, createIndexes, createTables, tableOf } from './tables.js';

/** Documents that were just written are often loaded again by one of the next pages. */
const CACHED_DOCS = 5_000;
/** In characters of their texts: large documents are cached in smaller numbers. */
const CACHED_CHARACTERS = 8_000_000;
/** So many changes are written before others of this thread have their turn: those of a bulk of 10,000 take a second. */
const SLICE = 250;
/** Cached for a document that is known not to exist. */
const ABSENT: Doc = { id: '' };

type Outcome = 'ok' | 'mismatch' | 'marked';

/** A generation to open. Created with this number of partitions where it does not exist. */
export interface OpenSqliteGeneration {
  readonly path: string;
  readonly generation: number;
  readonly spec: ViewSpec;
  readonly partitions: number;
  /** Whether a later generation is active, as far as this process knows. */
  readonly superseded: () => boolean;
  /** The same as the catalog knows it, where the file is marked. */
  readonly isReplaced: () => boolean;
  /** `skipped`: no document has changed. */
  readonly announce: (partitions: readonly number[], position: Position, skipped: boolean) => void;
}

/** Writes partitions of one generation of one projection: documents and checkpoints in one transaction. */
export class SqliteViewWriter implements ViewWriter {
  readonly generation: number;
  readonly path: string;
  readonly partitions: readonly number[];
  readonly partitionCount: number;
  readonly #db: Database;
  readonly #tables = new Map<string, TableWriter>();
  readonly #keywords: Keywords;
  readonly #recent = new LRUCache<string, Doc>({ max: CACHED_DOCS, maxSize: CACHED_CHARACTERS, sizeCalculation: charactersOf });
  readonly #readCheckpoints: () => readonly Checkpoint[];
  readonly #mark: Statement;
  readonly #move: Statement;

  /** Throws where the generation has no such partition. */
  constructor(
    private readonly opened: OpenSqliteGeneration,
    partitions?: readonly number[],
  ) {
    const { path, spec } = opened;
    this.path = path;
    this.generation = opened.generation;
    this.#db = openDatabase(path, { cacheMb: 16 });
    transaction(this.#db, () => {
      createTables(this.#db, spec, opened.partitions);
      createListTables(this.#db, spec);
    });
    this.#readCheckpoints = checkpointReader(this.#db);
    this.#mark = this.#db.prepare(READ_MARK);
    this.partitionCount = this.#readCheckpoints().length;
    this.partitions = partitions ?? [...Array(this.partitionCount).keys()];
    this.#keywords = new Keywords(this.#db);
    for (const [name, collection] of Object.entries(spec.collections))
      this.#tables.set(name, new TableWriter(this.#db, tableOf(name, collection), this.#keywords));
    const missing = this.partitions.find((partition) => partition >= this.partitionCount);
    if (missing !== undefined) {
      this.#db.close();
      throw new Error(`generation ${this.generation} of ${spec.name} has no partition ${missing}`);
    }
    this.#move = this.#db.prepare(
      this.partitionCount === 1 ? 'UPDATE meta SET checkpoint = ?' : 'UPDATE partitions SET checkpoint = ? WHERE partition = ?',
    );
  }

  async narrow(partitions: readonly number[]): Promise<ViewWriter> {
    return new SqliteViewWriter(this.opened, partitions);
  }

  /** Called before the generation is read. Until then it is only written, which is faster without indexes. */
  createIndexes(): void {
    transaction(this.#db, () => {
      createIndexes(this.#db, this.opened.spec);
      indexLegacyLists(this.#db, this.opened.spec);
    });
  }

  async checkpoint(): Promise<Checkpoint> {
    return lowestOf(this.#ownCheckpoints());
  }

  async checkpoints(): Promise<readonly Checkpoint[]> {
    return this.#ownCheckpoints();
  }

  async load(refs: readonly DocumentRef[]): Promise<(Doc | undefined)[]> {
    return reading(this.#db, () => this.#load(refs));
  }

  #load(refs: readonly DocumentRef[]): (Doc | undefined)[] {
    return refs.map(({ collection, id }) => {
      const key = `${collection}/${id}`;
      const cached = this.#recent.get(key);
      if (cached) return cached === ABSENT ? undefined : cached;
      const doc = this.#table(collection).load(id);
      // This is the only writer of its documents, so one that is absent stays so. Most messages have no webhook, at each of their events.
      if (!doc) this.#recent.set(key, ABSENT);
      return doc;
    });
  }

  async idsWithPrefix(collection: string, prefix: string): Promise<string[]> {
    return reading(this.#db, () => this.#table(collection).idsWithPrefix(prefix));
  }

  async commit(from: Checkpoint, to: Position, ops: readonly Op[]): Promise<'ok' | 'mismatch'> {
    if (this.opened.superseded()) return 'mismatch';
    try {
      let outcome = await this.#commit(from, to, ops);
      while (outcome === 'marked' && !this.opened.isReplaced()) outcome = await this.#commit(from, to, ops);
      if (outcome === 'ok') this.opened.announce(this.partitions, to, ops.length === 0);
      // Another writer committed: the cache may be stale.
      else this.#recent.clear();
      return outcome === 'ok' ? 'ok' : 'mismatch';
    } catch (e) {
      this.#recent.clear();
      this.#keywords.forget();
      throw e;
    }
  }

  /** 'marked': nothing was written, because the generation may have been replaced. */
  #commit(from: Checkpoint, to: Position, ops: readonly Op[]): Outcome | Promise<Outcome> {
    // Writers of other partitions wait for the file in this thread, so only a lone writer can give its turn away.
    const isLone = this.partitions.length === this.partitionCount;
    return ops.length > SLICE && isLone ? this.#commitInSlices(from, to, ops) : this.#commitAtOnce(from, to, ops);
  }

  #commitAtOnce(from: Checkpoint, to: Position, ops: readonly Op[]): Outcome {
    return transaction(this.#db, () => {
      const outcome = this.#outcomeAt(from);
      if (outcome !== 'ok') return outcome;
      for (const op of inWritingOrder(ops)) this.#write(op);
      this.#moveTo(to);
      return outcome;
    });
  }

  /** The same transaction, over several turns of the event loop. */
  async #commitInSlices(from: Checkpoint, to: Position, ops: readonly Op[]): Promise<Outcome> {
    const ordered = inWritingOrder(ops);
    return transactionInTurns(this.#db, async () => {
      const outcome = this.#outcomeAt(from);
      if (outcome !== 'ok') return outcome;
      for (let i = 0; i < ordered.length; i += SLICE) {
        for (const op of ordered.slice(i, i + SLICE)) this.#write(op);
        await yieldToEventLoop();
      }
      this.#moveTo(to);
      return outcome;
    });
  }

  /** Of a commit from this checkpoint, in its transaction. */
  #outcomeAt(from: Checkpoint): Outcome {
    if ((this.#mark.get() as { user_version: number }).user_version !== 0) return 'marked';
    return this.#ownCheckpoints().every((at) => at === from) ? 'ok' : 'mismatch';
  }

  #moveTo(to: Position): void {
    if (this.partitionCount === 1) this.#move.run(to);
    else for (const partition of this.partitions) this.#move.run(to, partition);
  }

  skipTo(position: Position): void {
    this.opened.announce(this.partitions, position, true);
  }

  scan(collection: string): AsyncIterable<Doc> {
    return scanTable(this.#db, collection);
  }

  async close(): Promise<void> {
    this.#db.close();
  }

  #ownCheckpoints(): readonly Checkpoint[] {
    const all = this.#readCheckpoints();
    return this.partitionCount === 1 ? all : this.partitions.map((partition) => all[partition] as Checkpoint);
  }

  #write(op: Op): void {
    this.#table(op.collection).write(op);
    this.#recent.set(`${op.collection}/${op.id}`, op.after ?? ABSENT);
  }

  #table(collection: string): TableWriter {
    const table = this.#tables.get(collection);
    if (!table) throw new Error(`no collection ${collection}`);
    return table;
  }
}

/** Removals first: what is written takes the pages that they leave free. */
const inWritingOrder = (ops: readonly Op[]): readonly Op[] => [...ops.filter(({ after }) => !after), ...ops.filter(({ after }) => after)];

/** Of all texts in a document, and 1 for each value. */
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return 1 + value.length;
  let characters = 1;
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) characters += charactersOf(member);
  return characters;
}
