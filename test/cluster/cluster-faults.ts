import { setTimeout as sleep } from 'node:timers/promises';
import { between, pick, type Random } from '../faults/random.js';
import type { Cluster } from './cluster.js';
import type { Node } from './cluster-node.js';
import type { LogServer } from './cluster-servers.js';

export type Part = 'worker' | 'api' | 'log' | 'views';

/** The nodes that a fault affects, where it affects one of two. */
export interface Victims {
  readonly cluster: Cluster;
  readonly worker: Node;
  readonly api: Node;
  readonly random: Random;
}

/** A fault that settingsDurationMs for a limited time. */
export interface Fault {
  readonly name: string;
  /** At most one fault of a part is active at a time. */
  readonly of: Part;
  /** Duration, in milliseconds. */
  readonly durationMs: readonly [from: number, to: number];
  /** Whether another worker has to take over the leases of the victim. */
  readonly takenOver?: true;
  /** A real log server cannot be made to have it. */
  readonly fakeOnly?: true;
  /** Resolves once the fault is active, with the function that ends it. */
  readonly begin: (victims: Victims) => Promise<() => Promise<void> | void>;
}

const BRIEF = [0, 3_000] as const;
const MEDIUM = [2_000, 7_000] as const;
/** Longer than the duration of a lease. */
const BEYOND_LEASES = [7_500, 10_000] as const;

/** All faults, each about as frequent as the others. */
export const faults: readonly Fault[] = [
  {
    name: 'a worker is killed',
    of: 'worker',
    durationMs: [0, 9_000],
    takenOver: true,
    begin: async ({ worker }) => {
      await worker.kill();
      return () => worker.start();
    },
  },
  {
    name: 'a worker is killed and restarted at once',
    of: 'worker',
    durationMs: [0, 0],
    begin: async ({ worker }) => {
      await worker.kill();
      return () => worker.start();
    },
  },
  {
    name: 'a worker is stopped by SIGTERM',
    of: 'worker',
    durationMs: BRIEF,
    takenOver: true,
    begin: async ({ worker }) => {
      await worker.kill('SIGTERM');
      return () => worker.start();
    },
  },
  {
    name: 'a worker is frozen until others have its leases',
    of: 'worker',
    durationMs: BEYOND_LEASES,
    takenOver: true,
    begin: async ({ worker }) => {
      worker.freeze();
      return () => worker.thaw();
    },
  },
  {
    name: 'a worker loses its connection to MongoDB',
    of: 'worker',
    durationMs: BEYOND_LEASES,
    takenOver: true,
    begin: async ({ worker }) => {
      worker.toViews.silence();
      return () => worker.toViews.heal();
    },
  },
  {
    name: 'a worker loses its connection to the log',
    of: 'worker',
    durationMs: MEDIUM,
    begin: async ({ worker }) => {
      worker.toLog.silence();
      return () => worker.toLog.heal();
    },
  },
  {
    name: 'an API node is killed',
    of: 'api',
    durationMs: BRIEF,
    begin: async ({ api }) => {
      await api.kill();
      return () => api.start();
    },
  },
  {
    name: 'an API node is frozen, and its callers use the other one',
    of: 'api',
    durationMs: MEDIUM,
    begin: async ({ api }) => {
      api.freeze();
      await sleep(CALLER_TIMEOUT_MS);
      api.abortRequests();
      return () => api.thaw();
    },
  },
  {
    name: 'an API node loses its connection to MongoDB',
    of: 'api',
    durationMs: MEDIUM,
    begin: async ({ api }) => {
      api.toViews.silence();
      return () => api.toViews.heal();
    },
  },
  {
    name: 'an API node loses its connection to the log',
    of: 'api',
    durationMs: MEDIUM,
    begin: async ({ api }) => {
      api.toLog.silence();
      return () => api.toLog.heal();
    },
  },
  {
    name: 'the log server is killed',
    of: 'log',
    durationMs: BRIEF,
    begin: async ({ cluster }) => {
      await cluster.log.kill();
      return () => cluster.startLog();
    },
  },
  {
    name: 'the log server is frozen',
    of: 'log',
    durationMs: MEDIUM,
    begin: async ({ cluster: { log } }) => {
      log.freeze();
      return () => log.thaw();
    },
  },
  {
    name: 'the log server accepts requests and never answers',
    of: 'log',
    durationMs: MEDIUM,
    begin: async ({ cluster: { fakeLog, nodes } }) => {
      if (!fakeLog) return onLinks(nodes, (toLog) => toLog.silence());
      fakeLog.set({ silent: true });
      return () => fakeLog.set({ silent: false });
    },
  },
  {
    name: 'the log server is slow',
    of: 'log',
    durationMs: MEDIUM,
    begin: async ({ cluster: { fakeLog, nodes }, random }) => {
      const slowMs = between(random, 50, 700);
      // In each direction.
      if (!fakeLog) return onLinks(nodes, (toLog) => toLog.slow(slowMs / 2));
      fakeLog.set({ slowMs });
      return () => fakeLog.set({ slowMs: 0 });
    },
  },
  {
    name: 'the log server is busy',
    of: 'log',
    fakeOnly: true,
    durationMs: MEDIUM,
    begin: async ({ cluster, random }) => {
      const log = fakeOf(cluster);
      const refusal = pick(random, [
        [1, 'busy'],
        [1, 'unavailable'],
      ] as const);
      log.set({ [refusal]: true });
      return () => log.set({ [refusal]: false });
    },
  },
  {
    name: 'answers of the log server are lost',
    of: 'log',
    fakeOnly: true,
    durationMs: MEDIUM,
    begin: async ({ cluster, random }) => {
      const log = fakeOf(cluster);
      const lose = () => log.set({ loseNextAnswer: random() < 0.3 ? 'silently' : 'breaking' });
      const losing = every(200, lose);
      return () => {
        losing.end();
        log.set({ loseNextAnswer: null });
      };
    },
  },
  {
    name: 'the log server ends open subscriptions and batches',
    of: 'log',
    fakeOnly: true,
    durationMs: MEDIUM,
    begin: async ({ cluster, random }) => {
      const log = fakeOf(cluster);
      const ends = ['endSubscriptions', 'failSubscriptions', 'endBatches', 'failBatches'] as const;
      return every(250, () => log.do(ends[between(random, 0, ends.length)] ?? 'endBatches')).end;
    },
  },
  {
    name: 'subscriptions fall silent',
    of: 'log',
    fakeOnly: true,
    durationMs: BRIEF,
    begin: async ({ cluster }) => {
      fakeOf(cluster).do('muteSubscriptions');
      return () => {};
    },
  },
  {
    name: 'connections to the log server break',
    of: 'log',
    durationMs: MEDIUM,
    begin: async ({ cluster, random }) => every(400, () => cluster.nodes[between(random, 0, cluster.nodes.length)]?.toLog.cut()).end,
  },
  {
    name: 'the Mongo server is killed',
    of: 'views',
    durationMs: BRIEF,
    begin: async ({ cluster }) => {
      await cluster.mongo.kill();
      return () => cluster.startMongo();
    },
  },
  {
    name: 'the Mongo server is frozen',
    of: 'views',
    durationMs: MEDIUM,
    begin: async ({ cluster: { mongo } }) => {
      mongo.freeze();
      return () => mongo.thaw();
    },
  },
  {
    name: 'the Mongo server is slow',
    of: 'views',
    durationMs: MEDIUM,
    begin: async ({ cluster, random }) => {
      const ms = between(random, 20, 200);
      for (const { toViews } of cluster.nodes) toViews.slow(ms);
      return () => {
        for (const { toViews } of cluster.nodes) toViews.heal();
      };
    },
  },
  {
    name: 'connections to the Mongo server break',
    of: 'views',
    durationMs: MEDIUM,
    begin: async ({ cluster, random }) => every(400, () => cluster.nodes[between(random, 0, cluster.nodes.length)]?.toViews.cut()).end,
  },
];

