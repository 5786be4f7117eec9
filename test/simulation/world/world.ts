import { Random } from './random.js';

/** Something that happens at a moment of virtual time. */
class Occurrence implements Scheduled {
  canceled = false;

  constructor(
    readonly due: number,
    readonly actor: string,
    readonly nth: number,
    readonly run: () => void,
  ) {}

  cancel(): void {
    this.canceled = true;
  }
}

export interface Scheduled {
  cancel(): void;
}

/** One line of the story of a run. */
export interface TraceLine {
  /** Milliseconds since the start of the run. */
  readonly at: number;
  readonly actor: string;
  readonly text: string;
}

/** Real, whatever a test has put in place of the global. */
const { setImmediate: nextTurn } = globalThis;
/** Occurrences of one turn of the event loop. */
const BATCH = 64;

/**
 * Virtual time. Everything that takes time in a run is an occurrence here, and they run one after the other: by their time,
 * then by the name of their actor, then in the order in which they were scheduled. After each one all promises settle before
 * the next one runs. So a run depends on nothing but its seed.
 */
export class World {
  #now: number;
  #nth = 0;
  readonly #queue: Occurrence[] = [];
  readonly #randoms = new Map<string, Random>();
  /** How many occurrences have run. */
  steps = 0;
  /** How often something has gone wrong, by kind. */
  readonly faults: Record<string, number> = {};
  /** How many requests are in a server, which may need turns of the event loop. */
  #inServers = 0;

  constructor(
    readonly seed: number,
    /** Milliseconds since 1970. */
    readonly startedAt: number,
    private readonly onTrace?: (line: TraceLine) => void,
  ) {
    this.#now = startedAt;
  }

  /** Milliseconds since 1970, with fractions. */
  get now(): number {
    return this.#now;
  }

  /** Milliseconds since the start of the run. */
  get elapsed(): number {
    return this.#now - this.startedAt;
  }

  /** The random numbers of an actor: the same object for the same name. */
  random(actor: string): Random {
    const random = this.#randoms.get(actor) ?? new Random(this.seed, actor);
    this.#randoms.set(actor, random);
    return random;
  }

  /** Runs something after `ms` milliseconds, 0 or more. */
  after(ms: number, actor: string, run: () => void): Scheduled {
    const occurrence = new Occurrence(this.#now + Math.max(0, ms), actor, this.#nth++, run);
    push(this.#queue, occurrence);
    return occurrence;
  }

  sleep(ms: number, actor: string): Promise<void> {
    return new Promise((resolve) => void this.after(ms, actor, resolve));
  }

  trace(actor: string, text: string): void {
    this.onTrace?.({ at: this.elapsed, actor, text });
  }

  /** Whether somebody reads the story: its lines cost time. */
  get isTraced(): boolean {
    return this.onTrace !== undefined;
  }

  /** Notes that something goes wrong. */
  fault(kind: string): void {
    this.faults[kind] = (this.faults[kind] ?? 0) + 1;
  }

  /** While the work lasts, each occurrence has a turn of the event loop, which a server may need. */
  async inServer<T>(work: Promise<T>): Promise<T> {
    this.#inServers += 1;
    try {
      return await work;
    } finally {
      this.#inServers -= 1;
    }
  }

  /** Lets time pass until `done` holds, or for `ms` milliseconds. Returns whether it holds. */
  run(ms: number, done: () => boolean = () => false): Promise<boolean> {
    const end = this.#now + ms;
    return new Promise((resolve, reject) => {
      let isOver = false;
      const step = (isFirst: boolean, isLast: boolean): void => {
        if (!isOver && (isFirst || this.#inServers === 0)) {
          try {
            isOver = done() || !this.#step(end);
          } catch (e) {
            isOver = true;
            reject(e);
          }
        }
        if (isLast && !isOver) turn();
        if (isLast && isOver) finish();
      };
      const finish = (): void => {
        const holds = done();
        if (!holds) this.#now = Math.max(this.#now, end);
        resolve(holds);
      };
      // Node settles all promises after each callback, also among those of one turn.
      const turn = (): void => {
        const count = this.#inServers > 0 ? 1 : BATCH;
        for (let i = 0; i < count; i++) nextTurn(step, i === 0, i === count - 1);
      };
      turn();
    });
  }

  /** Runs the next occurrence; false where there is none before `end`. */
  #step(end: number): boolean {
    for (;;) {
      const next = this.#queue[0];
      if (!next || (next.due > end && !next.canceled)) return false;
      pop(this.#queue);
      if (next.canceled) continue;
      this.#now = next.due;
      this.steps += 1;
      next.run();
      return true;
    }
  }
}

const isBefore = (a: Occurrence, b: Occurrence): boolean =>
  a.due !== b.due ? a.due < b.due : a.actor !== b.actor ? a.actor < b.actor : a.nth < b.nth;

/** Adds to a binary heap. */
function push(heap: Occurrence[], item: Occurrence): void {
  let at = heap.push(item) - 1;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (!isBefore(item, heap[parent] as Occurrence)) break;
    heap[at] = heap[parent] as Occurrence;
    at = parent;
  }
  heap[at] = item;
}

/** Takes the first of a binary heap. */
function pop(heap: Occurrence[]): Occurrence | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (!last || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1] as Occurrence, heap[child] as Occurrence)) child += 1;
    if (!isBefore(heap[child] as Occurrence, last)) break;
    heap[at] = heap[child] as Occurrence;
    at = child;
  }
  heap[at] = last;
  return first;
}
