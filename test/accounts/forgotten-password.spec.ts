import { expect } from 'chai';
import { changeUser } from '../../commands/accounts/change-user.js';
import { createAccount } from '../../commands/accounts/create-account.js';
import { createUser } from '../../commands/accounts/create-user.js';
import { removeUser } from '../../commands/accounts/remove-user.js';
import { requestPasswordReset } from '../../commands/accounts/request-password-reset.js';
import { resetPassword } from '../../commands/accounts/reset-password.js';
import { passwordResetStream } from '../../domain/accounts/password-reset.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { readLinkToken } from '../../formats/accounts/account-links.js';
import { type PasswordResetTodo, resetPasswords } from '../../processes/accounts/reset-passwords.js';
import type { PerformContext } from '../../processes/runtime/process-manager.js';
import { FailingWrites } from '../support/failing-writes.js';
import { processSpecification } from '../support/process-specification.js';
import { PASSWORD as password } from '../support/service-accounts.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { AccountService, PUBLIC_URL } from './service.js';

const ADA = 'ada@example.com';
const base_url = 'https://mail.example.com';
const HOUR = 3_600_000;

/** Ada is an owner; her account reaches people by email unless it says otherwise. */
async function forgetful(reachesByEmail = true) {
  const app = new TestApp([resetPasswords], { accounts: { reachesByEmail: async () => reachesByEmail } });
  const { user } = (await app.execute(createAccount, { name: 'Acme', email: ADA, password })).output;
  const key = (email: string) => app.vault.key('', email);
  const events = async (stream: string) => ((await app.log.read<AnyEvent>(stream)) ?? []).map(({ event }) => event);
  return {
    app,
    user,
    key,
    ask: (email = ADA) => app.execute(requestPasswordReset, { email_key: key(email), base_url }, { account: '' }),
    events,
    /** The mails that were accepted, the latest last. */
    mails: async () => {
      const { events: all } = await app.log.readAll('start', 1_000);
      const streams = all.filter(({ event }) => event.type === 'MessageQueued').map(({ stream }) => stream);
      const opened = await Promise.all(streams.map((stream) => app.log.read<AnyEvent>(stream)));
      return opened.flatMap((read) => read ?? []).map(({ event, meta }) => ({ data: event.data as Mail, account: meta.account }));
    },
    answers: async (email = ADA) =>
      (await events(passwordResetStream(key(email)))).flatMap(({ type, data }) =>
        type === 'PasswordResetAnswered' ? [(data as { message_id: string | null }).message_id] : [],
      ),
  };
}
interface Mail {
  readonly to: string;
  readonly category: string;
  readonly content: { readonly message: string; readonly subject: string };
}
const linkIn = ({ content }: Mail) => {
  const url = /https:\S+/.exec(content.message)?.[0] ?? '';
  expect(url.startsWith(`${base_url}/dashboard/reset/`)).to.equal(true);
  const link = readLinkToken('reset', url.split('/').at(-1) ?? '', Buffer.alloc(32));
  if (!link) throw new Error('the link is not valid');
  return link;
};

