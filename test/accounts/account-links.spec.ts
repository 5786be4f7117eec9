import { expect } from 'chai';
import type { CreatedAccount } from '../../commands/accounts/create-account.js';
import { type AccountLink, linkToken, linkUrl, readLinkToken } from '../../formats/accounts/account-links.js';
import { withMaskedLinks } from '../../formats/lists/confirmation-link.js';
import { AccountService, type Credential, PUBLIC_URL, password, type Reply } from './service.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const codeOf = ({ body, status }: Reply) => body?.code ?? status;

describe('a link to an account', () => {
  const key = Buffer.alloc(32, 1);
  const reset: AccountLink = { kind: 'reset', account_id: 'acc_1', user_id: 'usr_1', version: 3, expires_at: 1_768_000_000_000 };
  const invitation: AccountLink = { kind: 'invitation', account_id: 'acc_1', user_id: 'usr_1' };

  it('is read as it was made, for what it was made', () => {
    expect(readLinkToken('reset', linkToken(reset, key), key)).to.deep.equal(reset);
    expect(readLinkToken('invitation', linkToken(invitation, key), key)).to.deep.equal(invitation);
    expect(readLinkToken('invitation', linkToken(reset, key), key)).to.equal(null);
    expect(readLinkToken('reset', linkToken(invitation, key), key)).to.equal(null);
  });

  it('cannot be forged', () => {
    const token = linkToken(reset, key);
    expect(readLinkToken('reset', token, Buffer.alloc(32, 2))).to.equal(null);
    for (let at = 0; at < token.length; at++) {
      const other = token[at] === 'A' ? 'B' : 'A';
      const changed = readLinkToken('reset', token.slice(0, at) + other + token.slice(at + 1), key);
      // The last character may have bits that mean nothing.
      if (changed) expect(changed).to.deep.equal(reset);
    }
    for (const text of ['', 'x', token.slice(0, 20), '∀']) expect(readLinkToken('reset', text, key), text).to.equal(null);
  });

  it('is masked in what the API shows of messages', () => {
    for (const link of [reset, invitation]) {
      const url = linkUrl('https://mail.example.com', link, key);
      const shown = withMaskedLinks({ html: `<a href="${url}">${url}</a>`, message: `Open\n${url}\nnow` });
      expect(JSON.stringify(shown)).not.to.include(linkToken(link, key));
      expect(JSON.stringify(shown)).to.include(`/dashboard/${link.kind}/•••`);
    }
  });
});

