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

  it('hold for the copies of messages that wait, alone and in bulk', async () => {
    const mail = { send_at: new Date(Date.now() + 1_500).toISOString(), cc: ['eve@copied.example', 'eve@kept.example'], bcc: ['kim@copied.example'] };
    const alone = await send('ada@first.example', mail);
    const { body } = await service.api('POST', '/v1/messages/bulk', {
      defaults: { channel: 'email', message: 'Hi', subject: 'Hi', ...mail },
      messages: [{ to: 'bob@first.example' }],
    });
    await service.api('POST', suppressions, { domain: 'copied.example' });
    for (const id of [alone, body.messages[0].id]) {
      const handed = async () => (await service.api('GET', `/v1/sandbox/messages?message_id=${id}`)).body.data[0];
      await eventually('it is handed over', handed, { within: 10_000 });
      const { cc, bcc } = await handed();
      expect([cc, bcc]).to.deep.equal([['eve@kept.example'], []]);
    }
  });

  it('are shown at the contacts of the domain, as what they are, and come back as nothing else from an export', async () => {
    const { body: created } = await service.api('POST', '/v1/contacts', { email: 'Ada@Person.example', phone: '+14155550177' });
    const { body: other } = await service.api('POST', '/v1/contacts', { email: 'ada@elsewhere.example' });
    const path = `/v1/contacts/${created.id}`;
    await service.api('POST', suppressions, { domain: 'person.example', reason: 'legal', channel: 'email', scope: 'all' });
    const { body: shown } = await service.api('GET', path);
    const [{ since, ...entry }, ...more] = shown.suppressions;
    expect([entry, more, shown.suppressed_channels]).to.deep.equal([
      { channel: 'email', scope: 'all', reason: 'legal', domain: 'person.example' },
      [],
      ['email'],
    ]);
    const listed = (await service.api('GET', '/v1/contacts?email=ada@person.example')).body.data[0];
    expect(listed.suppressions).to.deep.equal([{ ...entry, since }]);
    const { body: consents } = await service.api('GET', `${path}/consents`);
    expect(consents.suppressions.map(({ address, reason, domain }: Record<string, unknown>) => [address, reason, domain])).to.deep.equal([
      ['email', 'legal', 'person.example'],
    ]);
    expect((await service.api('GET', `/v1/contacts/${other.id}`)).body.suppressions).to.deep.equal([]);
    const { body: before } = await service.api('GET', `${path}?as_of=${created.created_at}`);
    expect(before.suppressions).to.deep.equal([]);

    // A reason of the address itself that stops as much comes first.
    await service.api('POST', suppressions, { email: 'ada@person.example', reason: 'legal', channel: 'email', scope: 'all' });
    expect((await service.api('GET', path)).body.suppressions[0]).to.not.have.property('domain');

    const row = { email: 'back@person.example', suppressions: shown.suppressions };
    await service.api('POST', '/v1/contacts/import', { contacts: [row] });
    const entries = (await service.api('GET', `${suppressions}?address=back@person.example`)).body.data;
    expect(entries.map(({ domain }: Record<string, unknown>) => domain)).to.deep.equal(['person.example']);
  });
});
