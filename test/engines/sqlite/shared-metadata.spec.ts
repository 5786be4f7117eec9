import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { EventStore, NewEvent } from '../../../domain/kernel/ports.js';
import { openDatabase } from '../../../engines/sqlite/driver.js';
import { LOG_FILE } from '../../../engines/sqlite/files.js';
import { openSqliteLog } from '../../../engines/sqlite/index.js';

const metadataOf = (nth: number): string =>
  JSON.stringify({ $correlationId: 'req_01M81T6JVPHDA6X9TFZCTYKQA2', account: 'acc_01M81T5YX413J565CZKPDQ0NSN', schemaVersion: nth });
const event = (nth: number, metadata = metadataOf(nth)): NewEvent => ({ id: randomUUID(), type: 'Made', data: `{"nth":${nth}}`, metadata });

describe('the metadata of a SQLite log', () => {
  let dir: string;
  let store: EventStore;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'heliograph-'));
    store = openSqliteLog({ dir }).events;
  });
  afterEach(async () => {
    await store.close();
    rmSync(dir, { recursive: true });
  });
  const stored = (): string[] => {
    const db = openDatabase(join(dir, LOG_FILE), { readOnly: true });
    const rows = db.prepare('SELECT metadata FROM events ORDER BY position').all() as { metadata: string }[];
    db.close();
    return rows.map(({ metadata }) => metadata);
  };
  const metadata = (events: readonly { readonly metadata: string }[] | 'not-found') =>
    events === 'not-found' ? events : events.map((read) => read.metadata);

  it('is stored once for the events of one append, and read whole from anywhere', async () => {
    const events = [event(1), event(1), event(2), event(30, '{}'), event(31)];
    const all = events.map((one) => one.metadata);
    await store.append('a', 'no-stream', events);
    await store.append('b', 'no-stream', [event(1)]);
    expect(stored().map((text) => text.length < 12)).to.deep.equal([false, true, true, true, false, false]);
    expect(metadata(await store.read('a'))).to.deep.equal(all);
    expect(metadata(await store.read('a', { backwards: true }))).to.deep.equal([...all].reverse());
    for (const [from] of events.entries()) {
      expect(metadata(await store.read('a', { from }))).to.deep.equal(all.slice(from));
      expect(metadata(await store.read('a', { from, backwards: true, limit: 1 }))).to.deep.equal([all[from]]);
    }
    const first = await store.readAll('start', 2);
    const rest = await store.readAll(first.upTo, 10);
    expect(metadata([...first.events, ...rest.events])).to.deep.equal([...all, metadataOf(1)]);
  });
});
