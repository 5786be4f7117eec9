import { withOverrides } from '../../../api/http/access/rate-limits.js';
import type { Carrier } from '../../../carriers/runtime/carrier.js';
import {
  type Append,
  type AppendPosition,
  type Checkpoint,
  type Clock,
  type Doc,
  type Docs,
  type DocumentWatch,
  type EventPage,
  type EventStore,
  type ExpectedRevision,
  type KeyStore,
  type Lease,
  type Leases,
  type NewEvent,
  OutcomeUnknown,
  type Position,
  type RateLimits,
  type ReadModels,
  type ReadOptions,
  type RecordedEvent,
  type Snapshots,
  StoreUnavailable,
  type ViewSpec,
  type ViewWriter,
  type WrongExpectedRevision,
} from '../../../domain/kernel/ports.js';
import { MemoryRateLimits, openMemoryLog, openMemoryViews } from '../../../engines/memory/index.js';
import type { EventLog } from '../../../log/runtime/event-log.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Application } from '../../../ops/app/application.js';
import type { Engine } from '../../../ops/engines/engine.js';
import type { FaultRates } from './faults.js';
import type { Link } from './life.js';
import type { Random } from './random.js';
import { remote, type StoreName, Way } from './way.js';
import type { World } from './world.js';

/** Mean delay of an append that arrives after its caller has stopped waiting, in milliseconds. */
const LATE_MS = 3_000;
/** Mean time until a subscription that ended is there again, in milliseconds. */
const BREAK_MS = 3_000;
/** After this time a caller stops waiting for an answer. */
const TIMEOUT_MS = 5_000;

/** A defect that a spec puts in, to see that the invariants find it. Each replaces a part by one over it, for the component `actor`. */
export interface Plant {
  readonly events?: (inner: EventStore, world: World, actor: string) => EventStore;
  readonly views?: (inner: ReadModels, world: World) => ReadModels;
  readonly leases?: (inner: Leases, world: World) => Leases;
  readonly keys?: (inner: KeyStore) => KeyStore;
  readonly carrier?: (inner: Carrier, world: World) => Carrier;
  readonly limits?: (inner: RateLimits, world: World, actor: string) => RateLimits;
}

/** As in production, but that a burst needs fewer requests. */
export const LIMITS = withOverrides({ send: { limit: 30 }, bulk: { limit: 20 }, public: { limit: 30 }, login_user: { limit: 1_000_000 } });

/** A lease that a node lost while it worked. */
export interface LostLease {
  readonly name: string;
  /** The life of the node that had it. */
  readonly life: string;
  /** Milliseconds of virtual time since 1970. */
  readonly at: number;
}

/** The stores that all nodes share. They outlive every node. */
export class SharedStores {
  readonly log = openMemoryLog();
  readonly views;
  readonly limits: RateLimits;
  /** Stores that no call reaches at the moment. */
  readonly away = new Set<StoreName>();
  /** Whether all stores can be read and refuse writes. */
  refusesWrites = false;
  readonly lostLeases: LostLease[] = [];
  readonly #decoded = new WeakMap<RecordedEvent, LogEvent>();

  constructor(
    private readonly world: World,
    partitions: number,
    readonly plant: Plant = {},
  ) {
    const clock = worldClock(world);
    this.views = openMemoryViews({ clock, partitions });
    this.limits = new MemoryRateLimits(LIMITS, clock);
  }

  /** Lets a log over these stores decode each event once for all nodes, as a feed does for its consumers. Nobody changes what it gets. */
  shareDecoded(log: EventLog): void {
    const decode = log.decode.bind(log);
    log.decode = (recorded) => {
      const known = this.#decoded.get(recorded) ?? decode(recorded);
      this.#decoded.set(recorded, known);
      return known;
    };
  }

  /** A component of a node has opened these stores. */
  opened({ log }: Pick<Application, 'log' | 'vault'>): void {
    this.shareDecoded(log);
  }

  noteLostLease(name: string, { world, life, actor }: Link): void {
    world.trace(actor, `loses the lease ${name}`);
    this.lostLeases.push({ name, life: life.name, at: world.now });
  }

