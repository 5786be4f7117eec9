import { expect } from 'chai';
import { type Reply, Service } from '../support/service.js';

describe('the recipient of a message', () => {
  const service = Service.guest();

  const send = (message: object, headers = {}) =>
    service.call('POST', '/messages/send', { channel: 'email', subject: 'Hi', message: 'Hello', ...message }, headers);
  const bulk = (...messages: object[]) =>
    service.call('POST', '/messages/bulk', { messages, defaults: { channel: 'email', subject: 'Hi', message: 'Hello' } });
  const contactAt = async (email: string) => (await service.call('GET', `/contacts?email=${encodeURIComponent(email)}`)).body.data;
  const created = async (contact: object) => (await service.call('POST', '/contacts', contact)).body.id as string;
  const problems = ({ body }: Reply) => (body.errors ?? [body]).map(({ field, code }: Record<string, string>) => [field, code]);

  it('is created with create_contact if nobody has the address, by a single message and by a bulk', async () => {
    const { status, body } = await send({ to: 'New@Example.com', create_contact: true });
    expect(status).to.equal(202);
    const [contact] = await contactAt('new@example.com');
    expect(contact).to.include({ id: body.contact_id, email: 'new@example.com', source: 'message' });
    expect((await service.call('GET', `/messages/${body.id}`)).body.contact_id).to.equal(contact.id);
    expect((await send({ to: 'new@example.com', create_contact: true })).body.contact_id).to.equal(contact.id);

    const batch = await bulk(
      { to: 'b1@example.com', create_contact: true },
      { to: 'b2@example.com' },
      { to: 'b1@example.com', create_contact: true },
    );
    expect(batch.status, batch.text).to.equal(202);
    expect(await contactAt('b1@example.com')).to.have.length(1);
    expect(await contactAt('b2@example.com')).to.deep.equal([]);
  });

  it('is not created in a dry run, and once under an idempotency key', async () => {
    expect((await send({ to: 'dry@example.com', create_contact: true, dry_run: true })).status).to.equal(200);
    expect(await contactAt('dry@example.com')).to.deep.equal([]);
    const headers = { 'Idempotency-Key': 'create-1' };
    const [first, second] = [
      await send({ to: 'key@example.com', create_contact: true }, headers),
      await send({ to: 'key@example.com', create_contact: true }, headers),
    ];
    expect(first.body.contact_id).to.match(/^con_/);
    expect(second.text).to.equal(first.text);
  });

  it('has the contact_id that a later GET shows, also after a merge, and the same in a repeat', async () => {
    const older = await created({ email: 'older@example.com' });
    const younger = await created({ email: 'younger@example.com' });
    expect((await send({ to: 'older@example.com' })).body.contact_id).to.equal(older);
    const headers = { 'Idempotency-Key': 'merge-1' };
    const before = await send({ to: 'nobody-yet@example.com' }, headers);
    expect(before.body.contact_id).to.equal(null);
    await created({ email: 'nobody-yet@example.com' });
    expect((await send({ to: 'nobody-yet@example.com' }, headers)).text).to.equal(before.text);
    expect((await service.call('POST', `/contacts/${older}/merge`, { source_contact_id: younger })).status).to.equal(200);
    for (const message of [{ to: 'younger@example.com' }, { to: 'other@example.com', contact_id: younger }]) {
      const { body } = await send(message);
      expect(body.contact_id).to.equal(older);
      expect((await service.call('GET', `/messages/${body.id}`)).body.contact_id).to.equal(older);
    }
  });

  it('is refused if contact_id names nobody, or a contact of another account', async () => {
    const as = { 'X-API-Key': await service.otherAccountKey() };
    const { body: stranger } = await service.call('POST', '/contacts', { email: 'stranger@example.com' }, as);
    const mine = await created({ email: 'mine@example.com' });
    for (const contact_id of ['con_NOBODY', stranger.id]) {
      const single = await send({ to: 'mine@example.com', contact_id });
      expect(single.status).to.equal(422);
      expect(single.body.code).to.equal('recipient_not_found');
      const { status, body } = await bulk({ to: 'mine@example.com', contact_id }, { to: 'mine@example.com', contact_id: mine });
      expect([status, body.accepted, body.errors[0].code, body.errors[0].field, body.errors[0].index]).to.deep.equal([
        ...[202, 1, 'recipient_not_found', 'contact_id', 0],
      ]);
    }
    expect(problems(await send({ to: 'no address', contact_id: 'con_NOBODY' }))).to.have.deep.members([
      ['to', 'invalid_email'],
      ['contact_id', 'recipient_not_found'],
    ]);
  });

  it('who is gone is no error for the repeat of an accepted request', async () => {
    const contact_id = await created({ email: 'gone@example.com' });
    const kept = await created({ email: 'kept@example.com' });
    const headers = { 'Idempotency-Key': 'gone-1' };
    const messages = [contact_id, 'con_NOBODY', kept].map((id) => ({ to: 'gone@example.com', contact_id: id }));
    const bulkBody = { messages, defaults: { channel: 'email', subject: 'Hi', message: 'Hello' } };
    const first = [await send({ to: 'gone@example.com', contact_id }, headers), await service.call('POST', '/messages/bulk', bulkBody, headers)];
    expect(first.map(({ status }) => status)).to.deep.equal([202, 202]);
    expect((await service.call('DELETE', `/contacts/${contact_id}`)).status).to.equal(204);
    const second = [await send({ to: 'gone@example.com', contact_id }, headers), await service.call('POST', '/messages/bulk', bulkBody, headers)];
    expect(second.map(({ text }) => text)).to.deep.equal(first.map(({ text }) => text));
  });

  it('on push and in_app is a contact, by its id, an address or a unique field', async () => {
    const id = await created({ email: 'device@example.com', phone: '+14155550142' });
    expect((await service.call('POST', '/custom-fields', { key: 'crm_id', label: 'CRM', type: 'number', unique: true })).status).to.equal(201);
    const crm = await created({ email: 'crm@example.com', custom_fields: { crm_id: 42 } });
    for (const channel of ['push', 'in_app']) {
      for (const to of [id, 'Device@example.com', '+1 415 555 0142', 'custom_field.crm_id:42']) {
        const { status, body } = await send({ channel, to, subject: undefined });
        const expected = to.startsWith('custom_field') ? crm : id;
        expect([status, body.to, body.contact_id], to).to.deep.equal([202, expected, expected]);
        expect((await service.call('GET', `/messages/${body.id}`)).body).to.include({ to: expected, contact_id: expected, channel });
        const listed = (await service.call('GET', `/messages?to=${expected}&channel=${channel}&limit=200`)).body.data;
        expect(listed.map((one: { id: string }) => one.id)).to.include(body.id);
      }
      for (const to of ['con_NOBODY', 'stranger@example.com', 'custom_field.crm_id:43', 'custom_field.shoe:1'])
        expect([(await send({ channel, to, subject: undefined })).body.code, to]).to.deep.equal(['recipient_not_found', to]);
      const { status, body } = await service.call('POST', '/messages/bulk', {
        messages: [{ to: id }, { to: 'con_NOBODY' }],
        defaults: { channel, message: 'Hi' },
      });
      expect([status, body.accepted, body.errors[0].code, body.errors[0].field]).to.deep.equal([202, 1, 'recipient_not_found', 'to']);
    }
  });

  it('on in_app is suppressed if any address of the contact is, on all channels', async () => {
    const id = await created({ email: 'quiet@example.com', phone: '+14155550146' });
    expect((await service.call('POST', '/account/unsubscribes', { phone: '+14155550146', channel: 'sms' })).status).to.equal(201);
    expect((await send({ channel: 'in_app', to: id, subject: undefined })).body.status).to.equal('queued');
    expect((await service.call('POST', '/account/unsubscribes', { email: 'quiet@example.com', channel: 'all' })).status).to.equal(201);
    expect((await send({ channel: 'in_app', to: '+14155550146', subject: undefined })).body).to.include({ status: 'suppressed' });
    const { body } = await service.call('POST', '/messages/bulk', { messages: [{ to: id, channel: 'in_app', message: 'Hi' }] });
    expect(body.messages[0].status).to.equal('suppressed');
  });

  it('on in_app is the contact that its contact is merged into, and has the values of it in a template', async () => {
    const older = await created({ email: 'root@example.com', first_name: 'Ada' });
    const younger = await created({ email: 'part@example.com' });
    expect((await service.call('POST', `/contacts/${older}/merge`, { source_contact_id: younger })).status).to.equal(200);
    const template = await service.call('POST', '/templates', { name: 'Welcome in', channel: 'in_app', message: 'Hello {{ contact.first_name }}' });
    expect(template.status, template.text).to.equal(201);
    for (const to of [younger, 'part@example.com']) {
      const { body } = await send({ channel: 'in_app', to, subject: undefined, message: undefined, template_id: template.body.id });
      expect((await service.call('GET', `/messages/${body.id}`)).body, to).to.include({ to: older, message: 'Hello Ada' });
    }
  });

  it('on in_app who is gone is no error for the repeat of an accepted request', async () => {
    const to = await created({ email: 'in-app-gone@example.com' });
    const headers = { 'Idempotency-Key': 'in-app-gone-1' };
    const body = { channel: 'in_app', message: 'Hi' };
    const requests = () => [
      service.call('POST', '/messages/send', { to, ...body }, headers),
      service.call('POST', '/messages/bulk', { messages: [{ to }, { to: 'con_NOBODY' }], defaults: body }, headers),
    ];
    const first = await Promise.all(requests());
    expect(first.map(({ status }) => status)).to.deep.equal([202, 202]);
    expect((await service.call('DELETE', `/contacts/${to}`)).status).to.equal(204);
    const second = await Promise.all(requests());
    expect(second.map(({ text }) => text)).to.deep.equal(first.map(({ text }) => text));
  });

  it('of a bulk that repeats an idempotency key gets the id of the first and duplicate_of', async () => {
    const messages = ['one', 'two', 'one', 'one'].map((idempotency_key, i) => ({ to: `d${i}@example.com`, idempotency_key }));
    const { body } = await bulk(...messages);
    const [first, second] = body.messages;
    expect(body).to.deep.include({ received: 4, accepted: 2, rejected: 0, duplicates: 2 });
    expect(body.messages).to.deep.equal([
      first,
      second,
      { index: 2, id: first.id, status: 'queued', duplicate_of: 0 },
      { index: 3, id: first.id, status: 'queued', duplicate_of: 0 },
    ]);
    expect([first.duplicate_of, second.duplicate_of]).to.deep.equal([undefined, undefined]);
    expect((await service.call('GET', `/messages/bulk/${body.batch_id}`)).body).to.include({ received: 4, accepted: 2, rejected: 0 });
  });

  it('cannot be suppressed on a channel that has no such addresses', async () => {
    const path = '/account/unsubscribes';
    for (const entry of [
      { email: 'x@example.com', channel: 'sms' },
      { phone: '+14155550143', channel: 'email' },
    ]) {
      const { status, body } = await service.call('POST', path, entry);
      expect([status, body.errors?.[0]?.field, body.errors?.[0]?.code]).to.deep.equal([422, 'channel', 'channel_mismatch']);
      expect((await service.call('POST', `${path}/api/import`, [entry])).body).to.include({ invalid: 1, imported: 0 });
    }
    expect((await service.call('POST', `${path}/api/import`, { emails: ['x@example.com'], channel: 'sms' })).body).to.include({
      invalid: 1,
      imported: 0,
    });
    const both = { email: 'x@example.com', phone: '+14155550144', channel: 'sms' };
    expect((await service.call('POST', `${path}/api/import`, [both])).body).to.include({ invalid: 0, imported: 1 });
    expect((await service.call('GET', `${path}?address=x@example.com`)).body.data).to.deep.equal([]);
  });
});
