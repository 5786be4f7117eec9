import { type Checkpoint, isAfter } from '../../domain/kernel/ports.js';
import type { Todo } from './process-manager.js';
import { groupKey } from './scheduler.js';

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
