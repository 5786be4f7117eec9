import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';

const SECRET = 'a_secret_of_24_characters!';
const hashOf = (text: string): string => createHmac('sha256', SECRET).update(text).digest('hex');
const ANYBODY = { 'X-API-Key': '' };
const WARNING = /^The device is anonymous: nothing proves that it belongs to this contact\. Send `contact_hash`/;

describe('the contact of a device', function () {
  this.timeout(60_000);
  const service = Service.guest();
  let devices = 0;
  before(async () => {
    await settings({ identity_secret: SECRET });
  });
  afterEach(() => settings({ identity_verification: 'existing' }));

  const settings = async (patch: object): Promise<Reply> => {
    const reply = await service.api('PATCH', '/v1/account/settings', patch);
    expect(reply.status, reply.text).to.equal(200);
    return reply;
  };
  const subscribe = (body: object, headers: Readonly<Record<string, string>> = ANYBODY): Promise<Reply> =>
    service.api('POST', '/v1/push/subscribe', { account_id: service.accountId, platform: 'android', token: `t${++devices}`, ...body }, headers);
  const makeContact = async (email: string): Promise<string> => (await service.api('POST', '/v1/contacts', { email })).body.id;
  // biome-ignore lint/suspicious/noExplicitAny: the devices of an answer
  const devicesOf = async (contact_id: string): Promise<any[]> =>
    (await service.api('GET', `/v1/push/subscriptions?contact_id=${contact_id}&status=active`)).body.data;
  const idsOf = async (contact_id: string): Promise<string[]> => (await devicesOf(contact_id)).map(({ id }) => id);
  const reached = async (to: string): Promise<string[]> => {
    const sent = await service.api('POST', '/v1/messages/send', { to, channel: 'push', message: 'A secret' });
    expect(sent.status, sent.text).to.equal(202);
    const { body } = await eventually('the message is handed over', async () => {
      const reply = await service.api('GET', `/v1/messages/${sent.body.id}`);
      return ['queued', 'sending'].includes(reply.body.status) ? null : reply;
    });
    return (body.devices ?? []).flatMap((one: { subscription_id: string; outcome: string }) =>
      one.outcome === 'accepted' ? [one.subscription_id] : [],
    );
  };
  const isAnonymous = ({ status, body }: Reply): void => {
    expect([status, body.status, body.contact_id]).to.deep.equal([201, 'active', null]);
    expect(body.warnings[0]).to.match(WARNING);
  };

  it('is not named by anybody who knows an email or an id, in an account that is new', async () => {
    expect((await service.api('GET', '/v1/account/settings')).body).to.deep.include({ identity_verification: 'existing', hints: [] });
    const contact_id = await makeContact('victim@example.com');
    isAnonymous(await subscribe({ contact: { email: 'VICTIM@example.com ' } }));
    isAnonymous(await subscribe({ contact: { id: contact_id } }));
    isAnonymous(await subscribe({ contact: { email: 'victim@example.com' }, contact_hash: hashOf('attacker@example.com') }));
    isAnonymous(
      await subscribe({ contact: { email: 'victim@example.com' } }, { 'X-API-Key': 'hk_live_unknown', Authorization: 'Bearer hit_unknown' }),
    );
    expect(await idsOf(contact_id)).to.deep.equal([]);
    expect(await reached('victim@example.com')).to.deep.equal([]);
  });

  it('is proven by its hash, by a token of its inbox, or by a live key that may write', async () => {
    const email = 'proven@example.com';
    const contact_id = await makeContact(email);
    const tokenOf = async (id: string) => (await service.api('POST', '/v1/inbox/tokens', { contact_id: id })).body.token;
    const keyOf = async (about: object) => (await service.api('POST', '/v1/api-keys', { name: 'Push', ...about })).body.key;
    const [token, key] = [await tokenOf(contact_id), await keyOf({ scopes: ['write'] })];
    const proven = [
      await subscribe({ contact: { email }, contact_hash: hashOf(email) }),
      await subscribe({ contact: { id: contact_id }, contact_hash: hashOf(contact_id) }),
      await subscribe({ contact: { email } }, { ...ANYBODY, Authorization: `Bearer ${token}` }),
      await subscribe({}, { ...ANYBODY, Authorization: `Bearer ${token}` }),
      await subscribe({ contact: { email } }, { 'X-API-Key': key }),
    ];
    for (const { body, text } of proven) expect(body.contact_id, text).to.equal(contact_id);
    expect((await devicesOf(contact_id)).map(({ id, verified }) => [id, verified])).to.deep.equal(proven.map(({ body: { id } }) => [id, true]));
    isAnonymous(
      await subscribe({ contact: { email } }, { ...ANYBODY, Authorization: `Bearer ${await tokenOf(await makeContact('other@example.com'))}` }),
    );
    for (const about of [{ scopes: ['read'] }, { scopes: null, mode: 'test' }])
      isAnonymous(await subscribe({ contact: { email } }, { 'X-API-Key': await keyOf(about) }));
    isAnonymous(await subscribe({ contact: { email } }, { 'X-API-Key': await service.otherAccountKey() }));
    expect((await reached(email)).sort()).to.deep.equal(proven.map(({ body: { id } }) => id).sort());
  });

  /** What a person or the account does with a contact that a device has made. */
  const naming: Readonly<Record<string, (email: string, contact_id: string) => Promise<Reply>>> = {
    'a call that changes nothing': (email) => service.api('POST', '/v1/contacts', { email }),
    'a change of its fields': (_, id) => service.api('PATCH', `/v1/contacts/${id}`, { first_name: 'Ada' }),
    'an event with its email': (email) => service.api('POST', '/v1/events', { contact: { email }, event: 'login' }),
    'an event with its id': (_, id) => service.api('POST', '/v1/events', { contact: { id }, event: 'login' }),
    'an import': (email) => service.api('POST', '/v1/contacts/import', { contacts: [{ email }] }),
    'a consent': (_, id) =>
      service.api('POST', `/v1/contacts/${id}/consents`, { channel: 'email', purpose: 'marketing', status: 'granted', source: 'shop' }),
    'a list': async (_, id) => {
      const list = await service.api('POST', '/v1/lists', { name: `List of ${id}` });
      return service.api('POST', `/v1/lists/${list.body.id}/contacts`, { contact_ids: [id] });
    },
    'a message that makes its contact': (to) =>
      service.api('POST', '/v1/messages/send', { to, channel: 'email', message: 'x', create_contact: true }),
    'another device without a proof': (email) => subscribe({ contact: { email } }),
    'another device with a proof': (email) => subscribe({ contact: { email }, contact_hash: hashOf(email) }),
  };
  for (const [what, name] of Object.entries(naming))
    it(`is the device's own if its subscription makes it, until it is named by ${what}`, async () => {
      const email = `made${++devices}@example.com`;
      const token = `made-${devices}`;
      const { body } = await subscribe({ contact: { email }, token });
      expect(body.contact_id).to.match(/^con_/);
      expect(body.warnings).to.equal(undefined);
      expect((await devicesOf(body.contact_id)).map(({ id, verified }) => [id, verified])).to.deep.equal([[body.id, false]]);
      expect(await reached(email)).to.deep.equal([body.id]);
      expect((await subscribe({ contact: { email }, token })).body, 'the same token again').to.deep.equal(body);
      const named = await name(email, body.contact_id);
      expect(named.status, named.text).to.be.within(200, 204);
      expect(await idsOf(body.contact_id)).not.to.include(body.id);
      expect(await reached(email)).not.to.include(body.id);
      expect((await subscribe({ contact: { email }, token })).body.contact_id, 'the same token after that').to.equal(null);
      expect((await subscribe({ token, app_version: '2' })).body.contact_id, 'the same token without its contact').to.equal(null);
    });

  it('stays with another token of the same device, with its proof', async () => {
    const email = 'renewed@example.com';
    const contact_id = await makeContact(email);
    const device_id = '5f0c7d1e-7d52-4a0e-9f5a-3b8f6a1d2c44';
    await subscribe({ contact: { email }, contact_hash: hashOf(email), device_id });
    const { body } = await subscribe({ contact: { email }, device_id });
    expect([body.contact_id, body.warnings]).to.deep.equal([contact_id, undefined]);
    expect((await devicesOf(contact_id)).map(({ id, verified }) => [id, verified])).to.deep.equal([[body.id, true]]);
    isAnonymous(await subscribe({ contact: { email }, device_id: 'another device' }));
  });

  it('is left by a device that names another contact without a proof', async () => {
    const [mine, other] = [await makeContact('mine@example.com'), await makeContact('not-mine@example.com')];
    await subscribe({ token: 'moving', contact: { email: 'mine@example.com' }, contact_hash: hashOf('mine@example.com') });
    expect((await subscribe({ token: 'moving', contact: { id: other } })).body.contact_id).to.equal(null);
    expect([await idsOf(mine), await idsOf(other)]).to.deep.equal([[], []]);
  });

  it('has at most 5 devices without a proof where the account asks for none, and they end none that has one', async () => {
    const off = await settings({ identity_verification: false });
    expect(off.body.identity_verification).to.equal('off');
    expect(off.body.hints.map(({ code }: { code: string }) => code)).to.deep.equal(['identity_verification_off']);
    const email = 'crowded@example.com';
    const contact_id = await makeContact(email);
    const first = (await subscribe({ contact: { email } })).body;
    expect(first.contact_id).to.equal(contact_id);
    const proven = (await subscribe({ contact: { email }, contact_hash: hashOf(email) })).body;
    const others: string[] = [];
    for (let nth = 0; nth < 6; nth++) others.push((await subscribe({ contact: { email } })).body.id);
    expect(await idsOf(contact_id)).to.deep.equal([proven.id, ...others.slice(1)]);
    await settings({ identity_verification: 'existing' });
    expect(await idsOf(contact_id), 'what is registered stays').to.deep.equal([proven.id, ...others.slice(1)]);
  });

  it('needs a proof at once where the account requires one', async () => {
    const { body } = await settings({ identity_verification: true });
    expect(body.identity_verification).to.equal('required');
    const contact = { email: 'Grace@example.com' };
    for (const contact_hash of [undefined, 'x', hashOf('Grace@example.com')])
      expect((await subscribe({ contact, ...(contact_hash && { contact_hash }) })).status).to.equal(401);
    const made = await subscribe({ contact, contact_hash: hashOf('grace@example.com') });
    expect(made.status, made.text).to.equal(201);
    expect((await subscribe({ contact: { id: made.body.contact_id }, contact_hash: hashOf(made.body.contact_id) })).status).to.equal(201);
    expect((await subscribe({})).body.contact_id, 'an anonymous device').to.equal(null);
    const wrong = await service.api('PATCH', '/v1/account/settings', { identity_verification: 'sometimes' });
    expect([wrong.status, wrong.body.errors[0].field]).to.deep.equal([422, 'identity_verification']);
  });

  it('shows a secret only where it was made', async () => {
    const { body } = await settings({ identity_secret: { rotate: true } });
    expect(body.identity_secret.secret).to.match(/^idsec_[\w-]{43}$/);
    expect((await service.api('GET', '/v1/account/settings')).body.identity_secret).to.deep.equal({ set: true });
    await settings({ identity_secret: SECRET });
  });
});
