import { type Checkpoint, type DocumentWatch, justAfter, type Position, type ReadModels } from '../../domain/kernel/ports.js';
import type { Projection } from '../../projections/runtime/projection.js';

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
