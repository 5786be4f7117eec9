import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { BackupError, backup, restore } from '../../../ops/cli/backup.js';
import { exportEvents } from '../../../ops/cli/operator-events.js';
import { loadMasterKey } from '../../../ops/system/secrets.js';
import { collect, type NotesFixture, useNotesFixture } from './notes-fixture.js';

const { signal } = new AbortController();
const now = () => Date.parse('2026-02-03T04:05:06.789Z');
const contents = (notes: NotesFixture) => collect(exportEvents(notes.log, { open: true, signal }));

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => expect.fail('it was not refused'),
    (e: unknown) => e,
  );
  expect(error).to.be.instanceOf(BackupError);
  return (error as Error).message;
}

describe('a backup', () => {
  const { dir, open, serve } = useNotesFixture();

  it('made beside a running server restores every event, and all events can be opened', async () => {
    const running = open('data');
    await running.take('ann', 'buy milk');
    await running.move('ann', 0, 'red');
    const manifest = await backup({ dataDir: dir('data'), target: dir('backup'), now });
    expect(manifest).to.include({ made_at: '2026-02-03T04:05:06.789Z', engine: 'sqlite', events: 2, head: '00000000000000000002' });
    await running.take('bob', 'too late');
    await restore({ source: dir('backup'), dataDir: dir('restored') });
    const restored = open('restored');
    expect(await contents(restored)).to.deep.equal((await contents(running)).slice(0, 2));
    await restored.take('cid', 'continues');
    expect(await contents(restored)).to.have.length(3);
  });

  it('has the log and the keys in separate folders, not the master key, and is readable by its owner only', async () => {
    mkdirSync(dir('data'));
    const master = loadMasterKey({ dataDir: dir('data'), masterKey: null });
    await open('data', master).take('ann', 'x');
    await backup({ dataDir: dir('data'), target: dir('backup'), now });
    const files = (readdirSync(dir('backup'), { recursive: true }) as string[]).sort();
    expect(files).to.deep.equal(['keys', 'keys/keys.db', 'log', 'log/events.db', 'log/master.check', 'manifest.json']);
    for (const file of files) expect(statSync(join(dir('backup'), file)).mode & 0o077, file).to.equal(0);
    await restore({ source: dir('backup'), dataDir: dir('restored') });
    expect(() => loadMasterKey({ dataDir: dir('restored'), masterKey: null })).to.throw('its master key is missing');
    expect(loadMasterKey({ dataDir: dir('restored'), masterKey: master })).to.equal(master);
  });

  it('does not contain erased data', async () => {
    const running = open('data');
    await running.take('ann', 'x');
    const seed = Buffer.from((await running.engine.keys.bySubject(['ann']))[0]?.seed ?? []);
    expect(seed).to.have.length(32);
    await running.vault.erase('ann');
    await backup({ dataDir: dir('data'), target: dir('backup'), now });
    expect(readFileSync(dir('backup/keys/keys.db')).includes(seed)).to.equal(false);
  });

  it('is consistent while events are being written', async () => {
    const running = await serve('data');
    await running.take('first', 'x');
    const writing = Promise.all(Array.from({ length: 2_000 }, (_, i) => running.take(`p${i}`, `note ${i}`)));
    await running.take('second', 'x');
    const manifest = await backup({ dataDir: dir('data'), target: dir('backup'), now });
    await writing;
    await restore({ source: dir('backup'), dataDir: dir('restored') });
    const events = await contents(open('restored'));
    expect(events).to.have.length(manifest.events);
    expect(events.length).to.be.within(2, 2_002);
    expect(JSON.stringify(events)).not.to.include('<erased>');
  });

  it('is rejected without a log, or if the target folder is not empty', async () => {
    expect(await refusal(backup({ dataDir: dir('nothing'), target: dir('backup'), now }))).to.include('no event log');
    await open('data').take('ann', 'x');
    mkdirSync(dir('full'));
    writeFileSync(dir('full/letter.txt'), 'dear');
    expect(await refusal(backup({ dataDir: dir('data'), target: dir('full'), now }))).to.include('is not empty');
  });
});

describe('restoring', () => {
  const { dir, open } = useNotesFixture();
  beforeEach(async () => {
    const notes = open('data');
    await notes.take('ann', 'buy milk');
    await backup({ dataDir: dir('data'), target: dir('backup'), now });
    await notes.close();
  });
  const restored = async () => {
    const notes = open('restored');
    return (await contents(notes)).map(({ data }) => (data as { note: string }).note);
  };

  it('leaves only the data in the folder', async () => {
    await restore({ source: dir('backup'), dataDir: dir('restored') });
    expect(readdirSync(dir('restored')).sort()).to.deep.equal(['events.db', 'keys.db']);
    expect(readdirSync(dir('backup/log'))).to.deep.equal(['events.db']);
  });

  it('replaces existing data, read models included, only with --force', async () => {
    const other = open('other');
    await other.take('bob', 'old');
    await backup({ dataDir: dir('other'), target: dir('older backup'), now });
    await restore({ source: dir('older backup'), dataDir: dir('restored') });
    mkdirSync(dir('restored/views'));
    writeFileSync(dir('restored/views/messages.1.db'), '');
    const before = readFileSync(dir('restored/events.db'));
    expect(await refusal(restore({ source: dir('backup'), dataDir: dir('restored') }))).to.include(
      'is not empty; it holds events.db, keys.db, views',
    );
    expect(readFileSync(dir('restored/events.db')).equals(before)).to.equal(true);
    await restore({ source: dir('backup'), dataDir: dir('restored'), force: true });
    expect(existsSync(dir('restored/views'))).to.equal(false);
    expect(await restored()).to.deep.equal(['buy milk']);
  });

  it('never replaces files that a running server has open', async () => {
    const running = open('restored');
    await running.take('bob', 'live');
    expect(await refusal(restore({ source: dir('backup'), dataDir: dir('restored'), force: true }))).to.include('is in use');
    await running.take('cid', 'still live');
    expect(await contents(running)).to.have.length(2);
  });

  it('accepts a folder that already has the master key', async () => {
    mkdirSync(dir('restored'));
    writeFileSync(dir('restored/master.key'), `${Buffer.alloc(32, 1).toString('base64')}\n`);
    await restore({ source: dir('backup'), dataDir: dir('restored') });
    expect(await restored()).to.deep.equal(['buy milk']);
  });

  it('takes the keys from another folder', async () => {
    renameSync(dir('backup/keys'), dir('safe'));
    expect(await refusal(restore({ source: dir('backup'), dataDir: dir('restored') }))).to.include('keys.db is missing');
    await restore({ source: dir('backup'), dataDir: dir('restored'), keys: dir('safe') });
    expect(await restored()).to.deep.equal(['buy milk']);
  });

  it('without keys reads the key of every personal field as missing', async () => {
    rmSync(dir('backup/keys'), { recursive: true });
    await restore({ source: dir('backup'), dataDir: dir('restored'), withoutKeys: true });
    expect(await restored()).to.deep.equal(['<key_missing>']);
  });

  it('rejects a backup that is incomplete or was changed', async () => {
    appendFileSync(dir('backup/log/events.db'), 'x');
    expect(await refusal(restore({ source: dir('backup'), dataDir: dir('restored') }))).to.include('is not the file of this backup');
    rmSync(dir('backup/manifest.json'));
    expect(await refusal(restore({ source: dir('backup'), dataDir: dir('restored') }))).to.include('is incomplete');
    expect(existsSync(dir('restored'))).to.equal(false);
  });
});
