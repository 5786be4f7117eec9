import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { DamagedFile } from '../../../engines/sqlite/failures.js';
import { openSqliteLog, openSqliteViews } from '../../../engines/sqlite/index.js';
import { acceptLoss, besideRemoteLog, checkDataFolder, identifyViews, takeInventory } from '../../../ops/store-consistency/data-folder.js';
import { DataRefused } from '../../../ops/store-consistency/messages.js';
import { NotesFixture } from '../cli/notes-fixture.js';

const SPEC = { name: 'notes', version: 1, collections: { notes: { indexes: [] } } } as const;
const FILES = { log: 'events.db', keys: 'keys.db', views: 'views' } as const;
type Part = keyof typeof FILES;
type Age = 'missing' | 'older' | 'newer';

describe('what is in a data folder', () => {
  let root: string;
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'heliograph-remains-'));
    // One installation at two moments, each with a key of its own, and another installation.
    await write('growing', ['ada', 'bob']);
    cpSync(join(root, 'growing'), join(root, 'older'), { recursive: true });
    await write('growing', ['cid', 'dan']);
    cpSync(join(root, 'growing'), join(root, 'newer'), { recursive: true });
    await write('foreign', ['eve', 'fay', 'gus', 'hal']);
  });
  after(() => rmSync(root, { recursive: true }));

  /** Appends a note of each, and lets the read model reach the end of the log. */
  async function write(name: string, authors: readonly string[]): Promise<void> {
    const dir = join(root, name);
    const engine = openSqliteLog({ dir });
    const { views } = openSqliteViews({ dir, instance: 'test' });
    const notes = new NotesFixture(engine);
    const writer = await views.writer(SPEC);
    for (const by of authors) {
      const { position } = await notes.take(`${by}`, 'hello');
      await writer.commit(await writer.checkpoint(), position, []);
    }
    await writer.close();
    await views.close();
    await notes.close();
    identifyViews({ dataDir: dir, hasViews: true });
  }

  let made = 0;
  /** A folder of parts, each from the folder with this name. */
  function folderOf(parts: Readonly<Record<Part, string>>): string {
    const dir = join(root, `case-${made++}`);
    mkdirSync(dir);
    for (const part of Object.keys(FILES) as Part[]) {
      const from = join(root, parts[part], FILES[part]);
      if (parts[part] !== 'missing')
        for (const suffix of ['', '-wal']) if (existsSync(from + suffix)) cpSync(from + suffix, join(dir, FILES[part] + suffix), { recursive: true });
    }
    return dir;
  }

  /** 'refused: loss', or the notices of a start and whether the read models stay. */
  function start(dir: string): string {
    try {
      const notices = checkDataFolder({ dataDir: dir, hasViews: true });
      const { log } = takeInventory({ dataDir: dir, hasViews: true });
      if (log === null) return 'new';
      return [
        ...notices.map((text) => /ahead|ends before|are lost|another event log|damaged/.exec(text)?.[0]),
        existsSync(join(dir, 'views')) ? 'kept' : 'built',
      ].join(', ');
    } catch (e) {
      if (e instanceof DataRefused) return `refused: ${e.loss}`;
      throw e;
    }
  }

  const TABLE: readonly (readonly [log: Age, keys: Age, views: Age, outcome: string])[] = [
    ['missing', 'missing', 'missing', 'new'],
    ['missing', 'missing', 'older', 'refused: log_gone'],
    ['missing', 'missing', 'newer', 'refused: log_gone'],
    ['missing', 'older', 'missing', 'refused: log_gone'],
    ['missing', 'older', 'older', 'refused: log_gone'],
    ['missing', 'older', 'newer', 'refused: log_gone'],
    ['missing', 'newer', 'missing', 'refused: log_gone'],
    ['missing', 'newer', 'older', 'refused: log_gone'],
    ['missing', 'newer', 'newer', 'refused: log_gone'],
    ['older', 'missing', 'missing', 'refused: keys_gone'],
    ['older', 'missing', 'older', 'refused: keys_gone'],
    ['older', 'missing', 'newer', 'refused: keys_gone'],
    ['older', 'older', 'missing', 'built'],
    ['older', 'older', 'older', 'kept'],
    ['older', 'older', 'newer', 'ahead, built'],
    ['older', 'newer', 'missing', 'ends before, built'],
    ['older', 'newer', 'older', 'ends before, are lost, built'],
    ['older', 'newer', 'newer', 'ends before, ahead, built'],
    ['newer', 'missing', 'missing', 'refused: keys_gone'],
    ['newer', 'missing', 'older', 'refused: keys_gone'],
    ['newer', 'missing', 'newer', 'refused: keys_gone'],
    ['newer', 'older', 'missing', 'refused: keys_older'],
    ['newer', 'older', 'older', 'refused: keys_older'],
    ['newer', 'older', 'newer', 'refused: keys_older'],
    ['newer', 'newer', 'missing', 'built'],
    ['newer', 'newer', 'older', 'kept'],
    ['newer', 'newer', 'newer', 'kept'],
  ];
  for (const [log, keys, views, outcome] of TABLE)
    it(`log ${log}, keys ${keys}, read models ${views}: ${outcome}`, () => {
      const dir = folderOf({ log, keys, views });
      expect(start(dir)).to.equal(outcome);
      // The second start finds what the first one left: a refusal stays one, and nothing is done twice.
      const [settled = ''] = outcome.split(', ').slice(-1);
      expect(start(dir)).to.equal(settled);
      if (!outcome.startsWith('refused')) return;

      const before = readdirSync(dir);
      const accepted = acceptLoss({ dataDir: dir, hasViews: true });
      expect(`refused: ${accepted?.loss}`).to.equal(outcome);
      expect(start(dir)).to.equal(log === 'missing' ? 'new' : expectedAfterLoss(log, views));
      // What is not used any more is beside, not deleted.
      const aside = accepted?.movedTo ? readdirSync(accepted.movedTo) : [];
      expect([...readdirSync(dir), ...aside]).to.include.members(
        before.filter((name) => /^(events|keys)\.db$/.test(name) || (name === 'views' && log === 'missing')),
      );
    });

  const expectedAfterLoss = (log: Age, views: Age): string =>
    views === 'missing' ? 'built' : log === 'older' && views === 'newer' ? 'ahead, built' : 'kept';

  it('of another installation: keys are refused, read models are built again', () => {
    expect(start(folderOf({ log: 'newer', keys: 'foreign', views: 'newer' }))).to.equal('refused: keys_foreign');
    expect(start(folderOf({ log: 'newer', keys: 'newer', views: 'foreign' }))).to.equal('another event log, built');
    expect(start(folderOf({ log: 'foreign', keys: 'newer', views: 'newer' }))).to.equal('refused: keys_foreign');
  });

  it('emptied files count as missing, and damaged ones are named', () => {
    const emptied = folderOf({ log: 'newer', keys: 'newer', views: 'newer' });
    rmSync(join(emptied, 'events.db-wal'), { force: true });
    truncateSync(join(emptied, 'events.db'));
    expect(start(emptied)).to.equal('refused: log_gone');

    for (const name of ['events.db', 'keys.db']) {
      const dir = folderOf({ log: 'newer', keys: 'newer', views: 'newer' });
      rmSync(join(dir, `${name}-wal`), { force: true });
      writeFileSync(join(dir, name), 'no database'.repeat(1_000));
      expect(() => start(dir)).to.throw(DamagedFile, join(dir, name));
    }
    const views = folderOf({ log: 'newer', keys: 'newer', views: 'newer' });
    rmSync(join(views, 'views', 'notes.1.db-wal'), { force: true });
    writeFileSync(join(views, 'views', 'notes.1.db'), 'no database'.repeat(1_000));
    expect(start(views)).to.equal('damaged, built');
  });

  it('a first start that was killed between its keys and its first event goes on', async () => {
    const dir = join(root, 'killed');
    const engine = openSqliteLog({ dir });
    await engine.keys.put([
      { id: 'a', subject: 'ada', seed: new Uint8Array(32) },
      { id: 'b', subject: 'bob', seed: new Uint8Array(32) },
    ]);
    await engine.events.close();
    expect(start(dir)).to.equal('built');
  });

  it('beside a log on a server that grows meanwhile, with a process that follows it, goes on', async () => {
    const dir = folderOf({ log: 'newer', keys: 'newer', views: 'newer' });
    const engine = openSqliteLog({ dir });
    const notes = new NotesFixture(engine);
    const { views } = openSqliteViews({ dir, instance: 'test' });
    const writer = await views.writer(SPEC);
    // Right after the end of the log is known, the other process reads and projects another event.
    const readLog = async () => {
      const { log } = takeInventory({ dataDir: dir, hasViews: true });
      const { position } = await notes.take('another', 'hello');
      await writer.commit(await writer.checkpoint(), position, []);
      return log ?? expect.fail('no log');
    };
    const stores = await besideRemoteLog({ dataDir: dir, hasViews: true }, readLog, { sleep: async () => expect.fail('a wait') });
    expect(checkDataFolder(stores)).to.deep.equal([]);
    expect(takeInventory({ dataDir: dir, hasViews: true }).views?.highest).to.equal(await engine.events.head());
    await writer.close();
    await views.close();
    await notes.close();
  });

  it('beside a member of a cluster that has the newest events a moment later, goes on', async () => {
    const dir = folderOf({ log: 'newer', keys: 'newer', views: 'newer' });
    const { log: newest } = takeInventory({ dataDir: dir, hasViews: true });
    const { log: older } = takeInventory({ dataDir: folderOf({ log: 'older', keys: 'older', views: 'older' }), hasViews: true });
    const answers = [older, older, newest];
    let waited = 0;
    const sleep = async (ms: number) => {
      waited += ms;
    };
    const stores = await besideRemoteLog({ dataDir: dir, hasViews: true }, async () => answers.shift() ?? expect.fail('no log'), { sleep });
    expect(checkDataFolder(stores)).to.deep.equal([]);
    expect(waited).to.equal(2_000);
  });

  it('a folder of an older release is adopted by the first start', async () => {
    const dir = folderOf({ log: 'newer', keys: 'newer', views: 'newer' });
    const { openDatabase } = await import('../../../engines/sqlite/driver.js');
    for (const name of ['events.db', 'keys.db', 'views/catalog.db']) {
      const db = openDatabase(join(dir, name));
      db.exec('DROP TABLE installation');
      db.close();
    }
    expect(start(dir)).to.equal('kept');
    const { log, keys, views } = takeInventory({ dataDir: dir, hasViews: true });
    expect([keys?.identity, views?.identity]).to.deep.equal([log?.identity, log?.identity]);
    rmSync(join(dir, 'events.db'));
    expect(start(dir)).to.equal('refused: log_gone');
  });
});
