import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openSqliteViews } from '../../../engines/sqlite/index.js';

describe('a SQLite read model whose file has no tables yet', () => {
  const spec = { name: 'notes', version: 1, collections: { notes: { indexes: [] } } };
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'heliograph-beginning-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  it('reads as empty until its writer has created the tables', async () => {
    const { views } = openSqliteViews({ dir, instance: 'test' });
    await views.halt(spec, null);
    writeFileSync(join(dir, 'views', 'notes.1.db'), '');
    expect(await views.status(spec)).to.include({ position: 'start', halted: null });
    expect(await views.waitUntilReached(spec, '00000000000000000001', 0)).to.equal(false);
    const docs = views.docs(spec, 'notes');
    expect(await docs.get('ann')).to.equal(undefined);
    expect(await docs.find({ where: {}, limit: 10 })).to.deep.equal([]);
    const writer = await views.writer(spec);
    await writer.commit('start', '00000000000000000001', [{ collection: 'notes', id: 'ann', before: undefined, after: { id: 'ann' } }]);
    expect(await docs.get('ann')).to.deep.equal({ id: 'ann' });
    expect(await views.waitUntilReached(spec, '00000000000000000001', 0)).to.equal(true);
    await writer.close();
    await views.close();
  });
});
