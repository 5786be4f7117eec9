import { expect } from 'chai';
import { createAccount } from '../../commands/accounts/create-account.js';
import { revokeKey } from '../../commands/accounts/revoke-key.js';
import { startSession } from '../../commands/accounts/start-session.js';
import type { Cause } from '../../commands/runtime/command.js';
import { accountStream, accountStreamPrefix } from '../../domain/accounts/account.js';
import type { Docs, ReadModels } from '../../domain/kernel/ports.js';
import { openMemoryViews } from '../../engines/memory/index.js';
import { hashApiKey, parseSessionCookie } from '../../formats/accounts/secrets.js';
import { AccountDirectory, type Credential } from '../../projections/accounts/directory.js';
import { accounts } from '../../projections/accounts/projection.js';
import { runProjections } from '../../projections/runtime/runner.js';
import { followNames } from '../support/follow-changed-streams.js';
import { ManualClock } from '../support/manual-clock.js';
import { PASSWORD as password } from '../support/service-accounts.js';
import { system } from '../support/system.js';
import { TestApp } from '../support/test-app.js';
import { uncontendedLeases } from '../support/uncontended-leases.js';

const HOUR = 3_600_000;
const cause = (invocation: string): Cause => ({ account: 'acc_1', actor: { kind: 'operator', id: 'operator' }, invocation, correlation: 'spec' });

describe('the directory of accounts', () => {
  const clock = new ManualClock();
  const app = new TestApp();
  const { log } = app;
  const { events } = app.engine;
  const { views } = openMemoryViews(system);
  const ending = new AbortController();
  let running: Promise<void>;
  let hash: string;
  let keyId: string;
  let browser: { user_id: string; token_version: number; ip: string; user_agent: null; replaces: null };

  const caughtUp = async (): Promise<boolean> => views.waitUntilReached(accounts, (await events.head()) as string, 2_000);
  const noteSessionUse = async () => {};
  const directoryOver = (models: ReadModels, noteKeyUse: () => Promise<unknown> = async () => {}) =>
    new AccountDirectory({ log, views: models, clock, caughtUp, noteKeyUse, noteSessionUse });
  /** The same read models; their answers are delayed until another event was appended. */
  const slowed = (meanwhile: () => Promise<unknown>): ReadModels =>
    Object.assign(Object.create(views) as ReadModels, {
      waitUntilReached: views.waitUntilReached.bind(views),
      docs: (...of: Parameters<ReadModels['docs']>): Docs => {
        const docs = views.docs(...of);
        const find: Docs['find'] = async (query) => {
          const found = await docs.find(query);
          await meanwhile();
          return found;
        };
        return {
          get: docs.get.bind(docs),
          getMany: docs.getMany.bind(docs),
          count: docs.count.bind(docs),
          distinct: docs.distinct.bind(docs),
          findPage: docs.findPage.bind(docs),
          find,
        };
      },
    });

  before(async () => {
    running = runProjections([accounts], { log, views, ...uncontendedLeases() }, ending.signal);
    const { output } = await app.execute(createAccount, { name: 'Acme', email: 'ada@example.com', password }, cause('found'));
    hash = hashApiKey(output.api_key);
    browser = { user_id: output.user.id, token_version: 1, ip: '192.0.2.1', user_agent: null, replaces: null };
    keyId = ((await directoryOver(views).key(hash)) as Credential).actor.id;
  });
  after(async () => {
    ending.abort();
    await running;
  });

  it('answers synchronously from its cache', async () => {
    const directory = directoryOver(views);
    const asked = directory.key(hash);
    expect(asked).to.be.an.instanceof(Promise);
    const first = await asked;
    expect(first).to.deep.equal({ account: 'acc_1', actor: { kind: 'key', id: keyId }, scopes: null, role: null });
    expect(directory.key(hash)).to.equal(first);
    const { cookie } = (await app.execute(startSession, browser, cause('sign-in'))).output;
    const secret = parseSessionCookie(cookie)?.hash ?? '';
    const signedIn = await directory.session(browser.user_id, secret);
    expect(signedIn?.session).to.match(/^ses_/);
    expect(directory.session(browser.user_id, secret)).to.equal(signedIn);
    await directory.settings('acc_1');
    expect(directory.settings('acc_1')).not.to.be.an.instanceof(Promise);
  });

  it('rejects no unknown user while the read model is behind, and accepts known ones', async () => {
    const behind = new AccountDirectory({ log, views, clock, caughtUp: async () => false, noteKeyUse: async () => {}, noteSessionUse });
    for (const asked of [behind.key('made just now'), behind.user('usr_new', 1), behind.settings('acc_new')]) {
      const refusal = await Promise.resolve(asked).catch((e) => e);
      expect(refusal).to.include({ name: 'DomainError', code: 'projection_behind' });
    }
    expect(await behind.key(hash)).to.include({ account: 'acc_1' });
  });

  it('does not cache accounts that do not exist', async () => {
    const directory = directoryOver(views);
    for (let i = 0; i < 1_000; i++) {
      expect(await directory.key(`nobody-${i}`)).to.equal(null);
      expect(await directory.user(`usr_${i}`, 1)).to.equal(null);
      expect(await directory.settings(`acc_none_${i}`)).to.equal(null);
    }
    expect(directory.size).to.equal(0);
  });

  it('evicts an account on its events, and no others', async () => {
    const directory = directoryOver(views);
    await directory.key(hash);
    directory.noteAppended(accountStream('acc_2'), '00000000000000000001');
    directory.noteAppended('message-msg_1', '00000000000000000001');
    expect(directory.key(hash)).not.to.be.an.instanceof(Promise);
    directory.noteAppended(accountStream('acc_1'), '00000000000000000001');
    expect(directory.key(hash)).to.be.an.instanceof(Promise);
  });

  it('does not cache a read that is older than the latest event', async () => {
    const directory: AccountDirectory = directoryOver(slowed(async () => directory.noteAppended(accountStream('acc_1'), '00000000000000000001')));
    await directory.key(hash);
    expect(directory.key(hash), 'read before the event').to.be.an.instanceof(Promise);
  });

  it('records the use of a key once an hour, and soon again if that failed', async () => {
    const noted: number[] = [];
    let works = true;
    const directory = directoryOver(views, async () => {
      noted.push(clock.now());
      if (!works) throw new Error('no store');
    });
    const use = () => directory.key(hash);
    const start = clock.now();
    await use();
    for (let minute = 0; minute < 59; minute++) {
      await clock.advance(60_000);
      await use();
    }
    expect(noted).to.deep.equal([start]);
    works = false;
    await clock.advance(60_000);
    await use();
    await clock.advance(30_000);
    await use();
    await clock.advance(30_000);
    await use();
    expect(noted.map((at) => at - start)).to.deep.equal([0, HOUR, HOUR + 60_000]);
    expect(directory.lastUse(keyId)).to.equal(clock.now());
  });

  it('rejects a revoked key', async () => {
    const directory = directoryOver(views);
    const watching = followNames(log, { streams: [accountStreamPrefix] }, await events.head(), ending.signal, ({ streams }) => {
      for (const [stream, position] of streams) directory.noteAppended(stream, position);
    });
    expect(await directory.key(hash)).not.to.equal(null);
    const dropped = new Promise<void>((resolve) => {
      const noteAppended = directory.noteAppended.bind(directory);
      directory.noteAppended = (stream, position) => {
        noteAppended(stream, position);
        resolve();
      };
    });
    await app.execute(revokeKey, { key_id: keyId }, cause('revoke'));
    await dropped;
    expect(await directory.key(hash)).to.equal(null);
    ending.abort();
    await watching;
  });
});
