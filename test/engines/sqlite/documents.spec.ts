import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Doc, ReadModels, ViewSpec } from '../../../domain/kernel/ports.js';
import { openDatabase } from '../../../engines/sqlite/driver.js';
import { openSqliteViews } from '../../../engines/sqlite/index.js';

const view: ViewSpec = {
  name: 'parcels',
  version: 1,
  collections: { parcels: { indexes: [['account', 'sort'], ['place']], keywords: ['account'] } },
};
const AT = '00000000000000000001';
const documents: readonly Doc[] = [
  { id: 'p1', account: 'acc_1', sort: 5, place: 'Oslo', note: 'a' },
  { id: 'p2', account: 'acc_1', sort: null, place: '' },
  { id: 'p3', sort: 1.5, place: 'Zoë \u0000 \ud800' },
  { id: 'p4', account: null, sort: true, place: 'a"b', __proto__: 1 },
  { id: 'é', account: 'acc_2' },
];

describe('the documents of a SQLite file', () => {
  let dir: string;
  let models: ReadModels;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'heliograph-'));
    models = openSqliteViews({ dir, instance: 'test' }).views;
  });
  afterEach(async () => {
    await models.close();
    rmSync(dir, { recursive: true });
  });
  const commit = async (docs: readonly Doc[]) => {
    const writer = await models.writer(view);
    await writer.commit(
      'start',
      AT,
      docs.map((after) => ({ collection: 'parcels', id: after.id, before: undefined, after })),
    );
    await writer.close();
  };
  const rows = (sql: string) => {
    const db = openDatabase(join(dir, 'views', 'parcels.1.db'));
    const found = db.prepare(sql).all() as Record<string, unknown>[];
    db.close();
    return found;
  };
  const read = () => models.docs(view, 'parcels').find({ where: {}, order: { field: 'id' }, limit: 100 });

  it('hold what an index needs once, and are read whole', async () => {
    await commit(documents);
    expect(await read()).to.deep.equal(documents);
    expect(rows("SELECT doc FROM parcels WHERE id = 'p1'")).to.deep.include({ doc: '{"note":"a"}' });
    expect(rows('SELECT DISTINCT account FROM parcels WHERE account IS NOT NULL ORDER BY 1').map(({ account }) => account)).to.deep.equal([1, 2]);
  });

  it('are read whole from a file of an earlier release, which holds them whole and texts instead of numbers', async () => {
    await commit([]);
    rows('DROP INDEX IF EXISTS parcels_0');
    rows('DROP TABLE parcels');
    rows('CREATE TABLE parcels (key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, doc TEXT NOT NULL, "account", "sort")');
    const whole = { id: 'p1', account: 'acc_1', sort: 5, place: 'Oslo' };
    rows(`INSERT INTO parcels (id, doc, account, sort) VALUES ('p1', '${JSON.stringify(whole)}', 'acc_1', 5)`);
    expect(await read()).to.deep.equal([whole]);
    expect(await models.docs(view, 'parcels').count({ account: 'acc_1', place: 'Oslo' })).to.equal(1);
    expect(await models.docs(view, 'parcels').distinct('account')).to.deep.equal(['acc_1']);
  });
});