describe('the links of accounts over HTTP', () => {
  const service = AccountService.own({ login: { limit: 10_000 }, login_user: { limit: 1_000 } });
  let acme: CreatedAccount;
  let owner: Credential;
  let users = 0;

  const key = () => service.app.purposeKey('account-links');
  const login = async (email: string, secret = password) => codeOf(await service.call('POST', '/v1/auth/login', null, { email, password: secret }));
  const addUser = async () =>
    (await service.call('POST', '/v1/account/users', owner, { email: `user${++users}@example.com`, role: 'analyst', password })).body;
  const resetToken = (user_id: string, version = 1, ttl = HOUR) =>
    linkToken({ kind: 'reset', account_id: acme.account_id, user_id, version, expires_at: service.clock.now() + ttl }, key());
  const reset = (token: string, secret = 'another horse battery', headers = {}) =>
    service.call('POST', `/v1/auth/password/reset/${token}`, null, { password: secret }, headers);
  const invite = (body: object, as = owner) => service.call('POST', '/v1/account/users/invite', as, body);
  const invitationToken = (user_id: string) => linkToken({ kind: 'invitation', account_id: acme.account_id, user_id }, key());
  const accept = (token: string, body: object = { password, name: 'Grace Hopper' }, headers = {}) =>
    service.call('POST', `/v1/auth/invitations/${token}`, null, body, headers);

  before(async () => {
    acme = await service.createAccount('Acme', 'ada@example.com');
    owner = { key: acme.api_key };
  });

  it('set a new password once: sessions and tokens end', async () => {
    const { id, email } = await addUser();
    const { body: token } = await service.call('POST', '/v1/auth/login', null, { email, password });
    const signedIn = await service.call('POST', '/v1/auth/session', null, { email, password });
    const Cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect((await service.call('GET', '/v1/auth/session', null, undefined, { Cookie })).status).to.equal(200);
    const link = resetToken(id);
    const weak = await reset(link, email);
    expect([weak.status, weak.body.errors[0].field]).to.deep.equal([422, 'password']);
    expect((await reset(link)).status).to.equal(204);
    expect([await login(email), await login(email, 'another horse battery')]).to.deep.equal(['invalid_credentials', 200]);
    expect(codeOf(await service.call('GET', '/v1/auth/session', null, undefined, { Cookie }))).to.equal('token_expired');
    expect(codeOf(await service.call('GET', '/v1/probe', token))).to.equal('token_expired');
    const again = await reset(link, 'a third horse battery');
    expect([again.status, again.body.code, again.body.resource]).to.deep.equal([404, 'not_found', 'link']);
    expect(again.text).not.to.include(link);
  });

  it('set a password once, also where two use one at the same time', async () => {
    const { id } = await addUser();
    const link = resetToken(id);
    const both = await Promise.all([reset(link, 'another horse battery'), reset(link, 'a third horse battery')]);
    expect(both.map(({ status }) => status).sort()).to.deep.equal([204, 404]);
  });

  it('answer a repeat under its idempotency key as before', async () => {
    const { id } = await addUser();
    const link = resetToken(id);
    const replies = [await reset(link, undefined, { 'Idempotency-Key': 'r1' }), await reset(link, undefined, { 'Idempotency-Key': 'r1' })];
    expect(replies.map(({ status }) => status)).to.deep.equal([204, 204]);
  });

  it('end after an hour, with another change of the password, and with the user', async () => {
    const [first, second, third] = [await addUser(), await addUser(), await addUser()];
    const [late, changed, disabled] = [resetToken(first.id), resetToken(second.id), resetToken(third.id)];
    await service.call('PATCH', `/v1/account/users/${second.id}`, owner, { password: 'a third horse battery' });
    await service.call('PATCH', `/v1/account/users/${third.id}`, owner, { status: 'disabled' });
    const removed = await addUser();
    await service.call('DELETE', `/v1/account/users/${removed.id}`, owner);
    for (const link of [changed, disabled, resetToken(third.id, 2), resetToken(removed.id), resetToken('usr_nobody')])
      expect(codeOf(await reset(link))).to.equal('not_found');
    service.clock.shift += HOUR;
    expect(codeOf(await reset(late))).to.equal('not_found');
    expect(codeOf(await reset(invitationToken(first.id)))).to.equal('not_found');
  });

  it('invite a user, who chooses a password and signs in', async () => {
    const { status, body } = await invite({ email: ' Grace@Example.com', role: 'member' });
    expect([status, { ...body, id: '', expires_at: '' }]).to.deep.equal([
      202,
      { id: '', email: 'grace@example.com', role: 'member', expires_at: '', message_id: null },
    ]);
    expect(Date.parse(body.expires_at) - service.clock.now()).to.be.within(7 * DAY - 10_000, 7 * DAY);
    expect((await service.call('GET', `/v1/account/users/${body.id}`, owner)).status).to.equal(404);
    const link = invitationToken(body.id);
    const weak = await accept(link, { password: 'grace@example.com' });
    expect([weak.status, weak.body.errors[0].field]).to.deep.equal([422, 'password']);
    const added = await accept(link);
    expect([added.status, added.body.id, added.body.name, added.body.role]).to.deep.equal([201, body.id, 'Grace Hopper', 'member']);
    expect(await login('grace@example.com')).to.equal(200);
    const again = await accept(link, { password: 'another horse battery' });
    expect([again.status, again.body.resource]).to.deep.equal([404, 'invitation']);
    expect(again.text).not.to.include(link);
    expect(await login('grace@example.com', 'another horse battery')).to.equal('invalid_credentials');
  });

  it('answer a repeated invitation and a repeated acceptance under their idempotency keys as before', async () => {
    const headers = { 'Idempotency-Key': 'i1' };
    const body = { email: 'heidi@example.com', role: 'analyst' };
    const made = [1, 2].map(() => service.call('POST', '/v1/account/users/invite', owner, body, headers));
    const [first, second] = await Promise.all(made);
    expect(second?.body).to.deep.equal(first?.body);
    const link = invitationToken(first?.body.id);
    const accepted = [await accept(link, undefined, { 'Idempotency-Key': 'a1' }), await accept(link, undefined, { 'Idempotency-Key': 'a1' })];
    expect(accepted.map(({ status }) => status)).to.deep.equal([201, 201]);
    expect(accepted[1]?.body).to.deep.equal(accepted[0]?.body);
  });

  it('add one user, also where an invitation is accepted twice at the same time', async () => {
    const { body } = await invite({ email: 'ivan@example.com', role: 'member' });
    const link = invitationToken(body.id);
    const both = await Promise.all([accept(link), accept(link, { password: 'another horse battery' })]);
    expect(both.map(({ status }) => status).sort()).to.deep.equal([201, 404]);
    const secrets = await Promise.all([login('ivan@example.com'), login('ivan@example.com', 'another horse battery')]);
    expect(secrets.sort()).to.deep.equal([200, 'invalid_credentials']);
  });

  it('invite nobody who signs in already, and once to one account', async () => {
    expect(codeOf(await invite({ email: 'ada@example.com', role: 'member' }))).to.equal('conflict');
    const wrong = await invite({ email: 'eve', role: 'king' });
    expect([wrong.status, wrong.body.errors.map(({ field }: { field: string }) => field)]).to.deep.equal([422, ['role', 'email']]);
    const invalid = await invite({ email: 'eve', role: 'member' });
    expect([invalid.status, invalid.body.errors[0].code]).to.deep.equal([422, 'invalid_email']);
    const [first, second] = [await invite({ email: 'judy@example.com', role: 'member' }), await invite({ email: 'judy@example.com', role: 'owner' })];
    expect((await accept(invitationToken(second.body.id))).body.role).to.equal('owner');
    expect(codeOf(await accept(invitationToken(first.body.id)))).to.equal('conflict');
  });

  it('invite by owners and unrestricted keys alone', async () => {
    const { email } = await addUser();
    const { body: token } = await service.call('POST', '/v1/auth/login', null, { email, password });
    expect(codeOf(await invite({ email: 'kim@example.com', role: 'owner' }, token))).to.equal('forbidden');
  });

  it('end seven days after the invitation', async () => {
    const { body } = await invite({ email: 'liam@example.com', role: 'member' });
    service.clock.shift += 7 * DAY;
    expect(codeOf(await accept(invitationToken(body.id)))).to.equal('not_found');
    expect(codeOf(await accept('x'))).to.equal('not_found');
    expect(codeOf(await accept(resetToken(body.id)))).to.equal('not_found');
  });
});

