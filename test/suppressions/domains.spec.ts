import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';

describe('suppressions of domains', () => {
  let service: Service;
  before(async () => {
    service = await Service.shared();
  });
  after(() => service.close());

  const suppressions = '/v1/account/unsubscribes';
  const load = (body: unknown) => service.api('POST', `${suppressions}/api/import`, body);
  const send = async (to: string, more: object = {}): Promise<string> =>
    (await service.api('POST', '/v1/messages/send', { channel: 'email', to, message: 'Hi', subject: 'Hi', ...more })).body.id;
  const statusOf = async (id: string) => {
    const { body } = await service.api('GET', `/v1/messages/${id}`);
    return body.status === 'suppressed' ? body.status_reason : 'taken';
  };

  it('hold for every address of the domain, and for no other', async () => {
    const { body } = await load({ emails: ['*@spam.example', 'one@other.example'], entries: [{ domain: 'Junk.Example', reason: 'manual' }] });
    expect(body).to.include({ received: 3, imported: 3, invalid: 0 });
    expect(await statusOf(await send('ada@spam.example'))).to.equal('unsubscribed');
    expect(await statusOf(await send('ADA@junk.example'))).to.equal('manual');
    expect(await statusOf(await send('ada@sub.spam.example'))).to.equal('taken');
    expect(await statusOf(await send('two@other.example'))).to.equal('taken');
    expect((await load({ entries: [{ domain: 'no domain' }] })).body.errors[0]).to.include({ code: 'invalid_domain', field: 'domain' });
  });

  it('are shown by themselves, and where one of their addresses is looked up', async () => {
    const { status, body } = await service.api('POST', suppressions, { domain: 'shown.example', reason: 'legal' });
    expect([status, body.domain, body.address]).to.deep.equal([201, 'shown.example', '*@shown.example']);
    await service.api('POST', suppressions, { email: 'ada@shown.example' });
    const { body: found } = await service.api('GET', `${suppressions}?address=ada@shown.example`);
    expect(found.data.map(({ domain, reason }: Record<string, unknown>) => [domain, reason])).to.deep.equal([
      [null, 'manual'],
      ['shown.example', 'legal'],
    ]);
    const { body: other } = await service.api('GET', `${suppressions}?address=ada@elsewhere.example`);
    expect(other.data).to.deep.equal([]);
    await service.api('DELETE', `${suppressions}/${body.id}`, { reason: 'a mistake' });
    expect(await statusOf(await send('bob@shown.example'))).to.equal('taken');
  });

  it('hold for messages that wait, alone and in bulk', async () => {
    const send_at = new Date(Date.now() + 1_500).toISOString();
    const waiting = await send('ada@late.example', { send_at });
    const bulk = await service.api('POST', '/v1/messages/bulk', {
      defaults: { channel: 'email', message: 'Hi', subject: 'Hi', send_at },
      messages: [{ to: 'bob@late.example' }, { to: 'bob@on-time.example' }],
    });
    await service.api('POST', suppressions, { domain: 'late.example' });
    await eventually('the message is suppressed', async () => (await statusOf(waiting)) === 'manual', { within: 10_000 });
    expect(bulk.status, JSON.stringify(bulk.body)).to.be.below(300);
    const [first] = bulk.body.messages;
    await eventually('the one of the bulk, too', async () => (await statusOf(first.id)) === 'manual', { within: 10_000 });
  });
});
