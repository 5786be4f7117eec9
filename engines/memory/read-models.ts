import {
  type Checkpoint,
  type Clock,
  type Doc,
  type Docs,
  type DocumentRef,
  type DocumentWatch,
  hasReached,
  isAfter,
  lowestOf,
  type Op,
  type Position,
  type ReadModels,
  type ViewSnapshot,
  type ViewSpec,
  type ViewStatus,
  type ViewWriter,
} from '../../domain/kernel/ports.js';
import { MemoryDoc, MemoryDocs } from './docs.js';

/** One generation of one projection. Documents are stored as JSON texts, so that callers share no objects with the store. */
class Generation {
  discarded = false;
  /** By partition: positions ahead of its checkpoint, up to which no event concerns it. */
  readonly #skipped: Checkpoint[] = [];
  readonly #collections = new Map<string, Map<string, MemoryDoc>>();

  /** `positions` are those of its partitions. */
  constructor(
    readonly number: number,
    readonly version: number,
    readonly positions: Checkpoint[],
  ) {}

  /** Those that readers see. */
  reached(): readonly Checkpoint[] {
    return this.positions.map((saved, partition) => {
      const skipped = this.#skipped[partition] ?? 'start';
      return isAfter(skipped, saved) ? skipped : saved;
    });
  }

  skip(partitions: readonly number[], to: Position): void {
    for (const partition of partitions) this.#skipped[partition] = to;
  }

  collection(name: string): ReadonlyMap<string, MemoryDoc> {
    return this.#collections.get(name) ?? new Map();
  }

  copy(): Generation {
    const copy = new Generation(this.number, this.version, [...this.positions]);
    for (const [name, documents] of this.#collections) copy.#collections.set(name, new Map(documents));
    return copy;
  }

  write(partitions: readonly number[], to: Position, ops: readonly Op[]): void {
    // Throws for a document that is not serializable before anything is changed.
    const texts = ops.map(({ after }) => (after === undefined ? undefined : JSON.stringify(after)));
    ops.forEach(({ collection, id }, i) => {
      const documents = this.#collections.get(collection) ?? new Map<string, MemoryDoc>();
      this.#collections.set(collection, documents);
      const text = texts[i];
      if (text === undefined) documents.delete(id);
      else documents.set(id, new MemoryDoc(text));
    });
    for (const partition of partitions) this.positions[partition] = to;
  }
}

class MemoryViewWriter implements ViewWriter {
  readonly generation: number;
  readonly partitionCount: number;

  constructor(
    readonly target: Generation,
    readonly partitions: readonly number[],
    private readonly projection: Projection,
  ) {
    this.generation = target.number;
    this.partitionCount = target.positions.length;
  }

  async narrow(partitions: readonly number[]): Promise<ViewWriter> {
    return new MemoryViewWriter(this.target, partitions, this.projection);
  }

  async checkpoint(): Promise<Checkpoint> {
    return lowestOf(await this.checkpoints());
  }

  async checkpoints(): Promise<readonly Checkpoint[]> {
    return this.partitions.map((partition) => this.target.positions[partition] ?? 'start');
  }

  async load(refs: readonly DocumentRef[]): Promise<(Doc | undefined)[]> {
    return refs.map(({ collection, id }) => this.target.collection(collection).get(id)?.copy());
  }

  async idsWithPrefix(collection: string, prefix: string): Promise<string[]> {
    return [...this.target.collection(collection).keys()].filter((id) => id.startsWith(prefix));
  }

  async commit(from: Checkpoint, to: Position, ops: readonly Op[]): Promise<'ok' | 'mismatch'> {
    const { target, projection } = this;
    const superseded = projection.active.number > this.generation || target.discarded;
    if (superseded || this.partitions.some((partition) => target.positions[partition] !== from)) return 'mismatch';
    target.write(this.partitions, to, ops);
    if (projection.active === target) projection.announce(this.partitions, ops.length > 0);
    return 'ok';
  }

  skipTo(position: Position): void {
    this.target.skip(this.partitions, position);
    if (this.projection.active === this.target) this.projection.announce(this.partitions, false);
  }

  async *scan(collection: string): AsyncIterable<Doc> {
    const ids = [...this.target.collection(collection).keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const doc of await this.load(ids.map((id) => ({ collection, id })))) if (doc) yield doc;
  }

  async close(): Promise<void> {}
}

class Projection {
  newest = 1;
  /** Reasons by partition. */
  readonly halted = new Map<number, string>();
  readonly moves: Listeners;
  readonly watches = new Set<{ readonly partition: number; readonly listeners: Listeners }>();

  constructor(
    public active: Generation,
    clock: Pick<Clock, 'timer'>,
  ) {
    this.moves = new Listeners(clock);
  }

  announce(partitions: readonly number[], changed: boolean): void {
    this.moves.notify();
    if (changed) for (const { partition, listeners } of this.watches) if (partitions.includes(partition)) listeners.notify();
  }
}

/** Read models in memory. Queries read every document and need no index. */
export class MemoryReadModels implements ReadModels {
  readonly #projections = new Map<string, Projection>();
  #partitions: number | null = null;

  constructor(
    private readonly clock: Pick<Clock, 'timer'>,
    private readonly defaultPartitions = 1,
  ) {}

