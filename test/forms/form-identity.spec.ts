import { expect } from 'chai';
import { mailedConfirmation } from '../support/mailed-confirmation.js';
import { Service } from '../support/service.js';

describe('submissions of strangers', () => {
  const service = Service.guest();
  before(async () => {
    await service.ok('POST', '/custom-fields', { key: 'customer', label: 'Customer', type: 'string', unique: true });
  });

  const fields = [
    { key: 'email', type: 'email', label: 'Email', maps_to: 'email' },
    { key: 'phone', type: 'phone', label: 'Phone', maps_to: 'phone', required: true },
    { key: 'first', type: 'text', label: 'First', maps_to: 'first_name' },
    { key: 'last', type: 'text', label: 'Last', maps_to: 'last_name' },
    { key: 'customer', type: 'text', label: 'Customer', maps_to: 'custom_fields.customer' },
  ];
  let nth = 0;
  const form = (more: object = {}) =>
    service.ok('POST', '/forms', { name: 'Stand', slug: `stand-${++nth}`, fields, status: 'live', min_seconds: 0, ...more });
  const submit = async (id: string, given: object) => {
    const { status, body } = await service.call('POST', `/public/forms/${id}/submit`, { fields: given }, { 'X-API-Key': '' });
    expect(status, JSON.stringify(body)).to.equal(200);
    return (await service.ok('GET', `/forms/${id}/submissions`)).data[0];
  };
  const fresh = (name: string) => ({ email: `${name}${++nth}@strangers.test`, phone: `+1415555${String(7000 + nth)}` });
  const contactOf = async (email: string) => (await service.ok('GET', `/contacts?email=${encodeURIComponent(email)}`)).data[0];
  const read = (id: string) => service.ok('GET', `/contacts/${id}`);

  it('who know a number take over no contact: they are another, and the number stays', async () => {
    const { id } = await form({ tags: ['form'] });
    const ann = fresh('ann');
    const before = await service.ok('POST', '/contacts', { ...ann, first_name: 'Ann' });
    const { email } = fresh('stranger');
    const submission = await submit(id, { email, phone: ann.phone, first: 'Eve' });
    expect(submission.fields).to.deep.include({ email, phone: ann.phone, first: 'Eve' });
    expect(submission.not_applied).to.deep.equal(['phone']);
    const stranger = await contactOf(email);
    expect(stranger).to.deep.include({ email, phone: null, first_name: 'Eve', tags: ['form'] });
    expect(stranger.id).to.equal(submission.contact_id).and.not.equal(before.id);
    expect(await read(before.id)).to.deep.equal((({ merged: _, merge_ids: __, ...contact }) => contact)(before));
  });

  it('nor one that has no email, nor by the number alone', async () => {
    const { id } = await form({ tags: ['form'] });
    const { phone, email } = fresh('ann');
    const before = await service.ok('POST', '/contacts', { phone });
    await submit(id, { email, phone, first: 'Eve' });
    expect((await contactOf(email)).id).to.not.equal(before.id);
    const { contact_id } = await submit(id, { phone, first: 'Mallory' });
    expect(await read(contact_id)).to.deep.include({ email: null, phone: null, first_name: 'Mallory' });
    expect(await read(before.id)).to.deep.include({ phone, email: null, first_name: null, tags: [] });
  });

  it('who know an email fill empty fields, and change no other and no address', async () => {
    const list = await service.ok('POST', '/lists', { name: 'Stand' });
    const { id } = await form({ list_ids: [list.id], tags: ['form'] });
    const { email } = fresh('ann');
    const other = fresh('bob');
    const made = await service.ok('POST', '/contacts', { email, first_name: 'Ann' });
    await service.ok('POST', '/contacts', other);
    const { phone } = fresh('ann');
    for (const number of [phone, other.phone]) {
      const submission = await submit(id, { email, phone: number, first: 'Eve', last: 'Smith', customer: `c${nth}` });
      expect(submission).to.deep.include({ contact_id: made.id });
      expect(submission.fields).to.deep.include({ phone: number, first: 'Eve' });
      expect(submission.not_applied).to.include.members(['custom_fields.customer', 'first_name', 'phone']);
    }
    expect(await read(made.id)).to.deep.include({
      ...{ email, phone: null, other_phones: [], first_name: 'Ann', last_name: 'Smith', tags: ['form'], custom_fields: {} },
      lists: [{ id: list.id, status: 'subscribed' }],
    });
    expect(await contactOf(other.email)).to.deep.include(other);
  });

  it('who are new have what they give, as far as nobody has it', async () => {
    const { id } = await form();
    const eve = fresh('eve');
    await submit(id, { ...eve, first: 'Eve' });
    expect(await contactOf(eve.email)).to.deep.include({ ...eve, first_name: 'Eve' });
  });

  it('who confirm their email give their fields, and no address', async () => {
    const { id } = await form({ double_opt_in: true, fields: fields.map((field) => ({ ...field, required: field.key === 'email' })) });
    const email = `doi-${id.slice(-6).toLowerCase()}@sandbox.test`;
    const made = await service.ok('POST', '/contacts', { email, first_name: 'A', last_name: 'Smith' });
    const { phone } = fresh('ann');
    await submit(id, { email, phone, first: 'Ada' });
    expect(await read(made.id)).to.deep.include({ first_name: 'A', phone: null });
    const pathname = await mailedConfirmation(service, email);
    const confirmed = await fetch(service.url + pathname, { method: 'POST', body: new URLSearchParams({ language: 'en' }) });
    expect(confirmed.status).to.equal(200);
    expect(await read(made.id)).to.deep.include({ first_name: 'Ada', last_name: 'Smith', phone: null, other_phones: [] });
  });

  it('whose email came in with the number of another speak for nobody else', async () => {
    const list = await service.ok('POST', '/lists', { name: 'Stand' });
    const consent = { text: 'Yes', version: '1', channels: ['email'] };
    const { id } = await form({ list_ids: [list.id], consent });
    const ann = fresh('ann');
    const { email: bob } = fresh('bob');
    const made = await service.ok('POST', '/contacts', { ...ann, first_name: 'Ann' });
    expect((await service.ok('POST', '/contacts', { email: bob, phone: ann.phone })).id).to.equal(made.id);
    await service.call(
      'POST',
      `/public/forms/${id}/submit`,
      { fields: { email: bob, phone: ann.phone, first: 'Bob' }, consent: true },
      { 'X-API-Key': '' },
    );
    expect(await read(made.id)).to.deep.include({ ...ann, first_name: 'Ann', other_emails: [bob], lists: [], consents: {} });
    const added = await service.call('POST', `/lists/${list.id}/contacts`, { emails: [bob] });
    expect([added.status, added.body.errors[0].code]).to.deep.equal([422, 'matched_by_phone']);
    const device = { account_id: service.accountId, platform: 'ios', token: 'a'.repeat(64), contact: { email: bob } };
    const subscribed = await service.call('POST', '/push/subscribe', device, { 'X-API-Key': '' });
    expect([subscribed.status, subscribed.body.contact_id]).to.deep.equal([201, null]);
  });
});

