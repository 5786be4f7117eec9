import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { copyDatabase } from '../../../engines/sqlite/database-files.js';
import { openSqliteLog, openSqliteViews } from '../../../engines/sqlite/index.js';
import { narrowDataFolder } from '../../../ops/engines/narrow-folder.js';
import { embedded } from '../../support/engines.js';
import { Service } from '../../support/service.js';

const modeOf = (path: string): string => (lstatSync(path).mode & 0o777).toString(8);
/** Every file and folder below a path that others may do anything with, and the path itself. */
function wideIn(path: string): string[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found || found.isSymbolicLink()) return [];
  const own = (found.mode & 0o077) === 0 ? [] : [`${path} ${modeOf(path)}`];
  return [...own, ...(found.isDirectory() ? readdirSync(path).flatMap((name) => wideIn(join(path, name))) : [])];
}

describe('the files of a data folder', function () {
  this.timeout(120_000);
  let dir: string;
  before(function () {
    // Windows has no such modes.
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'heliograph-modes-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it('are narrowed to their owner, and nothing else is touched', () => {
    const [data, elsewhere] = [join(dir, 'data'), join(dir, 'elsewhere')];
    mkdirSync(join(data, 'views'), { recursive: true });
    for (const name of ['events.db', 'events.db-wal', 'keys.db', 'master.key', 'operator.token', 'views/catalog.db', 'photo.jpg'])
      writeFileSync(join(data, name), '');
    writeFileSync(elsewhere, '');
    symlinkSync(elsewhere, join(data, 'views', 'link'));
    for (const path of [data, join(data, 'views')]) chmodSync(path, 0o755);
    for (const path of [...readdirSync(data).map((name) => join(data, name)), join(data, 'views', 'catalog.db'), elsewhere])
      if (!lstatSync(path).isDirectory()) chmodSync(path, 0o644);
    expect(narrowDataFolder(data)).to.deep.equal([]);
    expect(wideIn(data)).to.deep.equal([`${join(data, 'photo.jpg')} 644`]);
    expect([modeOf(data), modeOf(join(data, 'views')), modeOf(join(data, 'keys.db')), modeOf(elsewhere)]).to.deep.equal(['700', '700', '600', '644']);
  });

  it('are named by a warning that says what to do where they cannot be narrowed', function () {
    // Nobody may change the modes of these, not even root.
    if (!existsSync('/proc/self/task')) this.skip();
    const [warning, ...more] = narrowDataFolder('/proc/self');
    expect(more).to.deep.equal([]);
    expect(warning).to.match(
      /Other users of this machine can read the data: the mode of \/proc\/self cannot be narrowed\..*chmod -R go= \/proc\/self$/,
    );
    expect(narrowDataFolder('/proc/self', 'win32')).to.deep.equal([]);
  });

  it('are for their owner alone where the engines make them in a process with any umask', async () => {
    const before = process.umask(0);
    try {
      const data = join(dir, 'made');
      const [log, views] = [openSqliteLog({ dir: data }), openSqliteViews({ dir: data, instance: 'one' })];
      await log.keys.put([{ id: 'key', subject: 'subject', seed: Buffer.alloc(32) }]);
      await Promise.all([log.tryWrite(), views.tryWrite()]);
      await views.snapshots.put('stream', 'fold', { revision: 1, content: 'x' });
      copyDatabase(join(data, 'keys.db'), join(data, 'copy.db'));
      expect(wideIn(data)).to.deep.equal([]);
      await views.views.close();
      await log.events.close();
      expect(readdirSync(data)).to.include.members(['events.db', 'keys.db', 'views', 'copy.db']);
    } finally {
      process.umask(before);
    }
  });

  it('are for their owner alone whatever the umask is: of the service, of a backup and its restore, and of a copy of the engines', async function () {
    if (!embedded) this.skip();
    const before = process.umask(0);
    const service = Service.node({});
    try {
      chmodSync(service.dir, 0o755);
      await service.restart();
      service.account = await service.createAccount('modes@example.com');
      expect(
        (await service.api('POST', '/v1/messages/send', { to: 'modes@example.com', channel: 'email', message: 'x', subject: 'x' })).status,
      ).to.equal(202);
      expect(readdirSync(service.dir)).to.include.members(['events.db', 'events.db-wal', 'keys.db', 'views', 'master.key']);
      expect(wideIn(service.dir), 'beside the running service').to.deep.equal([]);
      const run = async (...args: string[]) => {
        const { code, stderr } = await service.cli(...args);
        expect(code, stderr).to.equal(0);
      };
      await run('backup', join(dir, 'backup'));
      expect(wideIn(join(dir, 'backup'))).to.deep.equal([]);
      await run('events', 'export', '--out', join(dir, 'events.jsonl'));
      expect(wideIn(join(dir, 'events.jsonl'))).to.deep.equal([]);
      await service.stop();
      const copy = join(dir, 'copy');
      mkdirSync(copy, { mode: 0o755 });
      await run('engines', 'copy', '--from', `sqlite:${service.dir}`, '--to', `sqlite:${copy}`);
      expect(existsSync(join(copy, 'keys.db'))).to.equal(true);
      expect(wideIn(copy), 'a copy').to.deep.equal([]);
      const restored = join(dir, 'restored');
      mkdirSync(restored, { mode: 0o755 });
      await run('restore', join(dir, 'backup'), '--data-dir', restored);
      expect(wideIn(restored), 'a restored folder').to.deep.equal([]);
    } finally {
      process.umask(before);
      await service.close();
    }
  });
});
