import { basename } from 'node:path';
import { MongoClient } from 'mongodb';

/** Address of a compatible server for tests. `.ci/mongo-server` starts one. */
export const mongoUrl = (): string => process.env.MONGODB_URL ?? '';

/** Why MongoDB cannot be tested, or null. A configured server that does not answer is a failure, not a reason. */
export const mongoSkipReason = async (): Promise<string | null> => (mongoUrl() ? null : 'MONGODB_URL is not set');

/** The database of a test folder. */
export const databaseOf = (dir: string): string => basename(dir);

/** Runs `work` with a client of its own. */
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
