import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';

describe('a test key', () => {
  const service = Service.guest();
  let test: Record<string, string>;
  before(async () => {
    const { status, body } = await service.call('POST', '/api-keys', { name: 'Trial', mode: 'test' });
    expect(status).to.equal(201);
    expect(body.key).to.match(/^hk_test_[0-9A-Za-z]{43}$/);
    expect(body).to.include({ mode: 'test', prefix: body.key.slice(0, 12) });
    test = { 'X-API-Key': body.key };
  });

  const message = (to: string) => ({ to, channel: 'email', subject: 'Hi', message: 'Hello' });
  const send = async (to: string, more: object = {}, headers = {}) =>
    (await service.call('POST', '/messages/send', { ...message(to), ...more }, headers)).body;
  const reaches = (id: string, status: string) =>
    eventually(`${id} is ${status}`, async () => {
      const { body } = await service.call('GET', `/messages/${id}`);
      expect(body).to.include({ status });
      return body;
    });
  const listed = async (address: string) => (await service.call('GET', `/account/unsubscribes?address=${encodeURIComponent(address)}`)).body.data;

  it('is listed with its mode, beside live keys, and issues only test keys', async () => {
    const { data } = (await service.call('GET', '/api-keys')).body;
    expect(data.map(({ mode }: { mode: string }) => mode)).to.have.members(['test', 'live']);
    expect((await service.call('POST', '/api-keys', { name: 'Another' }, test)).body.code).to.equal('forbidden');
    expect((await service.call('POST', '/api-keys', { name: 'Another', mode: 'test' }, test)).status).to.equal(201);
    expect((await service.call('POST', '/api-keys', { name: 'Another', mode: 'trial' })).status).to.equal(422);
  });

  it('sends messages that say so and do not ask for suppressions, alone and in a bulk', async () => {
    await service.call('POST', '/account/unsubscribes', { email: 'listed@example.com' });
    const single = await send('listed@example.com', {}, test);
    expect(single).to.include({ status: 'queued', test: true });
    const { body } = await service.call('POST', '/messages/bulk', [message('listed@example.com')], test);
    expect(body.messages[0]).to.include({ status: 'queued' });
    for (const id of [single.id, body.messages[0].id]) expect(await reaches(id, 'delivered')).to.include({ test: true });
    const live = await send('listed@example.com');
    expect(live).to.include({ status: 'suppressed' }).and.not.to.have.property('test');
  });

  it('changes no suppression by bounces, complaints and unsubscriptions of its messages', async () => {
    const addresses = ['bounce@sandbox.test', 'unsubscribe@sandbox.test', 'complaint@sandbox.test'];
    const { body } = await service.call('POST', '/messages/bulk', addresses.map(message), test);
    const [bounced, ...others] = [(await send('bounce@sandbox.test', {}, test)).id, ...body.messages.map(({ id }: { id: string }) => id)];
    await reaches(bounced, 'bounced');
    const kinds = ['MessageBounced', 'MessageUnsubscribed', 'MessageComplained'];
    for (const [i, id] of others.entries())
      await eventually(`${id} has its feedback`, async () =>
        (await service.call('GET', `/messages/${id}/events`)).body.data.some(({ type }: { type: string }) => type === kinds[i]),
      );
    const texted = await send('+15005550006', { channel: 'sms', subject: undefined }, test);
    await eventually('it is answered', async () =>
      (await service.call('GET', `/messages/${texted.id}/events`)).body.data.some(({ type }: { type: string }) => type === 'MessageReplied'),
    );
    expect((await service.call('GET', '/inbound-messages')).body.data).to.deep.equal([]);
    // Feedback on a live message, which is recorded later, is followed.
    await send('+15005550006', { channel: 'sms', subject: undefined });
    await eventually('the live STOP is followed', async () => (await listed('+15005550006')).length === 1);
    for (const address of addresses) expect(await listed(address)).to.deep.equal([]);
  });

  it('takes no slots of frequency caps and passes them', async () => {
    await service.call('PATCH', '/account/settings', { frequency_caps: [{ channel: 'email', max: 1, per: 'P1D' }] });
    for (let n = 0; n < 2; n++) await reaches((await send('capped@example.com', { category: 'marketing' }, test)).id, 'delivered');
    const live = await send('capped@example.com', { category: 'marketing' });
    await reaches(live.id, 'delivered');
    expect((await send('capped@example.com', { category: 'marketing' })).status_reason).to.equal('frequency_cap');
    expect((await send('capped@example.com', { category: 'marketing' }, test)).status).to.equal('queued');
  });

  describe('imports contacts', () => {
    /** The rows of the sandbox for an address, with their links in full. */
    const confirmations = async (email: string) =>
      (await service.call('GET', `/sandbox/messages?to=${encodeURIComponent(email)}`, undefined, test)).body.data as {
        test?: true;
        links: string[];
      }[];
    const doubleList = async () => (await service.call('POST', '/lists', { name: 'News', opt_in: 'double' })).body.id as string;
    const consent = { channel: 'email', purpose: 'marketing', status: 'granted', lawful_basis: 'consent', source: 'form' };
    const contactOf = async (email: string) => (await service.call('GET', `/contacts?email=${encodeURIComponent(email)}`)).body.data[0];

    it('of the account, whose confirmation mails go to the sandbox, whatever is suppressed', async () => {
      const list = await doubleList();
      const email = 'imported@test-keys.example';
      await service.call('POST', '/account/unsubscribes', { email });
      const before = (await service.call('GET', `/account/unsubscribes/history?address=${encodeURIComponent(email)}`)).body.data;
      const { status, body } = await service.call('POST', '/contacts/import', { contacts: [{ email }], list_ids: [list] }, test);
      expect([status, body.created, body.suppressed]).to.deep.equal([200, 1, 1]);
      expect((await service.call('GET', `/contacts/imports/${body.id}`)).body).to.include({ status: 'completed', created: 1 });
      const [mail] = await eventually('the mail is handed over', async () => {
        const rows = await confirmations(email);
        expect(rows).to.have.length(1);
        return rows;
      });
      expect(mail).to.include({ test: true });
      const contact = await contactOf(email);
      expect(contact.lists).to.deep.equal([{ id: list, status: 'pending' }]);
      const link = new URL(mail?.links[0] ?? '').pathname;
      expect((await service.api('POST', link, {}, { 'X-API-Key': '' })).status).to.equal(200);
      expect((await contactOf(email)).lists).to.deep.equal([{ id: list, status: 'subscribed' }]);
      expect((await service.call('GET', `/account/unsubscribes/history?address=${encodeURIComponent(email)}`)).body.data).to.deep.equal(before);
    });

    it('also where the import is a job, with the consents that it brings', async () => {
      const list = await doubleList();
      const [first, last] = [{ email: 'first@test-keys.example' }, { email: 'last@test-keys.example' }];
      const contacts = [first, ...Array.from({ length: 1_000 }, () => ({ email: 'nobody' })), last];
      const { status, body } = await service.call('POST', '/contacts/import', { contacts, list_ids: [list], consent }, test);
      expect(status).to.equal(202);
      await eventually('the import is over', async () => (await service.call('GET', `/jobs/${body.id}`)).body.status === 'completed');
      for (const { email } of [first, last]) {
        const rows = await eventually(`${email} has its mail`, async () => {
          const found = await confirmations(email);
          expect(found).to.have.length(1);
          return found;
        });
        expect(rows.map((row) => row.test)).to.deep.equal([true]);
        expect((await contactOf(email)).consents).to.deep.equal({ email: { marketing: 'granted' } });
      }
    });
  });
});
