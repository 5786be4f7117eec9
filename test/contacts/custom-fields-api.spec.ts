import { expect } from 'chai';
import { Service } from '../support/service.js';

describe('custom fields and relations of contacts over HTTP', () => {
  const service = Service.guest();

  const define = (body: object, headers = {}) => service.call('POST', '/custom-fields', { label: 'A label', type: 'string', ...body }, headers);

  it('are defined once, read, changed and removed', async () => {
    const { status, body: field } = await define({ key: 'plan', options: ['free', 'pro'] });
    expect(status).to.equal(201);
    expect(field).to.deep.include({ key: 'plan', type: 'string', options: ['free', 'pro'], unique: false, pii: false });
    expect((await define({ key: 'plan' })).body).to.deep.include({ code: 'conflict', id: field.id });
    expect((await service.call('GET', `/custom-fields/${field.id}`)).body).to.deep.equal(field);
    const changed = await service.call('PATCH', `/custom-fields/${field.id}`, { label: 'Tariff', options: ['gold'], type: 'number', shoe: 1 });
    const warnings = ['fixed field: type', 'unknown field: shoe'];
    expect(changed.body).to.deep.include({ label: 'Tariff', options: ['gold'], type: 'string', warnings });
    const { body: contact } = await service.call('POST', '/contacts', { email: 'gold@example.com', custom_fields: { plan: 'gold' } });
    expect([
      (await service.call('DELETE', `/custom-fields/${field.id}`)).status,
      (await service.call('DELETE', `/custom-fields/${field.id}`)).status,
    ]).to.deep.equal([204, 204]);
    expect((await service.call('GET', `/custom-fields/${field.id}`)).status).to.equal(404);
    expect((await service.call('GET', `/contacts/${contact.id}`)).body.custom_fields).to.deep.equal({});
    expect((await define({ key: 'plan', type: 'number' })).status).to.equal(201);
    expect((await service.call('GET', `/contacts/${contact.id}`)).body.custom_fields).to.deep.equal({});
    expect((await service.call('DELETE', '/custom-fields/fld_UNKNOWN')).status).to.equal(404);
  });

  it('are refused with all problems, and replayed under an idempotency key', async () => {
    const wrong = await service.call('POST', '/custom-fields', { key: 'Not A Key', type: 'color', options: [] });
    expect(wrong.status).to.equal(422);
    expect(wrong.body.errors.map(({ field }: { field: string }) => field)).to.include.members(['key', 'label', 'type', 'options']);
    expect((await define({ key: 'twice', options: ['a', 'a'] })).body.errors[0]).to.deep.include({ field: 'options', code: 'duplicate' });
    const headers = { 'Idempotency-Key': 'field-1' };
    const [first, second] = [await define({ key: 'once' }, headers), await define({ key: 'once' }, headers)];
    expect([first.status, second.status, second.text]).to.deep.equal([201, 201, first.text]);
  });

  it('are listed page by page, newest first', async () => {
    for (let n = 0; n < 5; n++) await define({ key: `listed_${n}` });
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await service.call('GET', `/custom-fields?limit=2${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      seen.push(...body.data.map(({ key }: { key: string }) => key));
      if (!body.next_cursor) break;
      cursor = body.next_cursor;
    }
    expect(seen.slice(0, 5)).to.deep.equal(['listed_4', 'listed_3', 'listed_2', 'listed_1', 'listed_0']);
    expect(new Set(seen).size).to.equal(seen.length);
    const theirs = { 'X-API-Key': await service.otherAccountKey() };
    expect((await service.call('GET', '/custom-fields', undefined, theirs)).body.data).to.deep.equal([]);
  });

  it('show lists and consents with the contact, the more restrictive of two merged ones', async () => {
    const { body: one } = await service.call('POST', '/contacts', { email: 'one@example.com' });
    const { body: two } = await service.call('POST', '/contacts', { email: 'two@example.com' });
    const { body: list } = await service.call('POST', '/lists', { name: 'News', opt_in: 'single' });
    await service.call('POST', `/lists/${list.id}/contacts`, { contact_ids: [one.id, two.id] });
    await service.call('DELETE', `/lists/${list.id}/contacts/${two.id}`);
    const consent = { channel: 'email', purpose: 'marketing', lawful_basis: 'consent', source: 'checkout' };
    expect((await service.call('POST', `/contacts/${one.id}/consents`, { ...consent, status: 'granted' })).status).to.be.within(200, 202);
    await service.call('POST', `/contacts/${two.id}/consents`, { ...consent, status: 'withdrawn' });

    const shown = async (id: string) => (await service.call('GET', `/contacts/${id}`)).body;
    expect(await shown(one.id)).to.deep.include({ lists: [{ id: list.id, status: 'subscribed' }], consents: { email: { marketing: 'granted' } } });
    const found = async () => (await service.call('GET', `/contacts?list_id=${list.id}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await found()).to.deep.equal([one.id]);
    const { body: merged } = await service.call('POST', `/contacts/${one.id}/merge`, { source_contact_id: two.id });
    expect(await shown(one.id)).to.deep.include({
      lists: [{ id: list.id, status: 'unsubscribed' }],
      consents: { email: { marketing: 'withdrawn' } },
    });
    expect(await found()).to.deep.equal([]);
    const [row] = (await service.call('GET', '/contacts?email=one@example.com')).body.data;
    expect(row).to.deep.equal(await shown(one.id));
    await service.call('POST', `/contacts/${one.id}/unmerge`, { merge_id: merged.merge_id });
    expect(await shown(one.id)).to.deep.include({ lists: [{ id: list.id, status: 'subscribed' }], consents: { email: { marketing: 'granted' } } });
    expect(await found()).to.deep.equal([one.id]);
    const { body: timeline } = await service.call('GET', `/contacts/${two.id}/timeline`);
    expect(timeline.data.map(({ kind }: { kind: string }) => kind)).to.include.members(['contact', 'consent', 'list']);
    await service.call('DELETE', `/lists/${list.id}`);
    expect((await shown(one.id)).lists).to.deep.equal([]);
    expect(await found()).to.deep.equal([]);
  });
});
