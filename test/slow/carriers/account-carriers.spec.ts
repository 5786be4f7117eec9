import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { FakeCarrier, type ReceivedRequest } from '../../carriers/fake-carrier.js';
import { eventually } from '../../support/eventually.js';
import { type Account, Service } from '../../support/service.js';

const require = createRequire(import.meta.url);
const { getExpectedTwilioSignature } = require('twilio/lib/webhooks/webhooks.js') as typeof import('twilio/lib/webhooks/webhooks.js');

const PUBLIC_URL = 'https://hooks.example.com';
const SENDER = '+14155550199';
const sid = (digit: string): string => `AC${digit.repeat(32)}`;
const basic = (user: string, password: string): string => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

interface Holder {
  readonly account: Account;
  readonly sid: string;
  readonly token: string;
}

describe("an account's own carriers", () => {
  let nth = 0;
  const fake = FakeCarrier.own(() => ({ status: 201, body: { sid: `SM${String(++nth).padStart(32, '0')}` } }));
  const service = Service.own(() => ({ HELIOGRAPH_PUBLIC_URL: PUBLIC_URL, TWILIO_BASE_URL: fake.url }));
  let one: Holder;
  let two: Holder;
  let other: Account;

  const as = ({ key }: Account) => ({ 'X-API-Key': key });
  const change = (account: Account, body: object) => service.api('PATCH', '/v1/account/settings', body, as(account));
  const send = async (account: Account, body: object = {}): Promise<string> =>
    (await service.api('POST', '/v1/messages/send', { channel: 'sms', message: 'Hi', to: '+14155550100', from: SENDER, ...body }, as(account))).body
      .id;
  const read = async (account: Account, id: string) => (await service.api('GET', `/v1/messages/${id}`, undefined, as(account))).body;
  const becomes = (account: Account, id: string, status: string) =>
    eventually(`it is ${status}`, async () => (await read(account, id)).status === status);
  const takenBy = (authorization: string): ReceivedRequest[] => fake.requests.filter(({ headers }) => headers.authorization === authorization);
  const credentials = ({ sid: account_sid, token: auth_token }: Holder) => ({ carriers: { twilio: { account_sid, auth_token } } });

  const report = async (path: string, fields: Record<string, string>, token: string) => {
    const signature = getExpectedTwilioSignature(token, PUBLIC_URL + path, fields);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature };
    const reply = await fetch(service.url + path, { method: 'POST', body: new URLSearchParams(fields).toString(), headers });
    return reply.status;
  };
  const pathOf = ({ account }: Holder, query = ''): string => `/v1/webhooks/twilio/${account.accountId}${query}`;

  before(async () => {
    one = { account: await service.createAccount('one@example.com'), sid: sid('1'), token: 'token-of-the-first-account' };
    two = { account: await service.createAccount('two@example.com'), sid: sid('2'), token: 'token-of-the-second-account' };
    other = await service.createAccount('other@example.com');
  });

  it('are refused with each wrong field, and nothing is stored then', async () => {
    const wrong: [object, string[]][] = [
      [{ carriers: { twilio: { account_sid: 'AC1', auth_token: 'a b' } } }, ['carriers.twilio.account_sid', 'carriers.twilio.auth_token']],
      [{ carriers: { twilio: { account_sid: sid('1') } } }, ['carriers.twilio.auth_token']],
      [{ carriers: { twilio: { account_sid: sid('1'), auth_token: 't', base_url: 'http://127.0.0.1' } } }, ['carriers.twilio.base_url']],
      [{ carriers: { pigeon: { a: 'b' } } }, ['carriers.pigeon']],
      [{ carriers: { smtp: { url: 'smtp://10.0.0.1:25' } } }, ['carriers.smtp.url']],
      [{ carriers: { smtp: { url: 'smtp://mail.example.com/?proxy=http://10.0.0.1' } } }, ['carriers.smtp.url']],
      [{ carriers: { twilio: 'x' } }, ['carriers.twilio']],
      [{ routes: { sms: ['twilio'] } }, ['routes.sms[0]']],
      [{ routes: { email: ['twilio'] } }, ['routes.email[0]']],
      [{ routes: { sms: [] } }, ['routes.sms']],
    ];
    for (const [body, fields] of wrong) {
      const { status, body: answer } = await change(other, body);
      expect(status, JSON.stringify(body)).to.equal(422);
      expect(
        answer.errors.map(({ field }: { field: string }) => field),
        JSON.stringify(body),
      ).to.deep.equal(fields);
    }
    const { body } = await service.api('GET', '/v1/account/settings', undefined, as(other));
    expect([body.version, body.carriers, body.routes.sms]).to.deep.equal([1, {}, null]);
  });

  it('are used for the messages of their account, which test keys and other accounts do not reach', async () => {
    expect((await change(one.account, credentials(one))).status).to.equal(200);
    expect((await change(two.account, { ...credentials(two), routes: { sms: ['twilio', 'sandbox'] } })).status).to.equal(200);
    const ids = [await send(one.account), await send(one.account), await send(two.account)];
    for (const [i, id] of ids.entries()) await becomes(i < 2 ? one.account : two.account, id, 'sent');
    expect(takenBy(basic(one.sid, one.token)).map(({ path }) => path.split('/')[3])).to.deep.equal([one.sid, one.sid]);
    expect(takenBy(basic(two.sid, two.token)).map(({ path }) => path.split('/')[3])).to.deep.equal([two.sid]);
    const [first] = takenBy(basic(one.sid, one.token));
    expect(new URLSearchParams(first?.body).get('StatusCallback')).to.equal(`${PUBLIC_URL}${pathOf(one)}?message_id=${ids[0]}`);

    const { body: test } = await service.api('POST', '/v1/api-keys', { name: 't', scopes: ['read', 'write'], mode: 'test' }, as(one.account));
    const tested = { ...one.account, key: test.key };
    await becomes(tested, await send(tested), 'delivered');
    await becomes(other, await send(other), 'delivered');
    expect(fake.requests).to.have.length(3);
  });

  it('are sealed in every file, and never shown', async () => {
    const { body, text } = await service.api('GET', '/v1/account/settings', undefined, as(two.account));
    expect(body.carriers).to.have.all.keys('twilio');
    expect(body.carriers.twilio.set).to.equal(true);
    expect(body.routes.sms).to.deep.equal(['twilio', 'sandbox']);
    expect(text).not.to.include(two.token).and.not.to.include(two.sid);
    const files = readdirSync(service.dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const stored = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
    expect(stored).to.include('CarrierConfigured');
    for (const { sid: account, token } of [one, two])
      expect([stored.includes(token), stored.includes(account)], 'in plain text').to.deep.equal([false, false]);
  });

  it('prove the reports to their account: those signed by another one, or for an account without any, change nothing', async () => {
    const id = await send(one.account);
    await becomes(one.account, id, 'sent');
    const { carrier } = await read(one.account, id);
    const fields = { MessageSid: carrier.message_id, MessageStatus: 'delivered', AccountSid: one.sid };
    const query = `?message_id=${id}`;
    expect(await report(pathOf(one, query), fields, two.token)).to.equal(401);
    expect(await report(`/v1/webhooks/twilio/${other.accountId}${query}`, fields, one.token)).to.equal(401);
    expect(await report('/v1/webhooks/twilio/acc_00000000000000000000000000', fields, one.token)).to.equal(401);
    // A genuine report of the second account about a message of the first.
    expect(await report(pathOf(two, query), fields, two.token)).to.equal(204);
    expect((await read(one.account, id)).status).to.equal('sent');
    expect(await report(pathOf(one, query), fields, one.token)).to.equal(204);
    await becomes(one.account, id, 'delivered');
  });

  it('bring texts to their account, also from numbers that it has never written to', async () => {
    const fields = { MessageSid: `SM${'a'.repeat(32)}`, From: '+14155550142', To: SENDER, Body: 'STOP', AccountSid: two.sid };
    expect(await report(pathOf(two), fields, two.token)).to.equal(204);
    const found = async (account: Account): Promise<number> =>
      (await service.api('GET', `/v1/inbound-messages?${new URLSearchParams({ from: '+14155550142' })}`, undefined, as(account))).body.data.length;
    await eventually('the second account has it', async () => (await found(two.account)) === 1);
    expect(await found(one.account)).to.equal(0);
  });

  it('are removed by null, unless a route names them', async () => {
    const refused = await change(two.account, { carriers: { twilio: null } });
    expect([refused.status, refused.body.errors[0].field]).to.deep.equal([422, 'routes.sms[0]']);
    const removed = await change(two.account, { carriers: { twilio: null }, routes: { sms: null } });
    expect([removed.status, removed.body.carriers, removed.body.routes.sms]).to.deep.equal([200, {}, null]);
    // The change reaches the dispatch a moment later.
    const carrierOf = async (): Promise<string> => {
      const id = await send(two.account);
      await eventually('it is handed over', async () => (await read(two.account, id)).sent_at !== null);
      return (await read(two.account, id)).carrier.name;
    };
    await eventually('its messages reach the sandbox', async () => (await carrierOf()) === 'sandbox');
    const calls = fake.requests.length;
    expect([await carrierOf(), fake.requests.length]).to.deep.equal(['sandbox', calls]);
    expect(await report(pathOf(two), { MessageSid: 'SM1', MessageStatus: 'sent' }, two.token)).to.equal(401);
  });
});
