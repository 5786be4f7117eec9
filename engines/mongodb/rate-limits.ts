import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Collection, Db, Document } from 'mongodb';
import { COMMAND_OPTIONS, DEFINITION_OPTIONS } from './connection.js';
import { callServer, ignoreDuplicates } from './errors.js';
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

/** Places that were taken with one update. */
interface Places {
  /** Milliseconds of the server's clock. */
  readonly at: number;
  readonly n: number;
  /** Names the update, so that a second one with the same name takes nothing. */
  readonly by: string;
}

interface WindowDoc {
  readonly _id: string;
  /** Oldest first. */
  readonly taken: readonly Places[];
  readonly now: number;
  /** How many places the last update got. */
  readonly got: number;
  readonly used: number;
  /** 0 while nothing is used. */
  readonly oldest: number;
  /** When the window can be forgotten. */
  readonly exp: Date;
}

interface Waiting {
  readonly settle: (hit: Pick<Hit, 'allowed' | 'remaining' | 'resetSeconds'>) => void;
  readonly fail: (e: unknown) => void;
}

/** Callers that are known to be refused for the time being. */
const REMEMBERED = 10_000;

/**
 * Rolling windows that all nodes share. Exact: an update on one document decides, by the server's clock, so in no stretch
 * of a window's length are more than `limit` accepted, and none is refused a place that is free. Requests of one caller
 * that come while an update is under way share the next one, and an update that the driver repeats counts once. A caller
 * who was refused is refused by this process alone until the first place is free, since none can be sooner.
 */
export class MongoRollingWindows<Group extends string> {
  readonly #windows: Collection<WindowDoc>;
  /** By caller: when the next place is free, in milliseconds of this process's own clock. */
  readonly #refused = new LRUCache<string, number>({ max: REMEMBERED });
  /** By caller, while an update is under way: who asked since. */
  readonly #waiting = new Map<string, Waiting[]>();

  private constructor(
    db: Db,
    private readonly table: Readonly<Record<Group, Limit>>,
  ) {
    this.#windows = db.collection(RATES);
  }

  /** Makes sure that windows nobody uses are forgotten. */
  static async open<Group extends string>(db: Db, table: Readonly<Record<Group, Limit>>): Promise<MongoRollingWindows<Group>> {
    const windows = new MongoRollingWindows(db, table);
    await callServer(() => windows.#windows.createIndex({ exp: 1 }, { expireAfterSeconds: 0, ...DEFINITION_OPTIONS }));
    return windows;
  }

  async consume(group: Group, who: string): Promise<Hit> {
    const { limit, windowSeconds } = this.table[group];
    // A limit of 0 closes a group: nothing is ever used, and yet nothing is ever free.
    if (limit < 1) return { allowed: false, limit, windowSeconds, remaining: 0, resetSeconds: windowSeconds, retryAfter: windowSeconds };
    const key = `${group}:${who}`;
    const freeAt = this.#refused.get(key) ?? 0;
    const now = performance.now();
    if (freeAt > now) {
      const wait = Math.max(1, Math.ceil((freeAt - now) / 1000));
      return { allowed: false, limit, windowSeconds, remaining: 0, resetSeconds: wait, retryAfter: wait };
    }
    const place = await this.#place(key, limit, windowSeconds * 1000);
    return { ...place, limit, windowSeconds, retryAfter: place.allowed ? 0 : place.resetSeconds };
  }

  #place(key: string, limit: number, windowMs: number): Promise<Pick<Hit, 'allowed' | 'remaining' | 'resetSeconds'>> {
    return new Promise((settle, fail) => {
      const underWay = this.#waiting.get(key);
      if (underWay) underWay.push({ settle, fail });
      else void this.#serve(key, [{ settle, fail }], limit, windowMs);
    });
  }

  /** Takes places until nobody waits for one. Where that fails, those who wait are told so too: no caller waits for two calls. */
  async #serve(key: string, first: Waiting[], limit: number, windowMs: number): Promise<void> {
    for (let asking = first; asking.length > 0; asking = this.#waiting.get(key) ?? []) {
      this.#waiting.set(key, []);
      try {
        await this.#take(key, asking, limit, windowMs);
      } catch (e) {
        for (const { fail } of [...asking, ...(this.#waiting.get(key) ?? [])]) fail(e);
        this.#waiting.set(key, []);
      }
    }
    this.#waiting.delete(key);
  }

  async #take(key: string, asking: readonly Waiting[], limit: number, windowMs: number): Promise<void> {
    const asked = performance.now();
    const { got, used, oldest, now } = await this.#count(key, asking.length, limit, windowMs);
    const waitMs = oldest + windowMs - now;
    const resetSeconds = used === 0 ? 0 : Math.max(1, Math.ceil(waitMs / 1000));
    // Counted from before it was asked, so that it is over early rather than late.
    if (got < asking.length) this.#refused.set(key, asked + waitMs);
    asking.forEach(({ settle }, i) => {
      settle({ allowed: i < got, remaining: i < got ? limit - used + got - 1 - i : 0, resetSeconds });
    });
  }

  async #count(key: string, wanted: number, limit: number, windowMs: number): Promise<WindowDoc> {
    const options = { returnDocument: 'after', projection: { taken: 0 }, ...COMMAND_OPTIONS } as const;
    const update = taking(wanted, randomUUID(), limit, windowMs);
    for (;;) {
      const doc = await callServer(() => this.#windows.findOneAndUpdate({ _id: key }, update, options));
      if (doc) return doc;
      // Made apart from the count: an upsert that meets another may not tell what it counted.
      await callServer(() => ignoreDuplicates(() => this.#windows.insertOne({ _id: key, taken: [] } as unknown as WindowDoc, COMMAND_OPTIONS)));
    }
  }
}

const each = (field: keyof Places): Document => ({ $map: { input: '$taken', as: 'one', in: `$$one.${field}` } });

/** As many places as are wanted and free. They are as old as the server's clock says, which here never runs backwards. */
function taking(wanted: number, by: string, limit: number, windowMs: number): Document[] {
  const used = { $sum: each('n') };
  const before = { $arrayElemAt: [each('n'), { $indexOfArray: [each('by'), by] }] };
  return [
    { $set: { now: { $max: [SERVER_NOW, { $ifNull: [{ $arrayElemAt: [each('at'), -1] }, 0] }] } } },
    { $set: { taken: { $filter: { input: '$taken', as: 'one', cond: { $gt: ['$$one.at', { $subtract: ['$now', windowMs] }] } } } } },
    { $set: { again: { $in: [by, each('by')] } } },
    { $set: { got: { $cond: ['$again', before, { $max: [0, { $min: [wanted, { $subtract: [limit, used] }] }] }] } } },
    {
      $set: {
        taken: {
          $cond: [{ $or: ['$again', { $eq: ['$got', 0] }] }, '$taken', { $concatArrays: ['$taken', [{ at: '$now', n: '$got', by }]] }],
        },
      },
    },
    {
      $set: {
        used,
        oldest: { $ifNull: [{ $arrayElemAt: [each('at'), 0] }, 0] },
        exp: { $toDate: { $add: ['$now', windowMs] } },
      },
    },
  ];
}