  async partitions(): Promise<number> {
    return this.fixPartitions(this.defaultPartitions);
  }

  async fixPartitions(count: number): Promise<number> {
    this.#partitions ??= count;
    return this.#partitions;
  }

  docs<D extends Doc>(spec: ViewSpec, collection: string): Docs<D> {
    const { multi } = spec.collections[collection] ?? {};
    return new MemoryDocs<D>(() => this.#of(spec).active.collection(collection), multi?.fields ?? []);
  }

  async writer(spec: ViewSpec, partitions?: readonly number[]): Promise<ViewWriter> {
    const { active } = this.#of(spec);
    const missing = partitions?.find((partition) => partition >= active.positions.length);
    if (missing !== undefined) throw new Error(`generation ${active.number} of ${spec.name} has no partition ${missing}`);
    return this.#writer(spec, active, partitions);
  }

  async shadow(spec: ViewSpec): Promise<ViewWriter> {
    const projection = this.#of(spec);
    projection.newest += 1;
    return this.#writer(spec, this.#generation(projection.newest, spec));
  }

  async promote(spec: ViewSpec, shadow: ViewWriter): Promise<'ok' | 'behind'> {
    const projection = this.#of(spec);
    const { target } = shadow as MemoryViewWriter;
    const { number } = projection.active;
    if (number > target.number) throw new Error(`generation ${target.number} of ${spec.name} cannot be promoted: generation ${number} is active`);
    if (!hasReached(target.positions, projection.active.positions)) return 'behind';
    projection.active = target;
    projection.halted.clear();
    projection.announce([...target.positions.keys()], true);
    return 'ok';
  }

  async discard(_spec: ViewSpec, shadow: ViewWriter): Promise<void> {
    (shadow as MemoryViewWriter).target.discarded = true;
  }

  async snapshot(spec: ViewSpec): Promise<ViewSnapshot> {
    return this.#writer(spec, this.#of(spec).active.copy());
  }

  async status(spec: ViewSpec): Promise<ViewStatus> {
    const { active, halted } = this.#of(spec);
    const positions = active.reached();
    const [reason = null] = halted.values();
    return { name: spec.name, version: active.version, generation: active.number, position: lowestOf(positions), positions, halted: reason };
  }

  async positions(spec: ViewSpec): Promise<readonly Checkpoint[]> {
    return (await this.status(spec)).positions;
  }

  async halt(spec: ViewSpec, reason: string | null, partitions?: readonly number[]): Promise<void> {
    const { active, halted } = this.#of(spec);
    for (const partition of partitions ?? active.positions.keys()) {
      if (reason === null) halted.delete(partition);
      else halted.set(partition, reason);
    }
  }

  async waitUntilReached(spec: ViewSpec, position: Position, timeoutMs: number, signal?: AbortSignal, partition?: number): Promise<boolean> {
    const projection = this.#of(spec);
    const reached = () => {
      const positions = projection.active.reached();
      return !isAfter(position, partition === undefined ? lowestOf(positions) : (positions[partition] ?? 'start'));
    };
    if (reached() || signal?.aborted) return reached();
    const end = new AbortController();
    const giveUp = () => end.abort(null);
    const timer = this.clock.timer(timeoutMs, giveUp);
    signal?.addEventListener('abort', giveUp, { once: true });
    while (!reached() && !end.signal.aborted) await projection.moves.waitForNext(projection.moves.notified, { signal: end.signal });
    timer.cancel();
    signal?.removeEventListener('abort', giveUp);
    return reached();
  }

  watch(spec: ViewSpec, partition: number, signal: AbortSignal): DocumentWatch {
    const { watches } = this.#of(spec);
    const watch = { partition, listeners: new Listeners(this.clock) };
    watches.add(watch);
    signal.addEventListener('abort', () => watches.delete(watch), { once: true });
    return watch.listeners;
  }

  async close(): Promise<void> {}

  #writer(spec: ViewSpec, generation: Generation, partitions: readonly number[] = [...generation.positions.keys()]): ViewWriter {
    return new MemoryViewWriter(generation, partitions, this.#of(spec));
  }

  #generation(number: number, spec: ViewSpec): Generation {
    this.#partitions ??= this.defaultPartitions;
    const count = spec.partitionsOf ? this.#partitions : 1;
    return new Generation(number, spec.version, Array<Checkpoint>(count).fill('start'));
  }

  #of(spec: ViewSpec): Projection {
    let projection = this.#projections.get(spec.name);
    if (!projection) {
      projection = new Projection(this.#generation(1, spec), this.clock);
      this.#projections.set(spec.name, projection);
    }
    return projection;
  }
}

/** Who waits for the next change of something. */
class Listeners implements DocumentWatch {
  readonly #waiting = new Set<() => void>();
  #notified = 0;

  constructor(private readonly clock: Pick<Clock, 'timer'>) {}

  get notified(): number {
    return this.#notified;
  }

  waitForNext(notified: number, { ms, signal }: { readonly ms?: number; readonly signal?: AbortSignal | undefined }): Promise<void> {
    if (this.#notified > notified || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = () => {
        timer?.cancel();
        this.#waiting.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = ms === undefined ? undefined : this.clock.timer(ms, done);
      this.#waiting.add(done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  notify(): void {
    this.#notified += 1;
    for (const wake of [...this.#waiting]) wake();
  }
}
