import { LRUCache } from 'lru-cache';
import type { Collection, Db, Document } from 'mongodb';
import { DEFINING, LIMITED } from './connection.js';
import { calling, unlessThere } from './errors.js';
import { SERVER_NOW } from './leases.js';
import { RATES } from './names.js';

interface Limit {
  readonly limit: number;
  readonly windowSeconds: number;
}

/** What one request did to its limit; `remaining`, `resetSeconds` and `retryAfter` as of this moment. */
interface Hit extends Limit {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly retryAfter: number;
}

interface WindowDoc {
  readonly _id: string;
  /** Times of accepted requests, oldest first; milliseconds of the server's clock. */
  readonly hits: readonly number[];
  readonly now: number;
  readonly allowed: boolean;
  readonly used: number;
  /** 0 while nothing is used. */
  readonly oldest: number;
  /** When the window can be forgotten. */
  readonly exp: Date;
}

/** Callers that are known to be refused for the time being. */
const REMEMBERED = 10_000;

/**
 * Rolling windows that all nodes share. Exact: one update on one document decides each request, by the server's clock,
 * so in no stretch of a window's length are more than `limit` accepted, and none of them is refused a place that is
 * free. A caller who was refused is refused by this process alone until the first place is free, since none can be sooner.
 */
export class MongoRollingWindows<Group extends string> {
  readonly #windows: Collection<WindowDoc>;
  /** By caller: when the next place is free, in milliseconds of this process's own clock. */
  readonly #refused = new LRUCache<string, number>({ max: REMEMBERED });

  private constructor(
    db: Db,
    private readonly table: Readonly<Record<Group, Limit>>,
  ) {
    this.#windows = db.collection(RATES);
  }

  /** Makes sure that windows nobody uses are forgotten. */
  static async open<Group extends string>(db: Db, table: Readonly<Record<Group, Limit>>): Promise<MongoRollingWindows<Group>> {
    const windows = new MongoRollingWindows(db, table);
    await calling(() => windows.#windows.createIndex({ exp: 1 }, { expireAfterSeconds: 0, ...DEFINING }));
    return windows;
  }

  async hit(group: Group, who: string): Promise<Hit> {
    const { limit, windowSeconds } = this.table[group];
    // A limit of 0 closes a group: nothing is ever used, and yet nothing is ever free.
    if (limit < 1) return { allowed: false, limit, windowSeconds, remaining: 0, resetSeconds: windowSeconds, retryAfter: windowSeconds };
    const key = `${group}:${who}`;
    const asked = performance.now();
    const freeAt = this.#refused.get(key) ?? 0;
    if (freeAt > asked) {
      const wait = Math.max(1, Math.ceil((freeAt - asked) / 1000));
      return { allowed: false, limit, windowSeconds, remaining: 0, resetSeconds: wait, retryAfter: wait };
    }
    const { allowed, used, oldest, now } = await this.#count(key, limit, windowSeconds * 1000);
    const waitMs = oldest + windowSeconds * 1000 - now;
    const wait = used === 0 ? 0 : Math.max(1, Math.ceil(waitMs / 1000));
    // Counted from before it was asked, so that it is over early rather than late.
    if (!allowed) this.#refused.set(key, asked + waitMs);
    return { allowed, limit, windowSeconds, remaining: Math.max(0, limit - used), resetSeconds: wait, retryAfter: allowed ? 0 : wait };
  }

  async #count(key: string, limit: number, windowMs: number): Promise<WindowDoc> {
    const options = { returnDocument: 'after', projection: { hits: 0 }, ...LIMITED } as const;
    for (;;) {
      const doc = await calling(() => this.#windows.findOneAndUpdate({ _id: key }, counting(limit, windowMs), options));
      if (doc) return doc;
      // Made apart from the count: an upsert that meets another may not tell what it counted.
      await calling(() => unlessThere(() => this.#windows.insertOne({ _id: key, hits: [] } as unknown as WindowDoc, LIMITED)));
    }
  }
}

/** A request takes a place if one is free. Places are as old as the server's clock says, which here never runs backwards. */
function counting(limit: number, windowMs: number): Document[] {
  return [
    { $set: { now: { $max: [SERVER_NOW, { $ifNull: [{ $arrayElemAt: ['$hits', -1] }, 0] }] } } },
    { $set: { hits: { $filter: { input: '$hits', as: 'hit', cond: { $gt: ['$$hit', { $subtract: ['$now', windowMs] }] } } } } },
    { $set: { allowed: { $lt: [{ $size: '$hits' }, limit] } } },
    { $set: { hits: { $cond: ['$allowed', { $concatArrays: ['$hits', ['$now']] }, '$hits'] } } },
    {
      $set: {
        used: { $size: '$hits' },
        oldest: { $ifNull: [{ $arrayElemAt: ['$hits', 0] }, 0] },
        exp: { $toDate: { $add: ['$now', windowMs] } },
      },
    },
  ];
}
