import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';
import { uploadContacts } from './upload.js';

describe('people who share addresses, over HTTP', () => {
  const service = Service.guest();
  before(async () => {
    await service.api('POST', '/v1/custom-fields', { key: 'external_id', label: 'Id', type: 'string', unique: true });
    await service.api('POST', '/v1/custom-fields', { key: 'plan', label: 'Plan', type: 'string' });
  });

  let nth = 0;
  const fresh = (name: string) => ({ email: `${name}${++nth}@fam.test`, phone: `+1415555${String(6000 + nth)}` });
  const post = (body: object): Promise<Reply> => service.api('POST', '/v1/contacts', body);
  const get = async (id: string) => (await service.api('GET', `/v1/contacts/${id}`)).body;
  const patch = (id: string, body: object): Promise<Reply> => service.api('PATCH', `/v1/contacts/${id}`, body);
  const found = async (email: string): Promise<string[]> =>
    (await service.api('GET', `/v1/contacts?email=${encodeURIComponent(email)}`)).body.data.map(({ id }: { id: string }) => id);
  const imported = async (contacts: readonly object[], options: object = {}) => {
    const { status, body } = await service.api('POST', '/v1/contacts/import', { contacts, ...options });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };

  it('keep their own name and address where a row names the number of another', async () => {
    const ann = fresh('ann');
    const bob = fresh('bob').email;
    const { body: made } = await post({ ...ann, first_name: 'Ann', tags: ['a'] });
    const { status, body } = await post({ email: bob, phone: ann.phone, first_name: 'Bob', last_name: 'Smith', tags: ['b'] });
    expect([status, body.id, body.merged]).to.deep.equal([200, made.id, true]);
    expect(body).to.deep.include({ ...ann, first_name: 'Ann', last_name: 'Smith', other_emails: [bob], tags: ['a', 'b'] });
    expect(body.warnings).to.have.length(1);
    expect(body.warnings[0]).to.deep.include({ code: 'matched_by_phone', contact_id: made.id, email: bob, not_applied: ['first_name'] });
    expect([await found(ann.email), await found(bob)]).to.deep.equal([[made.id], [made.id]]);
  });

  it('stay so however often such rows come again, with the phone or without', async () => {
    const ann = fresh('ann');
    const bob = fresh('bob').email;
    const rows = [
      { ...ann, first_name: 'Ann', custom_fields: { plan: 'pro' } },
      { email: bob, phone: ann.phone, first_name: 'Bob', custom_fields: { plan: 'free' } },
    ];
    const first = await imported(rows);
    expect(first).to.deep.include({ created: 1, merged: 1, failed: 0, matched_by_phone: 1 });
    expect(first.warnings[0]).to.deep.include({ row: 2, code: 'matched_by_phone', email: bob, not_applied: ['custom_fields.plan', 'first_name'] });
    for (const again of [rows, [...rows].reverse(), [{ email: bob, first_name: 'Bob' }]]) {
      expect(await imported(again)).to.deep.include({ created: 0, merged: 0, unchanged: again.length, matched_by_phone: 1 });
    }
    expect((await post({ email: bob, first_name: 'Bob' })).body).to.deep.include({ ...ann, first_name: 'Ann', other_emails: [bob] });
    expect((await get(first.warnings[0].contact_id)).custom_fields).to.deep.equal({ plan: 'pro' });
  });

  it('are two or refused, as on_conflict says: of the call, else of the account', async () => {
    const ann = fresh('ann');
    const { body: made } = await post({ ...ann, first_name: 'Ann' });
    const refused = await post({ email: fresh('bob').email, phone: ann.phone, on_conflict: 'reject' });
    expect([refused.status, refused.body.code, refused.body.contact_ids]).to.deep.equal([409, 'conflict', [made.id]]);
    const apart = await post({ email: fresh('bob').email, phone: ann.phone, first_name: 'Bob', on_conflict: 'keep_separate' });
    expect([apart.status, apart.body.phone, apart.body.first_name]).to.deep.equal([201, null, 'Bob']);
    expect(apart.body.warnings[0]).to.deep.include({ code: 'phone_kept_by', contact_id: made.id });
    try {
      const { body: settings } = await service.api('PATCH', '/v1/account/settings', { identity: { on_conflict: 'reject' } });
      expect(settings.identity).to.deep.equal({ on_conflict: 'reject' });
      expect((await post({ email: fresh('eve').email, phone: ann.phone })).status).to.equal(409);
      expect(await imported([{ email: fresh('eve').email, phone: ann.phone }])).to.deep.include({ failed: 1, created: 0 });
      expect(await imported([{ email: fresh('eve').email, phone: ann.phone }], { on_conflict: 'keep_separate' })).to.deep.include({ created: 1 });
      expect((await post({ email: fresh('eve').email, phone: ann.phone, on_conflict: 'merge' })).status).to.equal(200);
    } finally {
      await service.api('PATCH', '/v1/account/settings', { identity: { on_conflict: 'merge' } });
    }
    expect(await get(made.id)).to.deep.include({ ...ann, first_name: 'Ann' });
  });

  it('are previewed by a dry run as the import does it', async () => {
    const ann = fresh('ann');
    const bob = fresh('bob').email;
    const rows = [
      { ...ann, first_name: 'Ann' },
      { email: bob, phone: ann.phone, first_name: 'Bob' },
    ];
    const tried = await imported(rows, { dry_run: true });
    expect(tried).to.deep.include({ created: 1, merged: 1, matched_by_phone: 1 });
    expect(tried.warnings[0]).to.deep.include({ row: 2, code: 'matched_by_phone', email: bob, not_applied: ['first_name'] });
    expect(await found(bob)).to.deep.equal([]);
  });

  it('lose nothing by an opt-out that a test key says of an address that its contact shares', async () => {
    const [ann, bob] = [fresh('ann'), fresh('bob').email];
    const { key } = await service.ok('POST', '/api-keys', { name: 'Trial', mode: 'test' });
    const test = { 'X-API-Key': key };
    await service.ok('POST', '/contacts', ann, test);
    const consents = [{ channel: 'email', purpose: 'marketing', status: 'withdrawn' }];
    const { warnings } = await service.ok('POST', '/contacts', { email: bob, phone: ann.phone, consents }, test);
    expect(warnings[0]).to.include({ code: 'matched_by_phone', email: bob });
    const consent = { ...consents[0], occurred_at: '2026-01-01T00:00:00Z' };
    const rows = { contacts: [{ email: fresh('carol').email, phone: ann.phone }], consent };
    expect(await service.ok('POST', '/contacts/import', rows, test)).to.include({ failed: 0, matched_by_phone: 1 });
    for (const address of [bob, rows.contacts[0]?.email])
      expect((await service.ok('GET', `/account/unsubscribes?address=${address}`)).data, address).to.deep.equal([]);
    await service.ok('POST', '/contacts', { email: bob, phone: ann.phone, consents });
    expect((await service.ok('GET', `/account/unsubscribes?address=${bob}`)).data, 'said by a live key').to.have.length(1);
  });

  it('are so in a CSV, whose columns may have further addresses', async () => {
    const [ann, bob] = [fresh('ann'), fresh('bob').email];
    const [second, third] = [fresh('ann'), fresh('ann')];
    const upload = async (text: string) => (await uploadContacts(service, text)).body;
    const people = `email,phone,first_name\n${ann.email},${ann.phone},Ann\n${bob},${ann.phone},Bob\n`;
    const first = await upload(people);
    expect(first).to.deep.include({ created: 1, merged: 1, failed: 0, matched_by_phone: 1 });
    expect(first.warnings).to.have.length(1);
    expect(first.warnings[0]).to.deep.include({ row: 2, code: 'matched_by_phone', email: bob });
    expect(await upload(people)).to.deep.include({ unchanged: 2, matched_by_phone: 1 });
    const more = `email,other_emails,other_phones\n${ann.email},${second.email};${third.email},tel:${second.phone}\n`;
    expect(await upload(more)).to.deep.include({ merged: 1, failed: 0 });
    const [id] = await found(bob);
    expect(await get(id as string)).to.deep.include({
      ...{ ...ann, first_name: 'Ann', other_phones: [second.phone] },
      other_emails: [bob, second.email, third.email].sort(),
    });
    expect(await upload(more)).to.deep.include({ unchanged: 1 });
  });

  it('are previewed by a dry run of many rows, whose job lists them', async () => {
    const ann = fresh('ann');
    const others = Array.from({ length: 1_000 }, (_, i) => ({ email: `many${i}-${nth}@fam.test` }));
    const contacts = [{ ...ann, first_name: 'Ann' }, { email: fresh('bob').email, phone: ann.phone, first_name: 'Bob' }, ...others];
    const { status, body } = await service.api('POST', '/v1/contacts/import', { contacts, dry_run: true });
    expect(status).to.equal(202);
    const job = await eventually('the dry run', async () => {
      const { body: now } = await service.api('GET', `/v1/jobs/${body.id}`);
      return now.status === 'completed' && now;
    });
    expect(job.result).to.deep.include({ created: 1_001, merged: 1, matched_by_phone: 1 });
    expect(job.warnings).to.have.length(1);
    expect(job.warnings[0]).to.deep.include({ row: 2, code: 'matched_by_phone', not_applied: ['first_name'] });
  });

  it('join no list and grant nothing by the row of another; an opt-out holds for the address of the row', async () => {
    const { body: list } = await service.api('POST', '/v1/lists', { name: `Family ${++nth}` });
    const ann = fresh('ann');
    const [bob, eve] = [fresh('bob').email, fresh('eve').email];
    const { body: made } = await post(ann);
    const granted = { channel: 'email', purpose: 'marketing', status: 'granted', lawful_basis: 'consent', source: 'import' };
    const { warnings } = await imported([{ email: bob, phone: ann.phone }], { list_ids: [list.id], consent: granted });
    expect(warnings[0].not_applied).to.deep.equal(['lists', 'consents']);
    expect(await get(made.id)).to.deep.include({ lists: [], consents: {}, other_emails: [bob] });
    await imported([{ email: eve, phone: ann.phone }], { consent: { ...granted, status: 'withdrawn' } });
    expect(await get(made.id)).to.deep.include({ consents: {}, suppressed_channels: [] });
    const { body: suppressed } = await service.api('GET', `/v1/account/unsubscribes?address=${encodeURIComponent(eve)}`);
    expect(suppressed.data.map(({ reason, scope }: { reason: string; scope: string }) => [reason, scope])).to.deep.equal([
      ['unsubscribed', 'marketing'],
    ]);
  });

  it('are one where the phone belongs to a contact without an email: what the contact of the email says wins', async () => {
    const { email, phone } = fresh('ann');
    const { body: mail } = await post({ email, first_name: 'Ann', custom_fields: { plan: 'pro' } });
    const { body: text } = await post({ phone, first_name: 'Anna', last_name: 'Smith', custom_fields: { plan: 'free' } });
    const { body } = await post({ email, phone });
    expect(body).to.deep.include({ id: mail.id, email, phone, first_name: 'Ann', last_name: 'Smith', custom_fields: { plan: 'pro' } });
    expect(body.merged_ids).to.deep.equal([text.id]);
  });

  it('stay two where both have an email: the row goes to the one of its email', async () => {
    const [ann, bob] = [fresh('ann'), fresh('bob')];
    const { body: one } = await post({ ...ann, first_name: 'Ann' });
    const { body: other } = await post({ email: bob.email, first_name: 'Bob' });
    const { status, body } = await post({ email: bob.email, phone: ann.phone, last_name: 'Jones' });
    expect([status, body.id, body.phone, body.last_name]).to.deep.equal([200, other.id, null, 'Jones']);
    expect(body.warnings[0]).to.deep.include({ code: 'phone_kept_by', contact_id: one.id });
    expect(await get(one.id)).to.deep.include({ ...ann, first_name: 'Ann', last_name: null });
  });

  it('take a second number beside the first, and find the contact by both', async () => {
    const ann = fresh('ann');
    const second = fresh('ann').phone;
    const { body: made } = await post(ann);
    const { body } = await post({ email: ann.email, phone: second });
    expect(body).to.deep.include({ id: made.id, phone: ann.phone, other_phones: [second] });
    expect((await post({ phone: second, first_name: 'Ann' })).body).to.deep.include({ id: made.id, phone: ann.phone, first_name: 'Ann' });
  });

  it("are named by the caller's own identifier: the new address is the one to write to, and the old one is kept", async () => {
    const [old, now] = [fresh('ann'), fresh('ann')];
    const custom_fields = { external_id: `x${++nth}` };
    const { body: made } = await post({ ...old, custom_fields });
    const { body } = await post({ email: now.email, phone: now.phone, custom_fields });
    expect(body).to.deep.include({ id: made.id, ...now, other_emails: [old.email], other_phones: [old.phone] });
    for (const email of [old.email, now.email]) expect(await found(email)).to.deep.equal([made.id]);
  });

  it('are changed by a request that names them: the old address stays, is forgotten, or is removed', async () => {
    const [one, two, three] = [fresh('ann').email, fresh('ann').email, fresh('ann').email];
    const { body: made } = await post({ email: one });
    expect((await patch(made.id, { email: two })).body).to.deep.include({ email: two, other_emails: [one] });
    expect((await patch(made.id, { email: one })).body).to.deep.include({ email: one, other_emails: [two] });
    expect((await patch(made.id, { email: three, forget_previous: true })).body).to.deep.include({ email: three, other_emails: [two] });
    expect(await found(one)).to.deep.equal([]);
    expect((await patch(made.id, { other_emails: [one] })).body).to.deep.include({ email: three, other_emails: [one] });
    expect(await found(two)).to.deep.equal([]);
    expect((await patch(made.id, { email: null, other_emails: [] })).body).to.deep.include({ email: null, other_emails: [] });
    for (const email of [one, two, three]) expect((await post({ email })).status, email).to.equal(201);
  });

  it('never lose an address to a row that leaves it empty', async () => {
    const ann = fresh('ann');
    const { body: made } = await post(ann);
    expect((await post({ email: ann.email, phone: null })).body).to.deep.include({ id: made.id, phone: ann.phone });
  });

  it('have further addresses from a row, as long as nobody else has them', async () => {
    const [ann, bob] = [fresh('ann'), fresh('bob')];
    const { body: other } = await post(bob);
    const further = fresh('ann').email;
    const { body } = await post({ email: ann.email, other_emails: [further, bob.email, ann.email], other_phones: [ann.phone] });
    expect(body).to.deep.include({ email: ann.email, phone: null, other_emails: [further], other_phones: [ann.phone] });
    expect(body.warnings).to.have.length(1);
    expect(body.warnings[0]).to.deep.include({ code: 'email_kept_by', field: 'other_emails', contact_id: other.id });
    expect((await patch(body.id, { other_emails: [bob.email] })).status).to.equal(409);
    expect((await post({ email: ann.email, other_emails: ['nonsense'] })).body.errors[0]).to.deep.include({
      field: 'other_emails[0]',
      code: 'invalid_email',
    });
    expect(await found(further)).to.deep.equal([body.id]);
  });

  it('unite their addresses when they are merged, and have their own again after an unmerge', async () => {
    const [ann, bob] = [fresh('ann'), fresh('bob')];
    const further = fresh('bob').email;
    const { body: one } = await post(ann);
    const { body: other } = await post({ ...bob, other_emails: [further] });
    const { body: merged } = await service.api('POST', `/v1/contacts/${one.id}/merge`, { source_contact_id: other.id });
    const all = [ann.email, bob.email, further];
    expect([merged.contact.email, ...merged.contact.other_emails].sort()).to.deep.equal([...all].sort());
    expect([merged.contact.phone, ...merged.contact.other_phones].sort()).to.deep.equal([ann.phone, bob.phone].sort());
    for (const email of all) expect(await found(email)).to.deep.equal([one.id]);
    const { body: listed } = await service.api('GET', `/v1/contacts?email=${further}`);
    expect(listed.data[0]).to.deep.equal(await get(one.id));
    const apart = await service.api('POST', `/v1/contacts/${one.id}/unmerge`, { merge_id: merged.merge_id });
    expect(apart.body.contact).to.deep.include({ ...ann, other_emails: [], other_phones: [] });
    expect(apart.body.released).to.deep.include({ ...bob, other_emails: [further], other_phones: [] });
  });

  it('get their addresses back when an import is reverted', async () => {
    const [ann, now] = [fresh('ann'), fresh('ann')];
    const bob = fresh('bob').email;
    const custom_fields = { external_id: `x${++nth}` };
    const { body: made } = await post({ ...ann, custom_fields });
    const { id } = await imported([
      { email: now.email, custom_fields },
      { email: bob, phone: ann.phone },
      { email: now.email, phone: now.phone },
    ]);
    expect(await get(made.id)).to.deep.include({
      email: now.email,
      other_emails: [ann.email, bob].sort(),
      phone: ann.phone,
      other_phones: [now.phone],
    });
    await service.api('POST', `/v1/contacts/imports/${id}/revert`, {});
    await eventually('the revert', async () => (await service.api('GET', `/v1/contacts/imports/${id}`)).body.status === 'reverted');
    expect(await get(made.id)).to.deep.include({ ...ann, other_emails: [], other_phones: [] });
    for (const email of [bob, now.email]) expect((await post({ email })).status).to.equal(201);
  });
});
