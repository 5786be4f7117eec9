import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';

const keys = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};
const PUBLIC = { 'X-API-Key': '' };

describe('push subscriptions', () => {
  const service = Service.guest();

  /** By the server of the account, whose key proves the contact. */
  const subscribe = (body: object, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
    service.api('POST', '/v1/push/subscribe', { account_id: service.accountId, platform: 'android', ...body }, headers);
  const unsubscribe = (body: object): Promise<Reply> => service.api('POST', '/v1/push/unsubscribe', body, PUBLIC);
  const devicesOf = async (contact_id: string, status = 'active'): Promise<string[]> =>
    (await service.api('GET', `/v1/push/subscriptions?contact_id=${contact_id}&status=${status}`)).body.data.map(({ id }: { id: string }) => id);
  const contactOf = async (email: string): Promise<string> => (await service.api('POST', '/v1/contacts', { email })).body.id;

  it('create the contact that they name, and are known by their token', async () => {
    const first = await subscribe({ token: 'token-1', contact: { email: 'Ada@Example.com' }, device_id: 'phone' });
    expect(first.status, first.text).to.equal(201);
    expect(first.body).to.deep.equal({ id: first.body.id, status: 'active', contact_id: await contactOf('ada@example.com') });
    expect(first.body.id).to.match(/^psh_/);
    const again = await subscribe({ token: 'token-1', contact: { email: 'ada@example.com' }, device_id: 'phone' });
    expect([again.status, again.body]).to.deep.equal([200, first.body]);
    expect(await devicesOf(first.body.contact_id)).to.deep.equal([first.body.id]);
  });

  it('belong to the contact that was named last, and keep it without one', async () => {
    const [bob, eve] = [await contactOf('bob@example.com'), await contactOf('eve@example.com')];
    const { id } = (await subscribe({ token: 'token-2', contact: { id: bob } })).body;
    expect((await subscribe({ token: 'token-2', app_version: '2.0' })).body.contact_id).to.equal(bob);
    expect((await subscribe({ token: 'token-2', contact: { email: 'eve@example.com' } })).body).to.include({ id, contact_id: eve });
    expect([await devicesOf(bob), await devicesOf(eve)]).to.deep.equal([[], [id]]);
  });

  it('can be anonymous', async () => {
    const { status, body } = await subscribe({ token: 'token-3' });
    expect([status, body.contact_id]).to.deep.equal([201, null]);
  });

  it('are replaced by another token of the same device', async () => {
    const contact = { email: 'device@example.com' };
    const { id: old, contact_id } = (await subscribe({ token: 'token-4', device_id: 'd', contact })).body;
    const { id: other } = (await subscribe({ token: 'token-5', device_id: 'e', contact })).body;
    const { id } = (await subscribe({ token: 'token-6', device_id: 'd', contact })).body;
    expect([await devicesOf(contact_id), await devicesOf(contact_id, 'ended')]).to.deep.equal([[other, id], [old]]);
  });

  it('end by id, by token, and at the request of the account', async () => {
    const contact = { email: 'ends@example.com' };
    const [one, two, three] = await Promise.all(['token-7', 'token-8', 'token-9'].map(async (token) => (await subscribe({ token, contact })).body));
    expect((await unsubscribe({ id: one.id })).body).to.deep.equal({ id: one.id, status: 'ended' });
    expect((await unsubscribe({ id: one.id })).status).to.equal(200);
    expect((await unsubscribe({ token: 'token-8' })).body).to.deep.equal({ id: two.id, status: 'ended' });
    expect((await service.api('DELETE', `/v1/push/subscriptions/${three.id}`)).status).to.equal(204);
    expect(await devicesOf(one.contact_id)).to.deep.equal([]);
    expect((await subscribe({ token: ' ', contact })).body.errors[0]).to.include({ field: 'token', code: 'required' });
    const gone = await unsubscribe({ token: 'nobody-has-it' });
    expect([gone.status, gone.body.message]).to.deep.equal([404, 'There is no such push subscription.']);
    const other = await service.otherAccountKey();
    expect((await service.api('DELETE', `/v1/push/subscriptions/${three.id}`, undefined, { 'X-API-Key': other })).status).to.equal(404);
    expect((await subscribe({ token: 'token-7', contact })).status).to.equal(201);
    expect(await devicesOf(one.contact_id)).to.deep.equal([one.id]);
  });

  it('are shown without their token', async () => {
    const { contact_id } = (await subscribe({ token: 'token-secret', contact: { email: 'shown@example.com' }, locale: 'de' })).body;
    const { body, text } = await service.api('GET', `/v1/push/subscriptions?contact_id=${contact_id}`);
    expect(text).not.to.include('token-secret');
    expect(body.data[0]).to.include({ platform: 'android', locale: 'de', status: 'active', ended_reason: null, contact_id });
  });

  it('follow merges and their end', async () => {
    const one = (await subscribe({ token: 'token-10', contact: { email: 'one@example.com' } })).body;
    const two = (await subscribe({ token: 'token-11', contact: { email: 'two@example.com' } })).body;
    const merged = await service.api('POST', `/v1/contacts/${one.contact_id}/merge`, { source_contact_id: two.contact_id });
    expect(merged.status, merged.text).to.be.below(300);
    expect(await devicesOf(two.contact_id)).to.have.members([one.id, two.id]);
    const unmerged = await service.api('POST', `/v1/contacts/${one.contact_id}/unmerge`, { merge_id: merged.body.merge_id });
    expect(unmerged.status, unmerged.text).to.be.below(300);
    expect([await devicesOf(one.contact_id), await devicesOf(two.contact_id)]).to.deep.equal([[one.id], [two.id]]);
  });

  it('end with the erasure of their contact', async () => {
    const { id, contact_id } = (await subscribe({ token: 'token-12', contact: { email: 'erased@example.com' } })).body;
    const erase = async () => (await service.api('POST', `/v1/contacts/${contact_id}/erase`)).body.status === 'completed';
    await eventually('the contact is erased', erase);
    expect((await service.api('GET', `/v1/push/subscriptions?contact_id=${contact_id}`)).status).to.equal(410);
    expect((await unsubscribe({ id })).status).to.equal(200);
    expect((await subscribe({ token: 'token-12' })).body).to.include({ id, status: 'active' });
  });

  it('take browsers, with keys that are some', async () => {
    const endpoint = 'https://push.example.com/send/1';
    expect((await subscribe({ platform: 'web', subscription: { endpoint, expirationTime: null, keys } })).status).to.equal(201);
    const fieldsOf = async (body: object) => {
      const { status, body: answer } = await subscribe(body);
      return [status, ...answer.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`).sort()];
    };
    const wrong = { p256dh: `BC${'A'.repeat(85)}`, auth: 'AAAA' };
    expect(
      await fieldsOf({ platform: 'web', token: 'x', subscription: { endpoint: 'http://example.com/push', keys: wrong }, contact: {} }),
    ).to.deep.equal([
      422,
      'contact required',
      'subscription.endpoint invalid_url',
      'subscription.keys.auth invalid_key',
      'subscription.keys.p256dh invalid_key',
      'token not_allowed',
    ]);
    expect(await fieldsOf({ platform: 'web', subscription: { endpoint: 'https://169.254.169.254/push', keys } })).to.deep.equal([
      422,
      'subscription.endpoint invalid_url',
    ]);
    expect(await fieldsOf({ platform: 'ios' })).to.deep.equal([422, 'token required']);
    expect(await fieldsOf({ platform: 'windows', token: 5, timezone: 'Mars/Olympus' })).to.deep.equal([
      422,
      'platform not_allowed',
      'timezone unknown_timezone',
      'token wrong_type',
    ]);
  });

  it('are open to pages of any origin, and need an account that exists', async () => {
    const preflight = await service.api('OPTIONS', '/v1/push/subscribe', undefined, {
      Origin: 'https://shop.example',
      'Access-Control-Request-Method': 'POST',
    });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).to.deep.equal([204, 'https://shop.example']);
    const unknown = await subscribe({ account_id: 'acc_01J00000000000000000000000', token: 'x' });
    expect([unknown.status, unknown.body.resource]).to.deep.equal([404, 'account']);
  });
});