  /** The stores as a component of a node finds them: with the planted defects. */
  forNode(actor: string): Pick<Engine, 'events' | 'views' | 'leases' | 'keys'> & { readonly limits: RateLimits } {
    const { plant, world, log, views, limits } = this;
    return {
      events: plant.events?.(log.events, world, actor) ?? log.events,
      keys: plant.keys?.(log.keys) ?? log.keys,
      views: plant.views?.(views.views, world) ?? views.views,
      leases: plant.leases?.(views.leases, world) ?? views.leases,
      limits: plant.limits?.(limits, world, actor) ?? limits,
    };
  }
}

/** The clock of the servers that run the stores. */
const worldClock = (world: World): Clock => ({
  now: () => Math.floor(world.now),
  monotonic: () => world.elapsed,
  sleep: (ms) => world.sleep(ms, 'stores'),
  timer: (ms, callback) => world.after(ms, 'stores', callback),
  yieldToEventLoop: () => world.sleep(0, 'stores'),
});

/** The stores as one component of a node reaches them: over a link with delays and faults. */
export function engineOver(stores: SharedStores, link: Link, rates: () => FaultRates): Engine {
  const way = new Way(stores, link, rates);
  const { events, views, leases, keys, limits } = stores.forNode(link.actor);
  return {
    events: new SimulatedEventStore(events, way),
    keys: remote<KeyStore>(keys, (run) => way.call('log', run), {
      put: (rows) => way.write('log', () => keys.put(rows)),
      destroy: (subject) => way.write('log', () => keys.destroy(subject)),
    }),
    views: simulatedViews(views, way),
    leases: simulatedLeases(leases, way, (name) => stores.noteLostLease(name, link)),
    snapshots: remote<Snapshots>(stores.views.snapshots, (run) => way.write('views', run)),
    rateLimits: async () => ({
      // Bursts sign in as one user: the limit of that user is out of their way.
      consume: (group, caller) =>
        group === 'login_user' ? limits.consume(group, caller) : way.call('views', async () => limits.consume(group, caller)),
      refund: (group, caller) => limits.refund(group, caller),
    }),
    sharedRates: null,
    tryWrite: async () => {},
    close: async () => {},
  };
}

class SimulatedEventStore implements EventStore {
  /** Of its own, so that subscriptions that end change no other fault. */
  readonly #breaks: Random;

  constructor(
    private readonly inner: EventStore,
    private readonly way: Way,
  ) {
    const { world, actor } = way.link;
    this.#breaks = world.random(`${actor}/subscription`);
  }

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendPosition> {
    const appended = await this.#write(`append to ${stream}`, () => this.inner.append(stream, expected, events));
    this.#tell(stream, events);
    return appended;
  }

  async appendAll(chains: readonly (readonly Append[])[]): Promise<(AppendPosition | WrongExpectedRevision)[]> {
    // Where the store fails, some of the chains may be made.
    const some = this.way.random.integer(0, chains.length);
    const results = await this.#write(`${chains.length} appends`, (whole) => this.inner.appendAll(whole ? chains : chains.slice(0, some)));
    results.forEach((result, i) => {
      if (!(result instanceof Error)) for (const { stream, events } of chains[i] ?? []) this.#tell(stream, events);
    });
    return results;
  }

