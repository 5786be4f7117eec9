import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { PROGRAM } from '../../support/program.js';

describe('the command line', () => {
  let root: string;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'heliograph-cli-'));
  });
  after(() => rmSync(root, { recursive: true }));
  const noLog = (dir: string) => `heliograph: There is no event log in ${dir}. Name the data folder with --data-dir.\n`;
  const dataDir = (name = 'data') => join(root, name);

  const start = (args: readonly string[], env: Record<string, string> = {}): ChildProcess =>
    spawn(process.execPath, [PROGRAM, ...args], {
      env: { PATH: process.env.PATH, HELIOGRAPH_DATA_DIR: dataDir(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  async function run(args: readonly string[], env: Record<string, string> = {}) {
    const child = start(args, env);
    const code = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const [out, err] = await Promise.all([text(child.stdout as NodeJS.ReadableStream), text(child.stderr as NodeJS.ReadableStream)]);
    return { out, err, code: await code };
  }

  it('creates an account without a server, and lists its events', async () => {
    const created = await run(['account', 'create', '--name', 'Ada', '--email', 'ada@example.com', '--password', 'correct horse battery', '--json']);
    expect(created.err).to.equal('');
    expect(JSON.parse(created.out)).to.include.all.keys('account_id', 'api_key', 'user', 'webhook_secret');
    const counted = await run(['events', 'count', '--json']);
    expect(JSON.parse(counted.out).by_type).to.include({ AccountCreated: 1, UserAdded: 1, ApiKeyIssued: 1 });
    const exported = await run(['events', 'export']);
    expect(exported.out).not.to.include('ada@example.com');
    expect((await run(['events', 'export', '--open'])).out).to.include('ada@example.com');
  });

  it('helps users who cannot sign in', async () => {
    const account = JSON.parse((await run(['account', 'list', '--json'])).out).accounts[0].id;
    const env = { HELIOGRAPH_PUBLIC_URL: 'https://mail.example.com' };
    const reset = JSON.parse((await run(['user', 'reset-link', '--email', 'ADA@example.com', '--json'], env)).out);
    expect(reset.url).to.match(/^https:\/\/mail\.example\.com\/dashboard\/reset\/[\w-]+$/);
    expect(Date.parse(reset.expires_at) - Date.now()).to.be.within(3_000_000, 3_600_000);
    expect((await run(['user', 'reset-link', '--email', 'eve@example.com'])).code).to.equal(1);
    const invite = (...more: string[]) => run(['user', 'invite', '--account', account, '--email', 'grace@example.com', ...more], env);
    const invited = await invite();
    expect(invited).to.include({ code: 0, err: '' });
    expect(invited.out).to.match(/^https:\/\/mail\.example\.com\/dashboard\/invitation\/[\w-]+\n$/);
    expect(JSON.parse((await invite('--role', 'owner', '--json')).out)).to.include({ email: 'grace@example.com', role: 'owner', message_id: null });
    expect(JSON.parse((await run(['user', 'second-factor-off', '--email', 'ada@example.com', '--json'])).out)).to.include({ two_factor: false });
    expect((await invite('--role', 'king')).code).to.equal(2);
    expect((await run(['user', 'invite', '--account', 'acc_none', '--email', 'x@example.com'])).code).to.equal(1);
  });

  it('backs up, restores elsewhere and verifies the rebuilt projection', async () => {
    expect(await run(['backup', dataDir('backup')])).to.include({ code: 0 });
    const elsewhere = { HELIOGRAPH_DATA_DIR: dataDir('elsewhere') };
    expect(await run(['restore', dataDir('backup')], elsewhere)).to.include({ code: 0 });
    const keyless = await run(['projections', 'rebuild', 'accounts'], elsewhere);
    expect(keyless).to.include({ code: 1 });
    expect(keyless.err).to.include('its master key is missing');
    expect(existsSync(join(dataDir('elsewhere'), 'master.key'))).to.equal(false);
    const wrong = { ...elsewhere, HELIOGRAPH_MASTER_KEY: Buffer.alloc(32, 9).toString('base64') };
    expect((await run(['projections', 'rebuild', 'accounts'], wrong)).err).to.include('another master key');
  });

  it('rebuilds and verifies a projection by its name', async () => {
    expect(await run(['projections', 'rebuild', 'accounts'])).to.include({ code: 0 });
    const verified = await run(['projections', 'verify', 'accounts', '--json']);
    expect(JSON.parse(verified.out)).to.include({ name: 'accounts', equal: true });
    const listed = JSON.parse((await run(['projections', 'list', '--json'])).out) as { name: string; lag_ms: number }[];
    expect(listed.find(({ name }) => name === 'accounts')).to.include({ status: 'live', lag_ms: 0 });
    expect(listed.map(({ name }) => name)).to.include('messages');
  });

  it('exits with 1 and prints one line on standard error when a command fails', async () => {
    const missing = await run(['events', 'count'], { HELIOGRAPH_DATA_DIR: dataDir('nowhere') });
    expect(missing).to.deep.equal({ code: 1, out: '', err: noLog(dataDir('nowhere')) });
    expect(existsSync(dataDir('nowhere'))).to.equal(false);
    writeFileSync(join(root, 'file'), '');
    expect(await run(['events', 'export', '--out', join(root, 'file')])).to.include({ code: 1, out: '' });
  });

  it('creates no data folder but for an account, a server and a copy', async () => {
    const nowhere = { HELIOGRAPH_DATA_DIR: dataDir('nowhere') };
    const needy = [
      ['key', 'create', '--account', 'acc_1'],
      ['account', 'list'],
      ['audit', 'consent', '--account', 'acc_1', '--address', 'a@example.com'],
      ['erase', '--account', 'acc_1', '--contact', 'con_1', '--yes'],
      ['jobs', 'list'],
      ['parked', 'list'],
    ];
    const results = await Promise.all(needy.map((args) => run(args, nowhere)));
    for (const result of results) expect(result).to.deep.equal({ code: 1, out: '', err: noLog(dataDir('nowhere')) });
    expect(existsSync(dataDir('nowhere'))).to.equal(false);
  });

  it('says that an account does not exist', async () => {
    const needy = [
      ['key', 'create', '--account', 'acc_none'],
      ['key', 'list', '--account', 'acc_none'],
      ['audit', 'consent', '--account', 'acc_none', '--address', 'a@example.com'],
      ['erase', '--account', 'acc_none', '--address', 'a@example.com', '--yes'],
    ];
    const results = await Promise.all(needy.map((args) => run(args)));
    for (const [i, result] of results.entries()) {
      expect(result, `${needy[i]}`).to.include({ code: 1, out: '' });
      expect(result.err).to.match(/^heliograph: There is no (such )?account/);
    }
  });

  it('lists accounts and keys, revokes a key, and sets a new password', async () => {
    const [{ id: account }] = JSON.parse(
      (await run(['account', 'list', '--data-dir', dataDir(), '--json'], { HELIOGRAPH_DATA_DIR: dataDir('nowhere') })).out,
    ).accounts;
    const { keys } = JSON.parse((await run(['key', 'list', '--account', account, '--json'])).out);
    const issued = JSON.parse((await run(['key', 'create', '--account', account, '--name', 'Short', '--json'])).out);
    expect(await run(['key', 'revoke', issued.id, '--account', account])).to.deep.equal({ code: 0, out: `${issued.id}  revoked\n`, err: '' });
    expect(JSON.parse((await run(['key', 'list', '--account', account, '--json'])).out).keys).to.deep.equal(keys);
    const changed = await run(['user', 'password', '--email', 'Ada@Example.com', '--password', 'a wholly new password', '--json']);
    expect(JSON.parse(changed.out)).to.include({ email: 'ada@example.com', status: 'active' });
    const own = await run(['user', 'password', '--email', 'ada@example.com', '--password', 'ada@example.com']);
    expect([own.code, own.err]).to.satisfy(([code, err]: [number, string]) => code === 1 && err.includes('the email of its user'));
    const founder = ['--name', 'Weak', '--email', 'founder@example.com', '--password', 'founder@2024'];
    expect((await run(['account', 'create', ...founder])).err).to.include('the email of its user');
    expect((await run(['user', 'password', '--email', 'bob@example.com', '--password', 'a wholly new password'])).code).to.equal(1);
  });

  it('erases only what is confirmed', async () => {
    const { code, err } = await run(['erase', '--account', 'acc_1', '--list', '--yes']);
    expect([code, err]).to.deep.equal([0, '']);
    const unasked = await run(['erase', '--again', join(root, 'none.jsonl')]);
    expect(unasked.err).to.equal(`heliograph: There is no ${join(root, 'none.jsonl')}.\n`);
    writeFileSync(join(root, 'empty.jsonl'), '');
    expect((await run(['erase', '--again', join(root, 'empty.jsonl')])).err).to.include('Confirm it with --yes.');
  });

  it('says that a port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const served = await run(['serve', '--port', `${port}`, '--data-dir', dataDir('busy')]);
    const listened = await run(['listen', '--port', `${port}`]);
    taken.close();
    for (const { code, err } of [served, listened]) {
      expect(code).to.equal(1);
      expect(err).to.include(`Port ${port} of 127.0.0.1 is in use`);
    }
    // Otherwise the next start would not create the demo account, whose credentials nobody has seen.
    const left = await run(['account', 'list', '--json', '--data-dir', dataDir('busy')]);
    expect(JSON.parse(left.out)).to.deep.equal({ accounts: [] });
  });

  const misused: Record<string, readonly string[]> = {
    'an unknown command': ['ship'],
    'an unknown subcommand': ['events', 'shred'],
    'an unknown option': ['events', 'count', '--fast'],
    'a missing argument': ['backup'],
    'an unknown projection': ['projections', 'verify', 'gadgets'],
    'a status that no answer has': ['listen', '--status', '42'],
    'a port that there is not': ['listen', '--port', '65536'],
    'a value of the wrong type': ['events', 'tail', '--last', 'many'],
  };
  for (const [what, args] of Object.entries(misused)) {
    it(`exits with 2 for ${what}`, async () => {
      const { code, out, err } = await run(args);
      expect(code).to.equal(2);
      expect(out).to.equal('');
      expect(err)
        .to.match(/^heliograph: /)
        .and.not.match(/^\s+at /m);
    });
  }

  it('exits with 2 when the configuration is invalid, and names every invalid variable', async () => {
    const { code, err } = await run(['serve'], { PORT: 'http', LOG_LEVEL: 'loud' });
    expect(code).to.equal(2);
    expect(err).to.include("PORT='http'").and.include("LOG_LEVEL='loud'");
  });

  it('lists the settings in its help', async () => {
    const { code, out } = await run(['serve', '--help']);
    expect(code).to.equal(0);
    expect(out).to.include('HELIOGRAPH_DATA_DIR').and.include('PORT (3000)');
  });

  it('tails the log until it receives a signal', async () => {
    const tail = start(['events', 'tail', '--last', '1', '--json']);
    const ended = new Promise((resolve) => tail.once('exit', (code) => resolve(code)));
    const seen: string[] = [];
    const tailed = new Promise<void>((resolve) => {
      tail.stdout?.on('data', (chunk: Buffer) => {
        seen.push(...String(chunk).trim().split('\n'));
        if (seen.some((line) => line.includes('"ApiKeyIssued"') && line.includes('Reader'))) resolve();
      });
    });
    await new Promise<void>((resolve) => tail.stdout?.once('data', () => resolve()));
    const account = JSON.parse(seen[0] as string).metadata.account as string;
    expect(await run(['key', 'create', '--account', account, '--name', 'Reader', '--scopes', 'read'])).to.include({ code: 0 });
    await tailed;
    tail.kill('SIGTERM');
    expect(await ended).to.equal(0);
  });

  it('exits without an error when the reader closes the pipe', async () => {
    const tail = start(['events', 'export']);
    tail.stdout?.destroy();
    const err = await text(tail.stderr as NodeJS.ReadableStream);
    expect(err).not.to.include('EPIPE');
  });
});
