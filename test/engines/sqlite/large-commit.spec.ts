import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Op, ReadModels, ViewSpec } from '../../../domain/kernel/ports.js';
import { openSqliteViews } from '../../../engines/sqlite/index.js';

const view: ViewSpec = { name: 'parcels', version: 1, collections: { parcels: { indexes: [['place']] } } };
const AT = '00000000000000000001';
const COUNT = 5_000;
const ops: readonly Op[] = Array.from({ length: COUNT }, (_, i) => ({
  collection: 'parcels',
  id: `p${i}`,
  before: undefined,
  after: { id: `p${i}`, place: 'Oslo' },
}));

describe('a large commit to a SQLite file', () => {
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

  it('lets others of its thread work in between, who see all of it or nothing', async () => {
    const writer = await models.writer(view);
    const docs = models.docs(view, 'parcels');
    let done = false;
    const commit = writer.commit('start', AT, ops).then((result) => {
      done = true;
      return result;
    });
    const seen: number[] = [];
    while (!done) {
      seen.push(await docs.count({}));
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await commit).to.equal('ok');
    expect(seen.length).to.be.above(5);
    expect([0, COUNT]).to.include.members([...new Set(seen)]);
    expect(await docs.count({})).to.equal(COUNT);
    expect(await writer.checkpoint()).to.equal(AT);
    await writer.close();
  });

  it('changes nothing where another writer moved the checkpoint, or where a document cannot be written', async () => {
    const writer = await models.writer(view);
    expect(await writer.commit(AT, '00000000000000000002', ops)).to.equal('mismatch');
    const failure = await writer.commit('start', AT, [...ops, ops[0] as Op]).catch((e: unknown) => e);
    expect(failure).to.be.instanceOf(Error);
    expect(await models.docs(view, 'parcels').count({})).to.equal(0);
    expect(await writer.commit('start', AT, ops)).to.equal('ok');
    await writer.close();
  });
});