describe('events of people who share a number', () => {
  const service = Service.guest();

  it('are those of the contact that has the number, which keeps its email, with a warning', async () => {
    const ann = { email: 'ann@events.test', phone: '+14155558800' };
    const { body: made } = await service.api('POST', '/v1/contacts', ann);
    const event = (email: string) => ({ contact: { email, phone: ann.phone }, event: 'visit' });
    const { status, body } = await service.api('POST', '/v1/events', event('bob@events.test'));
    expect([status, body.contact_id, body.contact_created]).to.deep.equal([202, made.id, false]);
    expect(body.warnings[0]).to.deep.include({ code: 'matched_by_phone', contact_id: made.id, email: 'bob@events.test' });
    const { body: batch } = await service.api('POST', '/v1/events/batch', { events: [event('eve@events.test'), event(ann.email)] });
    expect(batch.events.map(({ warnings = [] }: { warnings?: { code: string }[] }) => warnings.map(({ code }) => code))).to.deep.equal([
      ['matched_by_phone'],
      [],
    ]);
    const { body: after } = await service.api('GET', `/v1/contacts/${made.id}`);
    expect(after).to.deep.include({ ...ann, other_emails: ['bob@events.test', 'eve@events.test'] });
  });

  it('and messages to a further address change nothing, and are those of its contact', async () => {
    const { body: made } = await service.api('POST', '/v1/contacts', { email: 'first@events.test', other_emails: ['second@events.test'] });
    const message = { to: 'second@events.test', channel: 'email', subject: 'S', message: 'M', create_contact: true };
    const { body: sent } = await service.api('POST', '/v1/messages/send', message);
    expect((await service.api('GET', `/v1/messages/${sent.id}`)).body.contact_id).to.equal(made.id);
    expect((await service.api('GET', `/v1/contacts/${made.id}`)).body).to.deep.include({
      email: 'first@events.test',
      other_emails: ['second@events.test'],
    });
    const { data } = (await service.api('GET', `/v1/messages?contact_id=${made.id}`)).body;
    expect(data.map(({ id }: { id: string }) => id)).to.deep.equal([sent.id]);
  });
});
