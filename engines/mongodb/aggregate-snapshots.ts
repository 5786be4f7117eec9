import type { Collection, Db } from 'mongodb';
import type { Snapshot, Snapshots } from '../../domain/kernel/ports.js';
import { COMMAND_OPTIONS } from './connection.js';
import { callServer } from './errors.js';
import { SNAPSHOTS } from './names.js';

interface SnapshotDoc {
  readonly _id: string;
  readonly revision: number;
  readonly content: string;
}

/** Snapshots in a collection of their own. It can be dropped. */
export class MongoAggregateSnapshots implements Snapshots {
  readonly #snapshots: Collection<SnapshotDoc>;

  constructor(db: Db) {
    this.#snapshots = db.collection(SNAPSHOTS);
  }

  async find(stream: string, fold: string): Promise<Snapshot | undefined> {
    const found = await callServer(() => this.#snapshots.findOne({ _id: idOf(stream, fold) }, COMMAND_OPTIONS));
    return found ? { revision: found.revision, content: found.content } : undefined;
  }

  async put(stream: string, fold: string, { revision, content }: Snapshot): Promise<void> {
    await callServer(() =>
      this.#snapshots.updateOne({ _id: idOf(stream, fold) }, { $set: { revision, content } }, { ...COMMAND_OPTIONS, upsert: true }),
    );
  }
}

const idOf = (stream: string, fold: string): string => JSON.stringify([stream, fold]);
