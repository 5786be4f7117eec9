import { expect } from 'chai';
import fc from 'fast-check';
import { createAccount } from '../../commands/accounts/create-account.js';
import { createUser } from '../../commands/accounts/create-user.js';
import { removeUser } from '../../commands/accounts/remove-user.js';
import type { Cause } from '../../commands/runtime/command.js';
import { type Account, type AccountEvent, account, accountIdOf, accountStream, type User } from '../../domain/accounts/account.js';
import { fold } from '../../domain/kernel/decider.js';
import { hashApiKey } from '../../formats/accounts/secrets.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { PASSWORD as password } from '../support/service-accounts.js';
import { TestApp } from '../support/test-app.js';

/** The process was killed: nothing is written after this. */
class Killed extends Error {}

/** A log whose appends can be delayed or killed. */
function killableLog() {
  const app = new TestApp();
  const { events } = app.engine;
  const fuse: { appends: number; before?: (stream: string) => Promise<void> } = { appends: Number.POSITIVE_INFINITY };
  const append = events.append.bind(events);
  events.append = async (stream, ...rest) => {
    if (fuse.appends-- <= 0) throw new Killed();
    await fuse.before?.(stream);
    return append(stream, ...rest);
  };
  return { log: app.log, dispatcher: app, fuse };
}

let runs = 0;
const cause = (accountId: string, key?: string): Cause => ({
  account: accountId,
  actor: { kind: 'operator', id: 'operator' },
  invocation: `run-${++runs}`,
  correlation: 'spec',
  ...(key === undefined ? {} : { key, fingerprint: key }),
});
const createAccountWith = (dispatcher: TestApp, accountId: string, email: string) =>
  dispatcher.execute(createAccount, { name: 'Acme', email, password }, cause(accountId));
const add = (dispatcher: TestApp, accountId: string, email: string, key?: string) =>
  dispatcher.execute(createUser, { email, role: 'member', password }, cause(accountId, key));
const codeOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'done',
    (e) => (e instanceof Killed ? 'killed' : e.code),
  );

async function accountState(log: EventLog, accountId: string): Promise<Account> {
  return fold(
    account,
    ((await log.read<AccountEvent>(accountStream(accountId))) ?? []).map(({ event }) => event),
  );
}
/** Every user of every account. */
async function allUsers(log: EventLog): Promise<User[]> {
  const { events } = await log.readAll('start', 10_000);
  const ids = new Set(events.flatMap(({ stream }) => accountIdOf(stream) ?? []));
  const states = await Promise.all([...ids].map((id) => accountState(log, id)));
  return states.flatMap((state) => (state.status === 'open' ? [...state.users.values()] : []));
}

