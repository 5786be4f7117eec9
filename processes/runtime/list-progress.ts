/**
 * How far the to-do list of a worker has come: its position and changes, the outcomes that it does not contain yet, and the pauses of
 * long work while it is behind.
 */

import { type Checkpoint, type Clock, type DocumentWatch, isAfter, justAfter, type Position, type ReadModels } from '../../domain/kernel/ports.js';
import type { Projection } from '../../projections/runtime/projection.js';
import type { Todo, WorkPace } from './process-manager.js';
import { groupKey } from './scheduler.js';

/** For the worker of a partition: the position of its to-do list, and notice of changes, so that it reads the list only then. */
export class ListWatch {
  readonly #watch: DocumentWatch | undefined;
  #notified = -1;
  #position: Checkpoint = 'start';

  constructor(
    private readonly views: ReadModels,
    private readonly list: Projection,
    private readonly partition: number,
    signal: AbortSignal,
  ) {
    this.#watch = views.watch?.(list, partition, signal);
  }

  /** To be called before each look. The position of the list. */
  async begin(): Promise<Checkpoint> {
    this.#notified = this.#watch?.notified ?? 0;
    this.#position = (await this.views.positions(this.list))[this.partition] ?? 'start';
    return this.#position;
  }

  async reached(position: Position, ms: number, signal: AbortSignal): Promise<boolean> {
    return position === 'start' || this.views.waitUntilReached(this.list, position, ms, signal, this.partition);
  }

  /**
   * Resolves once documents may have changed since the last look, or when the signal aborts. With `everyPage`, and where the engine
   * does not watch documents, also once the list has gone on without changes, or after `ms` milliseconds.
   */
  async change(ms: number, signal: AbortSignal, everyPage: boolean): Promise<void> {
    if (this.#watch && !everyPage) await this.#watch.waitForNext(this.#notified, { signal });
    else await this.reached(justAfter(this.#position), ms, signal);
  }
}

interface RecordedOutcome {
  readonly position: Checkpoint;
  readonly group: string;
  /** By the monotonic clock. */
  readonly at: number;
}

/** Outcomes that are recorded, until the list has reached them. Their to-dos are not taken again. */
export class RecordedOutcomes {
  /** In the order in which they were recorded. */
  readonly #recorded = new Map<string, RecordedOutcome>();

  add(todo: Todo, position: Checkpoint, at: number): void {
    this.#recorded.set(todo.id, { position, group: groupKey(todo.priority, todo.account), at });
  }

  /** The list has reached a position. */
  reached(position: Checkpoint): void {
    for (const [id, recorded] of this.#recorded) if (!isAfter(recorded.position, position)) this.#recorded.delete(id);
  }

  get size(): number {
    return this.#recorded.size;
  }

  has(id: string): boolean {
    return this.#recorded.has(id);
  }

  /** Of each outcome. */
  *groups(): Iterable<string> {
    for (const { group } of this.#recorded.values()) yield group;
  }

  /** How long the list has not contained the oldest one, by the monotonic clock. */
  lagMs(now: number): number {
    const [oldest] = this.#recorded.values();
    return oldest ? now - oldest.at : 0;
  }
}

/** Records this close together, in milliseconds, are one for the lag. */
const TOGETHER_MS = 10;

/**
 * How far a list is behind what its process records in the middle of long work, and the pauses of that work. Without pauses the
 * work of a chunk would let the list fall behind, and with it what is more urgent.
 */
export class Pace implements WorkPace {
  /** In the order in which they were recorded. */
  #records: { readonly position: Checkpoint; readonly at: number }[] = [];

  constructor(
    private readonly clock: Pick<Clock, 'monotonic' | 'sleep'>,
    /** In milliseconds: no pause where the list is less than `slowMs` behind, and `pauseMs` where it is `stopMs` behind or more. */
    private readonly tuning: { readonly slowMs: number; readonly stopMs: number; readonly pauseMs: number },
  ) {}

  recorded(position: Checkpoint): void {
    const at = this.clock.monotonic();
    const last = this.#records.at(-1);
    if (last === undefined || at - last.at >= TOGETHER_MS) this.#records.push({ position, at });
  }

  /** The list has reached a position. */
  reached(position: Checkpoint): void {
    const first = this.#records.findIndex((record) => isAfter(record.position, position));
    this.#records = first === -1 ? [] : this.#records.slice(first);
  }

  /** How long the list has not contained the oldest record, by the monotonic clock. */
  lagMs(): number {
    const [oldest] = this.#records;
    return oldest ? this.clock.monotonic() - oldest.at : 0;
  }

  async pause(signal: AbortSignal): Promise<void> {
    const { slowMs, stopMs, pauseMs } = this.tuning;
    const share = Math.min(1, (this.lagMs() - slowMs) / (stopMs - slowMs));
    if (share > 0) await this.clock.sleep(Math.ceil(pauseMs * share * share), signal);
  }
}
