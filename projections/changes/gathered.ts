import type { Position } from '../../domain/kernel/ports.js';
import type { ResourceChange } from '../../log/feed/changed-streams.js';

/** Changes of one kind of resource that are announced one by one; more of them, within a second, are announced as many. */
export const MAX_SINGLE_CHANGES = 20;

/** A change that is due to be announced. Several of one resource are one. */
export interface GatheredChange {
  readonly id: string | null;
  readonly change: ResourceChange['change'];
  /** Of its last event. */
  readonly position: Position;
  /** All that happened up to here has nothing to do with it. */
  readonly after: Position;
}

/** Changes of one kind of resource, in the order of their last events: one for each id, or a single one for many. */
export class GatheredChanges {
  #byId = new Map<string | null, GatheredChange>();

  get size(): number {
    return this.#byId.size;
  }

  add({ id, change, position }: Pick<ResourceChange, 'id' | 'change' | 'position'>, after: Position): void {
    const many = this.#byId.get(null);
    if (many) {
      this.#byId.set(null, { ...many, position });
      return;
    }
    const known = id === null ? undefined : this.#byId.get(id);
    if (known) this.#byId.delete(known.id);
    this.#byId.set(id, { id, change: known ? together(known.change, change) : change, position, after: known?.after ?? after });
    if (id === null || this.#byId.size > MAX_SINGLE_CHANGES) this.#join();
  }

  values(): readonly GatheredChange[] {
    return [...this.#byId.values()];
  }

  #join(): void {
    const all = this.values();
    const [first] = all.map(({ after }) => after).sort();
    this.#byId = new Map([[null, { id: null, change: 'many', position: all.at(-1)?.position ?? '', after: first ?? '' }]]);
  }
}

/** Two changes of one resource as one. */
const together = (before: ResourceChange['change'], now: ResourceChange['change']): ResourceChange['change'] =>
  now === 'updated' && before === 'created' ? 'created' : now;
