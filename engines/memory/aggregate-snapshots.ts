import type { Snapshot, Snapshots } from '../../domain/kernel/ports.js';

/** Snapshots in a map. */
export class MemoryAggregateSnapshots implements Snapshots {
  readonly #snapshots = new Map<string, Snapshot>();

  async find(stream: string, fold: string): Promise<Snapshot | undefined> {
    return this.#snapshots.get(nameOf(stream, fold));
  }

  async put(stream: string, fold: string, { revision, content }: Snapshot): Promise<void> {
    this.#snapshots.set(nameOf(stream, fold), { revision, content });
  }
}

const nameOf = (stream: string, fold: string): string => JSON.stringify([stream, fold]);
