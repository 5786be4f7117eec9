import {
  type Checkpoint,
  type Clock,
  type Doc,
  type Docs,
  type DocumentRef,
  isAfter,
  type Op,
  type Position,
  type ReadModels,
  type ViewSnapshot,
  type ViewSpec,
  type ViewStatus,
  type ViewWriter,
} from '../../domain/kernel/ports.js';
import { MemoryDocs } from './docs.js';

/** One generation of one projection. Documents are stored as JSON texts, so that callers share no objects with the store. */
class Generation {
  discarded = false;
  position: Checkpoint = 'start';
  readonly #collections = new Map<string, Map<string, string>>();

  constructor(
    readonly number: number,
    readonly version: number,
  ) {}

  collection(name: string): ReadonlyMap<string, string> {
    return this.#collections.get(name) ?? new Map();
  }

  copy(): Generation {
    const copy = new Generation(this.number, this.version);
    for (const [name, documents] of this.#collections) copy.#collections.set(name, new Map(documents));
    copy.position = this.position;
    return copy;
  }

  write(to: Position, ops: readonly Op[]): void {
    // Throws for a document that is not serialisable before anything is changed.
    const texts = ops.map(({ after }) => (after === undefined ? undefined : JSON.stringify(after)));
    ops.forEach(({ collection, id }, i) => {
      const documents = this.#collections.get(collection) ?? new Map<string, string>();
      this.#collections.set(collection, documents);
      const text = texts[i];
      if (text === undefined) documents.delete(id);
      else documents.set(id, text);
    });
    this.position = to;
  }
}

class MemoryViewWriter implements ViewWriter {
  readonly generation: number;

  constructor(
    readonly target: Generation,
    private readonly projection: Projection,
    private readonly onCommit: () => void,
  ) {
    this.generation = target.number;
  }

  async checkpoint(): Promise<Checkpoint> {
    return this.target.position;
  }

  async load(refs: readonly DocumentRef[]): Promise<(Doc | undefined)[]> {
    return refs.map(({ collection, id }) => parsed(this.target.collection(collection).get(id)));
  }

  async commit(from: Checkpoint, to: Position, ops: readonly Op[]): Promise<'ok' | 'mismatch'> {
    const superseded = this.projection.active.number > this.generation || this.target.discarded;
    if (superseded || this.target.position !== from) return 'mismatch';
    this.target.write(to, ops);
    this.onCommit();
    return 'ok';
  }

  async *scan(collection: string): AsyncIterable<Doc> {
    const ids = [...this.target.collection(collection).keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const doc of await this.load(ids.map((id) => ({ collection, id })))) if (doc) yield doc;
  }

  async close(): Promise<void> {}
}

interface Projection {
  active: Generation;
  newest: number;
  halted: string | null;
}

/** Read models in memory. Queries read every document and need no index. */
export class MemoryReadModels implements ReadModels {
  readonly #projections = new Map<string, Projection>();
  readonly #waiting = new Set<() => void>();

  constructor(private readonly clock: Pick<Clock, 'timer'>) {}

  docs<D extends Doc>(spec: ViewSpec, collection: string): Docs<D> {
    const { multi } = spec.collections[collection] ?? {};
    return new MemoryDocs<D>(() => this.#of(spec).active.collection(collection), multi?.fields ?? []);
  }

  async writer(spec: ViewSpec): Promise<ViewWriter> {
    return this.#writer(spec, this.#of(spec).active);
  }

  async shadow(spec: ViewSpec): Promise<ViewWriter> {
    const projection = this.#of(spec);
    projection.newest += 1;
    return this.#writer(spec, new Generation(projection.newest, spec.version));
  }

  async promote(spec: ViewSpec, shadow: ViewWriter): Promise<'ok' | 'behind'> {
    const projection = this.#of(spec);
    const { target } = shadow as MemoryViewWriter;
    const { number } = projection.active;
    if (number > target.number) throw new Error(`generation ${target.number} of ${spec.name} cannot be promoted: generation ${number} is active`);
    if (isAfter(projection.active.position, target.position)) return 'behind';
    projection.active = target;
    projection.halted = null;
    this.#announce();
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
    return { name: spec.name, version: active.version, generation: active.number, position: active.position, halted };
  }

  async halt(spec: ViewSpec, reason: string | null): Promise<void> {
    this.#of(spec).halted = reason;
  }

  async waitUntilReached(spec: ViewSpec, position: Position, timeoutMs: number, signal?: AbortSignal): Promise<boolean> {
    let ended = signal?.aborted ?? false;
    const giveUp = () => {
      ended = true;
      this.#announce();
    };
    const timer = this.clock.timer(timeoutMs, giveUp);
    signal?.addEventListener('abort', giveUp);
    const reached = () => !isAfter(position, this.#of(spec).active.position);
    while (!reached() && !ended) await new Promise<void>((wake) => this.#waiting.add(wake));
    timer.cancel();
    signal?.removeEventListener('abort', giveUp);
    return reached();
  }

  async close(): Promise<void> {}

  #writer(spec: ViewSpec, generation: Generation): ViewWriter {
    return new MemoryViewWriter(generation, this.#of(spec), () => this.#announce());
  }

  #of(spec: ViewSpec): Projection {
    let projection = this.#projections.get(spec.name);
    if (!projection) {
      projection = { active: new Generation(1, spec.version), newest: 1, halted: null };
      this.#projections.set(spec.name, projection);
    }
    return projection;
  }

  #announce(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }
}

const parsed = (text: string | undefined): Doc | undefined => (text === undefined ? undefined : JSON.parse(text));
