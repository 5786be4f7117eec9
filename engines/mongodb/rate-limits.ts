import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Collection, Db, Document } from 'mongodb';
import type { LimitTable, RateGroup, RateLimitResult, RateLimits } from '../../domain/kernel/rate-limits.js';
import { COMMAND_OPTIONS, DEFINITION_OPTIONS } from './connection.js';
import { callServer, ignoreDuplicates } from './errors.js';
import { SERVER_NOW } from './leases.js';
import { RATES } from './names.js';

/** Requests that one update accepted. */
interface Reservation {
  /** Milliseconds of the server's clock. */
  readonly at: number;
  readonly n: number;
  /** Id of the update: a repeat by the driver accepts nothing more. */
  readonly by: string;
}

interface WindowDoc {
  readonly _id: string;
  /** Oldest first. */
  readonly taken: readonly Reservation[];
  readonly now: number;
  /** How many requests the last update accepted. */
  readonly got: number;
  readonly used: number;
  /** 0 while nothing is used. */
  readonly oldest: number;
  /** When the server removes the document. */
  readonly exp: Date;
}

type Outcome = Pick<RateLimitResult, 'allowed' | 'remaining' | 'resetSeconds'>;

interface WaitingCaller {
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (e: unknown) => void;
}

/** How many refused callers are kept in memory. */
const MAX_REFUSED_CALLERS = 10_000;

/**
 * Rolling windows that all nodes share. Exact: each decision is one update of one document by the server's clock, so at
 * most `limit` requests are accepted in any period of a window's length, and no request is refused while one is free.
 * Requests of a caller during an update share the next one. An update that the driver repeats counts once. A refused caller
 * is refused in memory until the next request is free.
 */
export class MongoRateLimits implements RateLimits {
  readonly #windows: Collection<WindowDoc>;
  /** By caller: when the next request is free, in milliseconds of this process's monotonic clock. */
  readonly #refused = new LRUCache<string, number>({ max: MAX_REFUSED_CALLERS });
  /** By caller: requests that arrived during an update. */
  readonly #waiting = new Map<string, WaitingCaller[]>();

  private constructor(
    db: Db,
    private readonly table: LimitTable,
  ) {
    this.#windows = db.collection(RATES);
  }

  /** Creates the TTL index that removes unused windows. */
  static async open(db: Db, table: LimitTable): Promise<MongoRateLimits> {
    const windows = new MongoRateLimits(db, table);
    await callServer(() => windows.#windows.createIndex({ exp: 1 }, { expireAfterSeconds: 0, ...DEFINITION_OPTIONS }));
    return windows;
  }

  async consume(group: RateGroup, caller: string): Promise<RateLimitResult> {
    const { limit, windowSeconds } = this.table[group];
    // With a limit of 0 the window stays empty, and no request is ever accepted.
    if (limit < 1) return { allowed: false, limit, windowSeconds, remaining: 0, resetSeconds: windowSeconds, retryAfter: windowSeconds };
    const key = `${group}:${caller}`;
    const freeAt = this.#refused.get(key) ?? 0;
    const now = performance.now();
    if (freeAt > now) {
      const wait = Math.max(1, Math.ceil((freeAt - now) / 1000));
      return { allowed: false, limit, windowSeconds, remaining: 0, resetSeconds: wait, retryAfter: wait };
    }
    const outcome = await this.#reserve(key, limit, windowSeconds * 1000);
    return { ...outcome, limit, windowSeconds, retryAfter: outcome.allowed ? 0 : outcome.resetSeconds };
  }

  async refund(group: RateGroup, caller: string): Promise<void> {
    const key = `${group}:${caller}`;
    await callServer(() => this.#windows.updateOne({ _id: key }, REFUND, COMMAND_OPTIONS));
    this.#refused.delete(key);
  }

  #reserve(key: string, limit: number, windowMs: number): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const queued = this.#waiting.get(key);
      if (queued) queued.push({ resolve, reject });
      else void this.#serve(key, [{ resolve, reject }], limit, windowMs);
    });
  }

  /** Updates until no request waits. After a failure all waiting requests fail too: none waits for two calls. */
  async #serve(key: string, first: WaitingCaller[], limit: number, windowMs: number): Promise<void> {
    for (let asking = first; asking.length > 0; asking = this.#waiting.get(key) ?? []) {
      this.#waiting.set(key, []);
      try {
        await this.#take(key, asking, limit, windowMs);
      } catch (e) {
        for (const { reject } of [...asking, ...(this.#waiting.get(key) ?? [])]) reject(e);
        this.#waiting.set(key, []);
      }
    }
    this.#waiting.delete(key);
  }

  async #take(key: string, asking: readonly WaitingCaller[], limit: number, windowMs: number): Promise<void> {
    const asked = performance.now();
    const { got, used, oldest, now } = await this.#count(key, asking.length, limit, windowMs);
    const waitMs = oldest + windowMs - now;
    const resetSeconds = used === 0 ? 0 : Math.max(1, Math.ceil(waitMs / 1000));
    // Counted from before the call, so that it ends early rather than late.
    if (got < asking.length) this.#refused.set(key, asked + waitMs);
    asking.forEach(({ resolve }, i) => {
      resolve({ allowed: i < got, remaining: i < got ? limit - used + got - 1 - i : 0, resetSeconds });
    });
  }

  async #count(key: string, wanted: number, limit: number, windowMs: number): Promise<WindowDoc> {
    const options = { returnDocument: 'after', projection: { taken: 0 }, ...COMMAND_OPTIONS } as const;
    const update = reservationPipeline(wanted, randomUUID(), limit, windowMs);
    for (;;) {
      const doc = await callServer(() => this.#windows.findOneAndUpdate({ _id: key }, update, options));
      if (doc) return doc;
      // Not an upsert: concurrent upserts may not return what they counted.
      await callServer(() => ignoreDuplicates(() => this.#windows.insertOne({ _id: key, taken: [] } as unknown as WindowDoc, COMMAND_OPTIONS)));
    }
  }
}

const each = (field: keyof Reservation): Document => ({ $map: { input: '$taken', as: 'one', in: `$$one.${field}` } });

/** An update that takes one request from the latest reservation, and the reservation away with its last one. */
const REFUND: Document[] = [
  {
    $set: {
      taken: {
        $map: {
          input: '$taken',
          as: 'one',
          in: {
            at: '$$one.at',
            by: '$$one.by',
            n: { $cond: [{ $eq: ['$$one.by', { $arrayElemAt: [each('by'), -1] }] }, { $subtract: ['$$one.n', 1] }, '$$one.n'] },
          },
        },
      },
    },
  },
  { $set: { taken: { $filter: { input: '$taken', as: 'one', cond: { $gt: ['$$one.n', 0] } } } } },
];

/** An update that accepts as many requests as are wanted and free, at the server's time, which never goes back within a document. */
function reservationPipeline(wanted: number, by: string, limit: number, windowMs: number): Document[] {
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
