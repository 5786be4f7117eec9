import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Database, openDatabase } from '../../../engines/sqlite/driver.js';
import { SharedReadTransaction } from '../../../engines/sqlite/shared-read-transaction.js';

describe('reads that share a transaction', () => {
  let dir: string;
  let writer: Database;
  let reader: Database;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'heliograph-shared-read-'));
    writer = openDatabase(join(dir, 'a.db'));
    writer.exec('CREATE TABLE rows (n INTEGER)');
    reader = openDatabase(join(dir, 'a.db'), { readOnly: true });
  });
  afterEach(() => {
    writer.close();
    rmSync(dir, { recursive: true });
  });

  const write = () => writer.exec('INSERT INTO rows VALUES (1)');
  const counting = (shared: SharedReadTransaction) => () =>
    shared.read(() => (reader.prepare('SELECT count(*) AS n FROM rows').get() as { n: number }).n);
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it('see one state until the microtask queue is empty, then the current one', async () => {
    const shared = new SharedReadTransaction(reader);
    const count = counting(shared);
    expect([count(), count()]).to.deep.equal([0, 0]);
    write();
    expect(count()).to.equal(0);
    await null;
    expect(count()).to.equal(1);
    shared.close();
  });

  it('need no transaction for a single read', async () => {
    const shared = new SharedReadTransaction(reader);
    counting(shared)();
    expect(reader.isTransaction).to.equal(false);
    counting(shared)();
    expect(reader.isTransaction).to.equal(true);
    await null;
    expect(reader.isTransaction).to.equal(false);
    shared.close();
  });

  it('with setImmediate see one state for a turn of the event loop, unless it is ended', async () => {
    const shared = new SharedReadTransaction(reader, setImmediate);
    const count = counting(shared);
    expect([count(), count()]).to.deep.equal([0, 0]);
    write();
    await null;
    expect(count()).to.equal(0);
    shared.end();
    expect([count(), count()]).to.deep.equal([1, 1]);
    write();
    await turn();
    expect(count()).to.equal(2);
    shared.close();
  });

  it('end with close', async () => {
    const shared = new SharedReadTransaction(reader, setImmediate);
    counting(shared)();
    counting(shared)();
    shared.close();
    await turn();
    expect(reader.isOpen).to.equal(false);
  });
});
