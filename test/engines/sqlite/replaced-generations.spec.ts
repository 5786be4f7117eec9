import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Op } from '../../../domain/kernel/ports.js';
import { SqliteCatalog } from '../../../engines/sqlite/catalog.js';
import { ChangeChannel } from '../../../engines/sqlite/change-channel.js';
import { openDatabase, transactionInTurns } from '../../../engines/sqlite/driver.js';
import { SqliteReadModels } from '../../../engines/sqlite/read-models.js';
import { markReplacement } from '../../../engines/sqlite/replacement-mark.js';
import { positionAt } from '../../contract/helpers.js';
import { found, newView, PageBuilder, parcel, parcelsOf } from '../../contract/read-models/views.js';
import { eventually } from '../../support/eventually.js';

describe('generations of SQLite that another process replaces', () => {
  const view = newView();
  const next = { ...view, version: 2 };
  const late: Op[] = [{ collection: 'parcels', id: 'late', before: undefined, after: parcel('late') }];
  let dir: string;
  const opened: SqliteReadModels[] = [];
  /** Trusts what it has read once for this long. */
  const open = (trustMs: number): SqliteReadModels => {
    const models = new SqliteReadModels(new SqliteCatalog(dir, 1, trustMs));
    opened.push(models);
    return models;
  };
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'replaced-'));
  });
  afterEach(async () => {
    for (const models of opened.splice(0)) {
      await models.close();
      models.catalog.close();
    }
    rmSync(dir, { recursive: true });
  });

  /** Promotes a second generation of `pages` pages. Nothing of this process runs meanwhile, so it receives no notice. */
  function promoteElsewhere(pages: number): void {
    const module = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
    const program = `
      const { SqliteCatalog } = await import(${module('../../../engines/sqlite/catalog.js')});
      const { SqliteReadModels } = await import(${module('../../../engines/sqlite/read-models.js')});
      const models = new SqliteReadModels(new SqliteCatalog(${JSON.stringify(dir)}));
      const view = ${JSON.stringify(next)};
      const shadow = await models.shadow(view);
      const at = (n) => (n === 0 ? 'start' : String(n).padStart(20, '0'));
      for (let n = 0; n < ${pages}; n++) await shadow.commit(at(n), at(n + 1), []);
      const promoted = await models.promote(view, shadow);
      await shadow.close();
      await models.close();
      models.catalog.close();
      if (promoted !== 'ok') throw new Error(promoted);`;
    execFileSync(process.execPath, ['--input-type=module', '-e', program]);
  }

  it('accepts no commit, whatever their writer believes', async () => {
    const models = open(Number.POSITIVE_INFINITY);
    const writer = await models.writer(view);
    await (await PageBuilder.of(writer)).put(parcel('p1'));
    promoteElsewhere(3);
    expect(models.catalog.recentGeneration(view.name)).to.equal(writer.generation);
    expect(await writer.commit(positionAt(1), positionAt(2), late)).to.equal('mismatch');
    expect(await found(models, view, {})).to.deep.equal([]);
    expect((await models.status(view)).position).to.equal(positionAt(3));
    await writer.close();
  });

  it('accepts no large commit, which is written in slices', async () => {
    const models = open(Number.POSITIVE_INFINITY);
    const writer = await models.writer(view);
    await (await PageBuilder.of(writer)).put(parcel('p1'));
    promoteElsewhere(3);
    const many = Array.from({ length: 600 }, (_, n): Op => ({ collection: 'parcels', id: `l${n}`, before: undefined, after: parcel(`l${n}`) }));
    expect(await writer.commit(positionAt(1), positionAt(2), many)).to.equal('mismatch');
    expect(await found(models, view, {})).to.deep.equal([]);
    await writer.close();
  });

  it('are not read any more once a notice has come, and positions of an older one count for nothing', async () => {
    const [here, there] = [open(Number.POSITIVE_INFINITY), open(Number.POSITIVE_INFINITY)];
    const writer = await here.writer(view);
    await (await PageBuilder.of(writer)).put(parcel('p1'));
    expect(await there.waitUntilReached(view, positionAt(1), 1_000)).to.equal(true);
    expect(await found(there, view, {})).to.deep.equal(['p1']);
    const shadow = await here.shadow(next);
    const built = await PageBuilder.of(shadow);
    await built.put(parcel('p2'));
    expect(await here.promote(next, shadow)).to.equal('ok');
    await eventually('the notice', () => there.catalog.recentGeneration(view.name) === shadow.generation);
    expect(await found(there, view, {})).to.deep.equal(['p2']);

    // As of a writer that does not know of the promotion: passing over a page writes nothing that could be refused.
    const channel = new ChangeChannel(here.catalog.folder, 'views');
    channel.announce({ name: view.name, generation: writer.generation, partitions: [0], position: positionAt(9), changed: true });
    channel.announce({ name: view.name, generation: shadow.generation, partitions: [0], position: positionAt(2), changed: true });
    expect(await there.waitUntilReached(view, positionAt(2), 1_000)).to.equal(true);
    channel.close();
    expect(await there.waitUntilReached(view, positionAt(9), 20)).to.equal(false);
    expect((await there.status(view)).position).to.equal(positionAt(2));
    await Promise.all([writer.close(), shadow.close()]);
  });

  it('are replaced for readers of another process within the time for which a generation is trusted', async () => {
    const models = open(50);
    const writer = await models.writer(view);
    await (await PageBuilder.of(writer)).put(parcel('p1'));
    expect(await parcelsOf(models, view).get('p1')).to.not.equal(undefined);
    promoteElsewhere(2);
    expect(await models.waitUntilReached(view, positionAt(2), 5_000)).to.equal(true);
    expect(await parcelsOf(models, view).get('p1')).to.equal(undefined);
    await writer.close();
  });

  it('stay in force after a promotion that was cut off', async () => {
    const models = open(Number.POSITIVE_INFINITY);
    const writer = await models.writer(view);
    const builder = await PageBuilder.of(writer);
    await builder.put(parcel('p1'));
    const path = models.catalog.path(view.name, writer.generation);
    expect(markReplacement(path)).to.equal(true);
    await builder.put(parcel('p2'));
    expect(await found(models, view, {})).to.deep.equal(['p1', 'p2']);
    const file = openDatabase(path);
    expect(file.prepare('PRAGMA user_version').get()).to.deep.include({ user_version: 0 });
    file.close();
    await writer.close();
  });

  it('are not replaced in the middle of a commit', async () => {
    const models = open(100);
    const writer = await models.writer(view);
    await (await PageBuilder.of(writer)).put(parcel('p1'));
    const shadow = await models.shadow(next);
    const built = await PageBuilder.of(shadow);
    await built.put(parcel('p2'));
    const file = openDatabase(models.catalog.path(view.name, writer.generation));
    await transactionInTurns(file, async () => {
      expect(await models.promote(next, shadow)).to.equal('behind');
    });
    file.close();
    expect(await found(models, view, {})).to.deep.equal(['p1']);
    expect(await models.promote(next, shadow)).to.equal('ok');
    expect(await found(models, view, {})).to.deep.equal(['p2']);
    await Promise.all([writer.close(), shadow.close()]);
  });
});
