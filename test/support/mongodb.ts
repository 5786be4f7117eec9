import { basename } from 'node:path';
import { MongoClient } from 'mongodb';

/** Where the server for tests is: any that speaks the protocol. `.ci/mongo-server` starts one. */
export const mongoUrl = (): string => process.env.MONGODB_URL ?? '';

/** Why MongoDB cannot be tried, or null. One that is named and does not answer is a failure, not a reason. */
export const mongoSkipReason = async (): Promise<string | null> => (mongoUrl() ? null : 'MONGODB_URL names no server');

/** The database that stands for a folder. */
export const databaseOf = (dir: string): string => basename(dir);

/** Runs something with a client of its own, beside those of the engine. */
export async function withMongo<T>(work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(mongoUrl(), { serverSelectionTimeoutMS: 5_000 });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

export async function dropDatabase(dir: string): Promise<void> {
  if (!mongoUrl()) return;
  await withMongo((client) => client.db(databaseOf(dir)).dropDatabase());
}