describe('a sign-in email over all accounts', () => {
  it('is refused to a second account, and only the operator gets the account that has it', async () => {
    const { dispatcher } = killableLog();
    await createAccountWith(dispatcher, 'acc_1', 'ada@example.com');
    const error = await createAccountWith(dispatcher, 'acc_2', 'Ada@example.com').catch((e) => e);
    expect([error.code, error.details.account_id]).to.deep.equal(['conflict', 'acc_1']);
    const asUser: Cause = { ...cause('acc_1'), actor: { kind: 'user', id: 'usr_1' } };
    const plain = await dispatcher.execute(createUser, { email: 'ada@example.com', role: 'member', password }, asUser).catch((e) => e);
    expect([plain.code, plain.details]).to.deep.equal(['conflict', { field: 'email' }]);
  });

  it('without its user is completed by the next command that finds it', async () => {
    const { dispatcher, log, fuse } = killableLog();
    await createAccountWith(dispatcher, 'acc_1', 'ada@example.com');
    fuse.appends = 1;
    expect(await codeOf(add(dispatcher, 'acc_1', 'bob@example.com'))).to.equal('killed');
    expect(await allUsers(log)).to.have.length(1);
    fuse.appends = Number.POSITIVE_INFINITY;
    expect(await codeOf(createAccountWith(dispatcher, 'acc_2', 'bob@example.com'))).to.equal('conflict');
    const users = await allUsers(log);
    expect(users.map(({ email, role }) => [email, role])).to.deep.equal([
      ['ada@example.com', 'owner'],
      ['bob@example.com', 'member'],
    ]);
    expect((await accountState(log, 'acc_2')).status).to.equal('none');
  });

  it('of the first user of an account creates the account when it is completed', async () => {
    const { dispatcher, log, fuse } = killableLog();
    fuse.appends = 1;
    expect(await codeOf(createAccountWith(dispatcher, 'acc_1', 'ada@example.com'))).to.equal('killed');
    fuse.appends = Number.POSITIVE_INFINITY;
    const error = await createAccountWith(dispatcher, 'acc_2', 'ada@example.com').catch((e) => e);
    expect([error.code, error.details.account_id]).to.deep.equal(['conflict', 'acc_1']);
    const state = await accountState(log, 'acc_1');
    expect(state.status === 'open' && [state.users.size, state.keys.size, state.webhook_secret.current.slice(0, 6)]).to.deep.equal([1, 0, 'whsec_']);
  });

  it('completed by another command still gives the slow first one its key and secret', async () => {
    const { dispatcher, log, fuse } = killableLog();
    let other: Promise<string> | undefined;
    fuse.before = async (stream) => {
      if (stream !== accountStream('acc_1') || other) return;
      other = codeOf(createAccountWith(dispatcher, 'acc_2', 'ada@example.com'));
      expect(await other).to.equal('conflict');
    };
    const { output } = await createAccountWith(dispatcher, 'acc_1', 'ada@example.com');
    const state = await accountState(log, 'acc_1');
    if (!other || state.status !== 'open') throw new Error('no command found the incomplete claim');
    expect([...state.keys.values()].map(({ hash }) => hash)).to.deep.equal([hashApiKey(output.api_key)]);
    expect(state.webhook_secret.current).to.equal(output.webhook_secret);
    expect([...state.users.keys()]).to.deep.equal([output.user.id]);
  });

  it('is completed by the same request under its idempotency key', async () => {
    const { dispatcher, log, fuse } = killableLog();
    await createAccountWith(dispatcher, 'acc_1', 'ada@example.com');
    fuse.appends = 1;
    expect(await codeOf(add(dispatcher, 'acc_1', 'bob@example.com', 'k'))).to.equal('killed');
    fuse.appends = Number.POSITIVE_INFINITY;
    const { output } = await add(dispatcher, 'acc_1', 'bob@example.com', 'k');
    expect((await allUsers(log)).map(({ id }) => id))
      .to.include(output.id)
      .and.to.have.length(2);
    expect((await add(dispatcher, 'acc_1', 'bob@example.com', 'k')).output).to.deep.equal(output);
  });

  it('of a removed user is free, even if the removal was interrupted', async () => {
    const { dispatcher, log, fuse } = killableLog();
    await createAccountWith(dispatcher, 'acc_1', 'ada@example.com');
    const { output: bob } = await add(dispatcher, 'acc_1', 'bob@example.com');
    fuse.appends = 1;
    expect(await codeOf(dispatcher.execute(removeUser, { user_id: bob.id }, cause('acc_1')))).to.equal('killed');
    fuse.appends = Number.POSITIVE_INFINITY;
    const { output: again } = await add(dispatcher, 'acc_1', 'bob@example.com');
    expect(again.id).not.to.equal(bob.id);
    await dispatcher.execute(removeUser, { user_id: bob.id }, cause('acc_1'));
    expect(
      await codeOf(createAccountWith(dispatcher, 'acc_2', 'bob@example.com')),
      'a late release must not free the claim of the next user',
    ).to.equal('conflict');
    expect(await allUsers(log)).to.have.length(2);
  });

  it('belongs to one user, under concurrent claims that are killed at any append', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.nat(1), { minLength: 2, maxLength: 4 }), fc.nat(8), async (accounts, appends) => {
        const { dispatcher, log, fuse } = killableLog();
        fuse.appends = appends;
        const commands = accounts.map((n, i) =>
          i % 2 === 0 ? createAccountWith(dispatcher, `acc_${n}`, 'ada@example.com') : add(dispatcher, `acc_${n}`, 'ada@example.com'),
        );
        await Promise.all(commands.map(codeOf));
        fuse.appends = Number.POSITIVE_INFINITY;
        await codeOf(createAccountWith(dispatcher, 'acc_9', 'ada@example.com'));
        expect(await allUsers(log)).to.have.length(1);
      }),
      { numRuns: 5 },
    )).timeout(120_000);
});