/** A fault of the connections of all nodes to the log. */
function onLinks(nodes: readonly Node[], begin: (toLog: Node['toLog']) => void): () => void {
  for (const { toLog } of nodes) begin(toLog);
  return () => {
    for (const { toLog } of nodes) toLog.heal();
  };
}

function fakeOf({ fakeLog }: Cluster): LogServer {
  if (!fakeLog) throw new Error('a real log server does not have this fault');
  return fakeLog;
}

/** How long callers wait for a node that does not answer. */
const CALLER_TIMEOUT_MS = 1_000;

function every(ms: number, act: () => void): { readonly end: () => void } {
  act();
  const timer = setInterval(act, ms);
  return { end: () => clearInterval(timer) };
}

/** Draws faults like cards from a deck: each comes once before any is repeated. */
export class Deck {
  #left: Fault[] = [];

  constructor(
    private readonly random: Random,
    /** Whether the log server is a real one. */
    private readonly real = false,
  ) {}

  /** One fault, or two of different parts. */
  deal(): readonly Fault[] {
    const first = this.#draw(() => true);
    if (this.random() < SINGLE_PROBABILITY) return [first];
    return [first, this.#draw(({ of }) => of !== first.of)];
  }

  #draw(fits: (fault: Fault) => boolean): Fault {
    if (!this.#left.some(fits)) this.#left.push(...faults.filter(({ fakeOnly }) => !(this.real && fakeOnly)));
    const at = between(this.random, 0, this.#left.length);
    const found = [...this.#left.keys()].map((i) => (i + at) % this.#left.length).find((i) => fits(this.#left[i] as Fault)) ?? 0;
    return this.#left.splice(found, 1)[0] as Fault;
  }
}

/** Probability that a fault comes alone. */
const SINGLE_PROBABILITY = 0.6;