  #tell(stream: string, events: readonly NewEvent[]): void {
    const { world, actor } = this.way.link;
    if (world.isTraced && !stream.startsWith('snapshot')) world.trace(actor, `${stream}: ${events.map(({ type }) => type).join(', ')}`);
  }

  async #write<T>(what: string, write: (whole: boolean) => Promise<T>): Promise<T> {
    const { way } = this;
    await way.arrive('log');
    way.requireWritable();
    if (!way.fails('lostAnswers')) {
      const appended = await way.link.alive(write(true));
      if (way.chance(0.25)) await way.link.delay(way.latency());
      return appended;
    }
    const fate = way.random.pick(['made', 'not made', 'made later'] as const);
    way.link.world.trace(way.link.actor, `${what}: the answer is lost (${fate})`);
    if (fate === 'made') await write(false).catch(() => {});
    // It arrives even where the node has crashed.
    if (fate === 'made later') way.link.world.after(way.random.duration(LATE_MS), 'log', () => void write(false).catch(() => {}));
    await way.link.delay(TIMEOUT_MS);
    throw new OutcomeUnknown(`${what}: no answer`);
  }

  read(stream: string, options?: ReadOptions): Promise<readonly RecordedEvent[] | 'not-found'> {
    return this.way.call('log', () => this.inner.read(stream, options));
  }

  readAll(after: Checkpoint, limit: number, maxBytes?: number): Promise<EventPage> {
    return this.way.call('log', () => this.inner.readAll(after, limit, maxBytes));
  }

  pageEnd(after: Checkpoint, limit: number): Promise<Checkpoint> {
    return this.way.call('log', () => this.inner.pageEnd(after, limit));
  }

  head(): Promise<Checkpoint> {
    return this.way.call('log', () => this.inner.head());
  }

  readBackwards(before: Position | 'end', limit: number): Promise<readonly RecordedEvent[]> {
    return this.way.call('log', () => this.inner.readBackwards(before, limit));
  }

  /**
   * Each page arrives after its own delay, so that a subscription lags behind what its node has appended. A page that does not
   * arrive ends the subscription; another one begins after the last page that did.
   */
  async *subscribe(after: Checkpoint, signal: AbortSignal, limit?: number, streamPrefix?: string): AsyncIterable<EventPage> {
    const { way } = this;
    for (let at = after; !signal.aborted; await way.link.delay(this.#breaks.duration(BREAK_MS))) {
      for await (const page of this.inner.subscribe(at, signal, limit, streamPrefix)) {
        await way.link.delay(way.latency());
        if (signal.aborted) return;
        if (this.#breaksOff()) break;
        at = page.upTo;
        yield page;
        if (way.fails('repeatedPages') && !signal.aborted) yield page;
      }
    }
  }

  #breaksOff(): boolean {
    const { way } = this;
    if (way.isAway('log')) return true;
    const ends = this.#breaks.chance(way.rates().endedSubscriptions);
    if (ends) way.link.world.fault('endedSubscriptions');
    return ends;
  }

  async close(): Promise<void> {}
}

function simulatedViews(inner: ReadModels, way: Way): ReadModels {
  const call = <R>(run: () => Promise<R>) => way.call('views', run);
  const watch = inner.watch?.bind(inner);
  const writer = async (made: Promise<ViewWriter>): Promise<ViewWriter> => {
    const target = await call(() => made);
    return remote(target, call, {
      narrow: (partitions) => writer(target.narrow(partitions)),
      commit: (...args) => commit(way, () => target.commit(...args)),
      scan: (collection) => target.scan(collection),
      skipTo: (position) => target.skipTo?.(position),
    });
  };
  return remote(inner, call, {
    docs: <D extends Doc>(spec: ViewSpec, collection: string): Docs<D> => remote(inner.docs<D>(spec, collection), call),
    writer: (spec, partitions) => writer(inner.writer(spec, partitions)),
    shadow: (spec) => writer(inner.shadow(spec)),
    waitUntilReached: (spec, position: Position, timeoutMs, signal, partition) =>
      way.link.alive(inner.waitUntilReached(spec, position, timeoutMs, signal, partition)),
    ...(watch && { watch: (spec, partition, signal) => watched(watch(spec, partition, signal), way) }),
  });
}

/** Known at once where the change is made, as in the threads of one process. */
const watched = (inner: DocumentWatch, { link }: Way): DocumentWatch => ({
  get notified() {
    return inner.notified;
  },
  waitForNext: (notified, options) => link.alive(inner.waitForNext(notified, options)),
});

async function commit(way: Way, run: () => Promise<'ok' | 'mismatch'>): Promise<'ok' | 'mismatch'> {
  await way.arrive('views');
  way.requireWritable();
  const fails = way.fails('failedCommits');
  if (way.fails('mismatchedCommits')) return 'mismatch';
  if (fails && way.random.chance(0.5)) throw new StoreUnavailable('the commit did not arrive');
  const result = await way.link.alive(run());
  if (fails) throw new StoreUnavailable('the answer to the commit is lost');
  return result;
}

const simulatedLeases = (inner: Leases, way: Way, onLost: (name: string) => void): Leases => ({
  acquire: async (name, ttlMs) => {
    const lease = await way.writeTogether('views', () => inner.acquire(name, ttlMs));
    return lease && simulatedLease(lease, way, () => onLost(name));
  },
  join: (group, ttlMs) => remote(inner.join(group, ttlMs), (run) => way.write('views', run)),
});

const simulatedLease = (lease: Lease, way: Way, onLost: () => void): Lease => ({
  epoch: lease.epoch,
  unclean: lease.unclean,
  renew: () =>
    way.writeTogether('views', async () => {
      if (!way.fails('lostLeases')) return lease.renew();
      onLost();
      await lease.release();
      return false;
    }),
  release: () => way.write('views', () => lease.release()),
});
