import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.js';
import type { Node } from './cluster-node.js';
import { between, pick, type Random } from './random.js';

export type Part = 'worker' | 'api' | 'log' | 'views';

/** Whom a fault meets, where it meets one of two. */
export interface Victims {
  readonly cluster: Cluster;
  readonly worker: Node;
  readonly api: Node;
  readonly random: Random;
}

/** Something that goes wrong for a while. */
export interface Fault {
  readonly name: string;
  /** At most one fault of a part is on at a time. */
  readonly of: Part;
  /** For how long, in milliseconds. */
  readonly lasts: readonly [from: number, to: number];
  /** Whether another worker has to take over what the victim held. */
  readonly takenOver?: true;
  /** Resolves once it is on, with what ends it. */
  readonly begin: (victims: Victims) => Promise<() => Promise<void> | void>;
}

const BRIEF = [0, 3_000] as const;
const WHILE = [2_000, 7_000] as const;
/** Longer than a lease lasts. */
const BEYOND_LEASES = [7_500, 10_000] as const;

/** Everything that can happen, each about as often as the others. */
export const faults: readonly Fault[] = [
  {
    name: 'a worker is killed',
    of: 'worker',
    lasts: [0, 9_000],
    takenOver: true,
    begin: async ({ worker }) => {
      await worker.kill();
      return () => worker.start();
    },
  },
  {
    name: 'a worker is killed and back at once',
    of: 'worker',
    lasts: [0, 0],
    begin: async ({ worker }) => {
      await worker.kill();
      return () => worker.start();
    },
  },
  {
    name: 'a worker is told to stop',
    of: 'worker',
    lasts: BRIEF,
    takenOver: true,
    begin: async ({ worker }) => {
      await worker.kill('SIGTERM');
      return () => worker.start();
    },
  },
  {
    name: 'a worker sleeps until others have its leases',
    of: 'worker',
    lasts: BEYOND_LEASES,
    takenOver: true,
    begin: async ({ worker }) => {
      worker.freeze();
      return () => worker.thaw();
    },
  },
  {
    name: 'a worker loses the way to MongoDB',
    of: 'worker',
    lasts: BEYOND_LEASES,
    takenOver: true,
    begin: async ({ worker }) => {
      worker.toViews.silence();
      return () => worker.toViews.heal();
    },
  },
  {
    name: 'a worker loses the way to the log',
    of: 'worker',
    lasts: WHILE,
    begin: async ({ worker }) => {
      worker.toLog.silence();
      return () => worker.toLog.heal();
    },
  },
  {
    name: 'a node that answers is killed',
    of: 'api',
    lasts: BRIEF,
    begin: async ({ api }) => {
      await api.kill();
      return () => api.start();
    },
  },
  {
    name: 'a node that answers sleeps, and its callers turn to the other one',
    of: 'api',
    lasts: WHILE,
    begin: async ({ api }) => {
      api.freeze();
      await sleep(GIVE_UP_MS);
      api.giveUp();
      return () => api.thaw();
    },
  },
  {
    name: 'a node that answers loses the way to MongoDB',
    of: 'api',
    lasts: WHILE,
    begin: async ({ api }) => {
      api.toViews.silence();
      return () => api.toViews.heal();
    },
  },
  {
    name: 'a node that answers loses the way to the log',
    of: 'api',
    lasts: WHILE,
    begin: async ({ api }) => {
      api.toLog.silence();
      return () => api.toLog.heal();
    },
  },
  {
    name: 'the log server is killed',
    of: 'log',
    lasts: BRIEF,
    begin: async ({ cluster }) => {
      await cluster.log.kill();
      return () => cluster.startLog();
    },
  },
  {
    name: 'the log server sleeps',
    of: 'log',
    lasts: WHILE,
    begin: async ({ cluster: { log } }) => {
      log.freeze();
      return () => log.thaw();
    },
  },
  {
    name: 'the log server takes everything in and answers nothing',
    of: 'log',
    lasts: WHILE,
    begin: async ({ cluster: { log } }) => {
      log.set({ silent: true });
      return () => log.set({ silent: false });
    },
  },
  {
    name: 'the log server is slow',
    of: 'log',
    lasts: WHILE,
    begin: async ({ cluster: { log }, random }) => {
      log.set({ slowMs: between(random, 50, 700) });
      return () => log.set({ slowMs: 0 });
    },
  },
  {
    name: 'the log server is busy',
    of: 'log',
    lasts: WHILE,
    begin: async ({ cluster: { log }, random }) => {
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
    lasts: WHILE,
    begin: async ({ cluster: { log }, random }) => {
      const lose = () => log.set({ loseNextAnswer: random() < 0.3 ? 'silently' : 'breaking' });
      const losing = every(200, lose);
      return () => {
        losing.end();
        log.set({ loseNextAnswer: null });
      };
    },
  },
  {
    name: 'the log server ends what is open',
    of: 'log',
    lasts: WHILE,
    begin: async ({ cluster: { log }, random }) => {
      const ends = ['endSubscriptions', 'failSubscriptions', 'endBatches', 'failBatches'] as const;
      return every(250, () => log.do(ends[between(random, 0, ends.length)] ?? 'endBatches')).end;
    },
  },
  {
    name: 'subscriptions fall silent',
    of: 'log',
    lasts: BRIEF,
    begin: async ({ cluster: { log } }) => {
      log.do('muteSubscriptions');
      return () => {};
    },
  },
  {
    name: 'connections to the log server break',
    of: 'log',
    lasts: WHILE,
    begin: async ({ cluster, random }) => every(400, () => cluster.nodes[between(random, 0, cluster.nodes.length)]?.toLog.cut()).end,
  },
  {
    name: 'the Mongo server is killed',
    of: 'views',
    lasts: BRIEF,
    begin: async ({ cluster }) => {
      await cluster.mongo.kill();
      return () => cluster.startMongo();
    },
  },
  {
    name: 'the Mongo server sleeps',
    of: 'views',
    lasts: WHILE,
    begin: async ({ cluster: { mongo } }) => {
      mongo.freeze();
      return () => mongo.thaw();
    },
  },
  {
    name: 'the Mongo server is slow',
    of: 'views',
    lasts: WHILE,
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
    lasts: WHILE,
    begin: async ({ cluster, random }) => every(400, () => cluster.nodes[between(random, 0, cluster.nodes.length)]?.toViews.cut()).end,
  },
];

/** So long callers wait for a node that says nothing. */
const GIVE_UP_MS = 1_000;

function every(ms: number, act: () => void): { readonly end: () => void } {
  act();
  const timer = setInterval(act, ms);
  return { end: () => clearInterval(timer) };
}

/** Deals faults like cards, so that each of them comes before any comes again. */
export class Deck {
  #left: Fault[] = [];

  constructor(private readonly random: Random) {}

  /** One fault, or two that are of different parts. */
  deal(): readonly Fault[] {
    const first = this.#draw(() => true);
    if (this.random() < ALONE) return [first];
    return [first, this.#draw(({ of }) => of !== first.of)];
  }

  #draw(fits: (fault: Fault) => boolean): Fault {
    if (!this.#left.some(fits)) this.#left.push(...faults);
    const at = between(this.random, 0, this.#left.length);
    const found = [...this.#left.keys()].map((i) => (i + at) % this.#left.length).find((i) => fits(this.#left[i] as Fault)) ?? 0;
    return this.#left.splice(found, 1)[0] as Fault;
  }
}

/** How often a fault comes alone. */
const ALONE = 0.6;