describe('a forgotten password', () => {
  const { given } = processSpecification(resetPasswords, { meta: { account: '', $correlationId: 'req_9' } });
  const at = '2026-01-15T10:00:00.000Z';
  const requested = { type: 'PasswordResetRequested', data: { request_id: 'req_1', email_key: 'key', base_url, at } } as const;

  it('is a to-do until it is answered', () => {
    const about = { account: '', correlation: 'req_9', email_key: 'key', base_url, requested_at: at };
    given()
      .when(requested)
      .then({ do: 'schedule', todo: { id: 'req_1', due_at: Date.parse(at), priority: 0, lane: 'password-resets', ...about } });
    given(requested)
      .when({ type: 'PasswordResetAnswered', data: { request_id: 'req_1', message_id: null, at } })
      .then({ do: 'cancel', id: 'req_1' });
  });

  it('brings one transactional mail of the account, whose link sets a password for an hour', async () => {
    const { app, user, ask, mails, answers } = await forgetful();
    const before = app.clock.now();
    await ask();
    await app.run(1_000);
    const [mail, ...others] = await mails();
    expect([mail?.account, mail?.data.to, mail?.data.category, others]).to.deep.equal([ACCOUNT, ADA, 'transactional', []]);
    expect(await answers()).to.have.lengthOf(1);
    const { expires_at, ...link } = linkIn(mail?.data as Mail);
    expect(link).to.deep.equal({ kind: 'reset', account_id: ACCOUNT, user_id: user.id, version: 1 });
    expect(expires_at - before).to.be.within(HOUR, HOUR + 1_000);
    await app.execute(resetPassword, { user_id: user.id, version: link.version, password: 'another horse battery' });
    // A later request is another mail, for the later password.
    await ask();
    await app.run(1_000);
    expect((await mails()).map(({ data }) => linkIn(data).version)).to.deep.equal([1, 2]);
  });

  it('of nobody brings no mail, and is recorded like that of a user', async () => {
    const { app, ask, mails, answers, events, key } = await forgetful();
    const [known, unknown] = [await ask(), await ask('eve@example.com')];
    expect([known.output, unknown.output]).to.deep.equal([undefined, undefined]);
    const shape = async (email: string) =>
      (await events(passwordResetStream(key(email)))).map(({ type, data }) => [type, Object.keys(data as object)]);
    expect(await shape(ADA)).to.deep.equal(await shape('eve@example.com'));
    await app.run(1_000);
    expect([(await answers()).length, await answers('eve@example.com'), (await mails()).length]).to.deep.equal([1, [null], 1]);
  });

  it('brings no mail where the account reaches nobody by email, and none to disabled and removed users', async () => {
    const sandboxed = await forgetful(false);
    await sandboxed.ask();
    await sandboxed.app.run(1_000);
    expect([await sandboxed.answers(), await sandboxed.mails()]).to.deep.equal([[null], []]);

    const { app, user, ask, mails, answers } = await forgetful();
    const bob = (await app.execute(createUser, { email: 'bob@example.com', role: 'owner', password })).output;
    await app.execute(changeUser, { user_id: user.id, status: 'disabled', expected_version: null });
    await ask();
    await app.run(1_000);
    await app.execute(changeUser, { user_id: user.id, status: 'active', expected_version: null });
    await app.execute(removeUser, { user_id: bob.id });
    await ask('bob@example.com');
    await app.run(1_000);
    expect([await answers(), await answers('bob@example.com'), await mails()]).to.deep.equal([[null], [null], []]);
  });

  it('brings no mail after the hour', async () => {
    const { app, ask, mails, answers } = await forgetful();
    await ask();
    await app.clock.advance(HOUR);
    await app.run(1_000);
    expect([await answers(), await mails()]).to.deep.equal([[null], []]);
  });

  it('brings one mail, wherever a crash interrupts it', async () => {
    for (const writes of [0, 1]) {
      const { app, ask, mails, answers } = await forgetful();
      await ask();
      const failing = new FailingWrites(app);
      failing.left = writes;
      const node = app.nodeOver(failing.events);
      const todos = (await app.todos()).map(({ todo }) => todo as PasswordResetTodo);
      const execute: PerformContext['execute'] = (command, input, { about, ...cause }) =>
        node.execute(command, input, {
          ...cause,
          actor: { kind: 'process', id: resetPasswords.name },
          invocation: `${resetPasswords.name}/${about}`,
        });
      const [outcome] = await resetPasswords.perform(todos, { log: app.log, execute } as PerformContext);
      expect(outcome).to.be.an.instanceof(Error);
      expect([(await mails()).length, (await answers()).length]).to.deep.equal([writes, 0]);
      await app.run(1_000);
      expect([(await mails()).length, (await answers()).length]).to.deep.equal([1, 1]);
    }
  });
});

describe('asking for a new password over HTTP', () => {
  const service = AccountService.own({});
  const ask = (email: unknown, from = '192.0.2.1', headers = {}) =>
    service.call('POST', '/v1/auth/password/reset', null, { email }, { 'X-Forwarded-For': from, ...headers });
  const recorded = async (email: string) => (await service.app.log.read(passwordResetStream(service.app.vault.key('', email)))) ?? [];

  before(() => service.createAccount('Acme', ADA));

  it('is answered alike for every email, and records the page to come back to', async () => {
    const [known, unknown] = [await ask(' Ada@Example.com '), await ask('eve@example.com')];
    expect([known.status, known.text]).to.deep.equal([202, '']);
    expect([unknown.status, unknown.text]).to.deep.equal([202, '']);
    const [[first], [second]] = [await recorded(ADA), await recorded('eve@example.com')];
    for (const stored of [first, second]) expect(stored?.event.data).to.include({ base_url: PUBLIC_URL });
    const fields = (reply: typeof known) => [...reply.headers.keys()].filter((name) => name !== 'date');
    expect(fields(known)).to.deep.equal(fields(unknown));
  });

  it('is recorded once under an idempotency key', async () => {
    for (const _ of [1, 2]) expect((await ask('bob@example.com', undefined, { 'Idempotency-Key': 'once' })).status).to.equal(202);
    expect(await recorded('bob@example.com')).to.have.lengthOf(1);
  });

  it('refuses what is no email', async () => {
    const reply = await ask('eve');
    expect([reply.status, reply.body.errors[0].field, reply.body.errors[0].code]).to.deep.equal([422, 'email', 'invalid_email']);
  });

  it('is limited for an email, whether or not anybody signs in with it, and for an address', async () => {
    for (const email of [ADA, 'nobody@example.com']) {
      const statuses: number[] = [];
      for (let nth = 0; nth < 5; nth++) statuses.push((await ask(email, `198.51.100.${nth}`)).status);
      // The first test has asked for Ada once.
      expect(statuses.filter((status) => status === 202)).to.have.lengthOf(email === ADA ? 2 : 3);
      expect(statuses.at(-1)).to.equal(429);
    }
    const from = await Promise.all(Array.from({ length: 21 }, (_, nth) => ask(`user${nth}@example.com`, '203.0.113.9')));
    expect(from.filter(({ status }) => status === 202)).to.have.lengthOf(20);
    const refused = from.find(({ status }) => status === 429);
    expect([refused?.body.code, refused?.body.limit, refused?.body.window]).to.deep.equal(['rate_limit_exceeded', 20, '1 hour']);
  });
});
