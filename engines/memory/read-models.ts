import type { Doc, Docs, From, Op, Position, ReadModels, Ref, ViewSpec, ViewStatus, ViewWriter } from '../../domain/kernel/ports.js';
import { MemoryDocs } from './docs.js';

/** 'start' is before every position. */
const isBefore = (a: From, b: From): boolean => b !== 'start' && (a === 'start' || a < b);

/** One generation of one projection. Documents are kept as JSON texts, so that nobody shares an object with the store. */
class Generation {
  standing: 'shadow' | 'in force' | 'over' = 'shadow';
  position: From = 'start';
  readonly #collections = new Map<string, Map<string, string>>();

  constructor(
    readonly number: number,
    readonly version: number,
  ) {}

  collection(name: string): ReadonlyMap<string, string> {
    return this.#collections.get(name) ?? new Map();
  }

  write(to: Position, ops: readonly Op[]): void {
    // What cannot be written as JSON throws here, before anything is changed.
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
    private readonly onCommit: () => void,
  ) {
    this.generation = target.number;
  }

  async checkpoint(): Promise<From> {
    return this.target.position;
  }

  async load(refs: readonly Ref[]): Promise<(Doc | undefined)[]> {
    return refs.map(({ collection, id }) => parsed(this.target.collection(collection).get(id)));
  }

  async commit(from: From, to: Position, ops: readonly Op[]): Promise<'ok' | 'mismatch'> {
    if (this.target.standing === 'over' || this.target.position !== from) return 'mismatch';
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
  inForce: Generation;
  newest: number;
  halted: string | null;
}

/** Read models in memory. Queries look at every document, so they refuse none for want of an index. */
export class MemoryReadModels implements ReadModels {
  readonly #projections = new Map<string, Projection>();
  readonly #waiting = new Set<() => void>();

  docs<D extends Doc>(spec: ViewSpec, collection: string): Docs<D> {
    const { multi } = spec.collections[collection] ?? {};
    return new MemoryDocs<D>(() => this.#of(spec).inForce.collection(collection), multi?.fields ?? []);
  }

  async writer(spec: ViewSpec): Promise<ViewWriter> {
    return new MemoryViewWriter(this.#of(spec).inForce, () => this.#announce());
  }

  async shadow(spec: ViewSpec): Promise<ViewWriter> {
    const projection = this.#of(spec);
    projection.newest += 1;
    return new MemoryViewWriter(new Generation(projection.newest, spec.version), () => this.#announce());
  }

  async promote(spec: ViewSpec, shadow: ViewWriter): Promise<'ok' | 'behind'> {
    const projection = this.#of(spec);
    const { target } = shadow as MemoryViewWriter;
    if (isBefore(target.position, projection.inForce.position)) return 'behind';
    projection.inForce.standing = 'over';
    projection.inForce = target;
    projection.halted = null;
    target.standing = 'in force';
    this.#announce();
    return 'ok';
  }

  async discard(_spec: ViewSpec, shadow: ViewWriter): Promise<void> {
    (shadow as MemoryViewWriter).target.standing = 'over';
  }

  async status(spec: ViewSpec): Promise<ViewStatus> {
    const { inForce, halted } = this.#of(spec);
    return { name: spec.name, version: inForce.version, generation: inForce.number, position: inForce.position, halted };
  }

  async halt(spec: ViewSpec, reason: string | null): Promise<void> {
    this.#of(spec).halted = reason;
  }

  async reached(spec: ViewSpec, position: Position, timeoutMs: number): Promise<boolean> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.#announce();
    }, timeoutMs);
    while (isBefore(this.#of(spec).inForce.position, position) && !late) await new Promise<void>((wake) => this.#waiting.add(wake));
    clearTimeout(timer);
    return !isBefore(this.#of(spec).inForce.position, position);
  }

  async close(): Promise<void> {}

  #of(spec: ViewSpec): Projection {
    let projection = this.#projections.get(spec.name);
    if (!projection) {
      projection = { inForce: new Generation(1, spec.version), newest: 1, halted: null };
      projection.inForce.standing = 'in force';
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
