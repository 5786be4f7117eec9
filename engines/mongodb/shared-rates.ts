import { LRUCache } from 'lru-cache';
import type { Db } from 'mongodb';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import type { SharedPeriod, SharedRates } from '../../domain/kernel/ports.js';
import { DEFINITION_OPTIONS } from './connection.js';
import { callServer } from './errors.js';
import { SENDING_RATES } from './names.js';

/** Different rates that are kept. */
const MAX_LIMITERS = 100;

/**
 * Periods that all nodes share: a counter for each key, whose period begins with its first point, by the clock of the node that takes
 * it. Where clocks differ a period is shorter for one node and longer for another.
 */
export class MongoSharedRates implements SharedRates {
  readonly #limiters = new LRUCache<string, RateLimiterMongo>({ max: MAX_LIMITERS });
  #indexes: Promise<unknown> | null = null;

  constructor(private readonly db: Db) {}

  async take(key: string, wanted: number, { points, ms }: SharedPeriod): Promise<{ taken: number; waitMs: number }> {
    await this.#ready();
    const name = `${points}/${ms}`;
    const limiter = this.#limiters.get(name) ?? this.#limiter(points, ms);
    this.#limiters.set(name, limiter);
    const counted = await callServer(() => limiter.consume(key, wanted).catch(refused));
    if (counted === 'unanswered') return { taken: 0, waitMs: 1 };
    // A refused call counts, too, but what was free before it is taken with it.
    const taken = Math.min(wanted, Math.max(0, points - (counted.consumedPoints - wanted)));
    return { taken, waitMs: taken === wanted ? 0 : Math.max(1, counted.msBeforeNext) };
  }

  #limiter(points: number, ms: number): RateLimiterMongo {
    const collection = { storeClient: this.db, tableName: SENDING_RATES, keyPrefix: '', disableIndexesCreation: true };
    return new RateLimiterMongo({ ...collection, points, duration: ms / 1_000 });
  }

  /** Without the index of keys two nodes could count the same period twice. */
  #ready(): Promise<unknown> {
    const collection = this.db.collection(SENDING_RATES);
    const create = async () => {
      await collection.createIndex({ key: 1 }, { unique: true, ...DEFINITION_OPTIONS });
      await collection.createIndex({ expire: 1 }, { expireAfterSeconds: 0, ...DEFINITION_OPTIONS });
    };
    this.#indexes ??= callServer(create).catch((e: unknown) => {
      this.#indexes = null;
      throw e;
    });
    return this.#indexes;
  }
}

/**
 * Points that are not free are a rejection with the count. `unanswered`: some servers with MongoDB's protocol answer null to one of
 * several upserts that create the same counter, although they have counted its points, and the package cannot read that. Those
 * points are lost to the period: never more than the rate is given out.
 */
const refused = (result: unknown): RateLimiterRes | 'unanswered' => {
  if (result instanceof RateLimiterRes) return result;
  if (result instanceof TypeError) return 'unanswered';
  throw result;
};