describe('an invitation by mail', () => {
  const service = AccountService.own(undefined, {
    HELIOGRAPH_ROUTES: '{"email":["smtp"]}',
    SMTP_URL: 'smtp://127.0.0.1:2525',
    EMAIL_FROM: 'a@acme.example',
  });

  it('is a transactional message of the account, with a link to the page', async () => {
    const acme = await service.createAccount('Acme', 'ada@example.com');
    const invite = () =>
      service.call(
        'POST',
        '/v1/account/users/invite',
        { key: acme.api_key },
        { email: 'bob@example.com', role: 'member' },
        { 'Idempotency-Key': 'x' },
      );
    const { status, body } = await invite();
    expect([status, body.message_id?.slice(0, 4)]).to.deep.equal([202, 'msg_']);
    expect((await invite()).body).to.deep.equal(body);
    const events = (await service.app.log.read<{ type: string; data: Record<string, unknown> }>(`message-${body.message_id}`)) ?? [];
    expect(events).to.have.lengthOf(1);
    const [{ event, meta }] = events as [(typeof events)[0]];
    expect([event.type, event.data.to, event.data.category, meta.account]).to.deep.equal([
      'MessageQueued',
      'bob@example.com',
      'transactional',
      acme.account_id,
    ]);
    const [url = ''] = /http:\S+/.exec((event.data.content as { message: string }).message) ?? [];
    expect(url.startsWith(`${PUBLIC_URL}/dashboard/invitation/`)).to.equal(true);
    const accepted = await service.call('POST', `/v1/auth/invitations/${url.split('/').at(-1)}`, null, { password });
    expect([accepted.status, accepted.body.email, accepted.body.name]).to.deep.equal([201, 'bob@example.com', null]);
  });
});
