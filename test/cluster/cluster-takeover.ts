import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import type { CatalogEntry } from '../../engines/mongodb/catalog.js';
import { CATALOG, LEASES } from '../../engines/mongodb/names.js';
import type { Cluster } from './cluster.js';
import type { Node } from './cluster-node.js';

const POLL_MS = 20;
/** Timeout of the watch, longer than any accepted takeover. */
const TIMEOUT_MS = 30_000;

interface LeaseDoc {
  readonly _id: string;
  readonly holder: string;
  readonly until: number;
}

/** Milliseconds since the loss of a worker. Infinity: it did not happen. */
export interface Takeover {
  /** Until other workers held all of its leases. */
  readonly leases: number;
  /** Until the first of its projections advanced again. */
  readonly projections: number;
  /** Until another worker handed a message to the carrier. */
  readonly dispatches: number;
}

/** Observes the leases and checkpoints of workers in the database. */
export class Watch {
  private constructor(
    private readonly client: MongoClient,
    private readonly lost: Node,
    private readonly others: readonly Node[],
    private readonly held: readonly string[],
  ) {}

  /** The leases of each worker, by its name. */
  static async held(cluster: Cluster): Promise<ReadonlyMap<Node, readonly string[]>> {
    const client = await connected(cluster);
    try {
      const docs = await leasesOf(client);
      return new Map(
        cluster.workers.map((worker) => [worker, docs.filter(({ holder, until }) => holder === worker.instance && until > 0).map(({ _id }) => _id)]),
      );
    } finally {
      await client.close();
    }
  }

  static async on(cluster: Cluster, lost: Node, held: readonly string[]): Promise<Watch> {
    const others = cluster.workers.filter((worker) => worker !== lost);
    return new Watch(await connected(cluster), lost, others, held);
  }

  /** Call it just before the loss and await it afterward. */
  async takeover(): Promise<Takeover> {
    const startedAt = performance.now();
    const times = { leases: Number.POSITIVE_INFINITY, projections: Number.POSITIVE_INFINITY, dispatches: Number.POSITIVE_INFINITY };
    const missing = new Set(Object.keys(times) as (keyof Takeover)[]);
    const sizes = this.others.map(dispatched);
    let positions: ReadonlyMap<string, string> | null = null;
    try {
      while (missing.size > 0 && performance.now() - startedAt < TIMEOUT_MS) {
        const docs = await leasesOf(this.client);
        const open = docs.filter(({ _id, holder, until }) => this.held.includes(_id) && (holder === this.lost.instance || until === 0));
        const now = await this.#positions();
        const ms = performance.now() - startedAt;
        const conditions = {
          leases: () => open.length === 0,
          // Measured from the first lease that has changed hands: writes in flight of the lost worker may still succeed before.
          projections: () => positions !== null && [...now].some(([name, position]) => position > (positions?.get(name) ?? '')),
          dispatches: () => this.others.some((node, i) => dispatched(node) > (sizes[i] ?? 0)),
        };
        for (const what of [...missing]) {
          if (!conditions[what]()) continue;
          times[what] = ms;
          missing.delete(what);
        }
        if (open.length < this.held.length) positions ??= now;
        await sleep(POLL_MS);
      }
      return times;
    } finally {
      await this.client.close();
    }
  }

  /** Checkpoints of the projections, and of the partitions of projections, whose leases the lost worker held. */
  async #positions(): Promise<Map<string, string>> {
    const whole = new Set(this.held.flatMap((lease) => /^projection\/(.*)@\d+$/.exec(lease)?.[1] ?? []));
    const indexes = this.held.flatMap((lease) => /^projections\/partition\/(\d+)$/.exec(lease)?.[1] ?? []);
    const entries = await this.client
      .db()
      .collection<CatalogEntry>(CATALOG)
      .find({}, { projection: { pages: 0 } })
      .toArray();
    const positions = new Map<string, string>();
    for (const { _id, generation, generations } of entries) {
      const { checkpoint, partitions } = generations?.[generation] ?? {};
      if (whole.has(_id)) positions.set(_id, checkpoint ?? '');
      for (const index of indexes) if (partitions?.[Number(index)]) positions.set(`${_id}/${index}`, partitions[Number(index)]?.checkpoint ?? '');
    }
    return positions;
  }
}

const dispatched = ({ dispatchLogFile }: Node): number => statSync(dispatchLogFile, { throwIfNoEntry: false })?.size ?? 0;

const connected = (cluster: Cluster): Promise<MongoClient> => new MongoClient(cluster.mongoUrl, { serverSelectionTimeoutMS: 10_000 }).connect();

const leasesOf = (client: MongoClient): Promise<LeaseDoc[]> => client.db().collection<LeaseDoc>(LEASES).find().toArray() as Promise<LeaseDoc[]>;
