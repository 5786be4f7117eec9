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
const event = (nth: number, metadata = metadataOf(nth), data: string = JSON.stringify({ nth }), type = 'Made'): NewEvent => ({
  id: randomUUID(),
  type,
  data,
  metadata,
});
const delivered = (nth: number): NewEvent =>
  event(
    1,
    JSON.stringify({ $correlationId: `req_${nth}`, $causationId: `messages/dispatch/msg_${nth}/take/2`, account: 'acc_01M81T5YX413J565CZKPDQ0NSN' }),
    JSON.stringify({ raw_status: 'delivered', code: null, carrier: 'sandbox', carrier_message_id: `sbx_${nth}`, received_at: '2026-01-01', nth }),
    'Delivered',
  );
type Texts = { readonly data: string; readonly metadata: string };

describe('the rows of a SQLite log', () => {
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
  const stored = (): Texts[] => {
    const db = openDatabase(join(dir, LOG_FILE), { readOnly: true });
    const rows = db.prepare('SELECT data, metadata FROM events ORDER BY position').all() as unknown as Texts[];
    db.close();
    return rows;
  };
  const texts = (events: readonly Texts[] | 'not-found'): Texts[] =>
    events === 'not-found' ? [] : events.map(({ data, metadata }) => ({ data, metadata }));

  it('hold the metadata of the events of one append once, and are read whole from anywhere', async () => {
    const large = JSON.stringify({ text: 'x'.repeat(10_000) });
    const events = [event(1, undefined, large), event(1, undefined, large), event(2, undefined, large), event(30, '{}', large), event(31)];
    const all = texts(events);
    await store.append('a', 'no-stream', events);
    await store.append('b', 'no-stream', [event(1, undefined, large)]);
    expect(stored().map(({ metadata }) => metadata.length < 12)).to.deep.equal([false, true, true, true, false, false]);
    expect(texts(await store.read('a'))).to.deep.equal(all);
    expect(texts(await store.read('a', { backwards: true }))).to.deep.equal([...all].reverse());
    for (const [from] of events.entries()) {
      expect(texts(await store.read('a', { from }))).to.deep.equal(all.slice(from));
      expect(texts(await store.read('a', { from, backwards: true, limit: 1 }))).to.deep.equal([all[from]]);
    }
    const first = await store.readAll('start', 2);
    const rest = await store.readAll(first.upTo, 10);
    expect(texts([...first.events, ...rest.events])).to.deep.equal([...all, ...texts([event(1, undefined, large)])]);
  });

  it('hold what differs from an earlier event of the type, and are read whole from anywhere', async () => {
    const events = Array.from({ length: 20 }, (_, nth) => delivered(nth));
    for (const [nth, one] of events.entries()) await store.append(`s-${nth}`, 'no-stream', [one, event(nth)]);
    const rows = stored();
    const lengthOf = ({ data, metadata }: Texts) => data.length + metadata.length;
    expect(lengthOf(rows[0] as Texts)).to.be.above(200);
    for (const row of rows.slice(2).filter((_, i) => i % 2 === 0)) expect(lengthOf(row)).to.be.below(60);
    for (const [nth, one] of events.entries())
      expect(texts(await store.read(`s-${nth}`))).to.deep.equal(
        texts([one, event(nth)]).map((text, i) => (i === 0 ? text : { ...text, metadata: metadataOf(nth) })),
      );
    expect(texts((await store.readAll('start', 100)).events).filter((_, i) => i % 2 === 0)).to.deep.equal(texts(events));
  });

  it('are read whole by one that opens the log later, and shortened again by a new writer', async () => {
    await store.append('a', 'no-stream', [delivered(1)]);
    await store.append('b', 'no-stream', [delivered(2)]);
    await store.close();
    store = openSqliteLog({ dir }).events;
    await store.append('c', 'no-stream', [delivered(3)]);
    await store.append('d', 'no-stream', [delivered(4)]);
    expect(texts((await store.readAll('start', 10)).events)).to.deep.equal(texts([1, 2, 3, 4].map(delivered)));
    expect(stored().map(({ data }) => data.startsWith('^'))).to.deep.equal([false, true, false, true]);
  });

  it('take another event as the base once the first has nothing in common with those that follow', async () => {
    await store.append('a', 'no-stream', [{ ...delivered(1), data: '{"x":1}', metadata: '{}' }]);
    for (let nth = 0; nth < 3; nth++) await store.append(`s-${nth}`, 'no-stream', [delivered(nth)]);
    expect(stored().map(({ data }) => data.startsWith('^'))).to.deep.equal([false, false, true, true]);
  });
});
