import type { Db } from 'mongodb';
import { COMMAND_OPTIONS } from './connection.js';
import { callServer } from './errors.js';
import { WRITES } from './names.js';

/** Counts up one document that nothing reads. Throws StoreUnavailable where a majority does not take the write. */
export async function tryMongoWrite(db: Db): Promise<void> {
  await callServer(() =>
    db.collection<{ _id: string; n: number }>(WRITES).updateOne({ _id: 'written' }, { $inc: { n: 1 } }, { ...COMMAND_OPTIONS, upsert: true }),
  );
}
