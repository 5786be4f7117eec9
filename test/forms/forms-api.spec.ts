import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { mailedConfirmation } from '../support/mailed-confirmation.js';
import { Service } from '../support/service.js';
import { Receiver } from '../webhooks/receiver.js';

const consent = { text: 'I want offers by email. See our [privacy policy](https://example.com/privacy).', version: '2026-01', channels: ['email'] };
const email = { key: 'email', type: 'email', label: 'Email', required: true, maps_to: 'email' };
const name = { key: 'name', type: 'text', label: 'Name', maps_to: 'first_name' };

describe('forms over HTTP', () => {
  const service = Service.guest();
  const receiver = Receiver.own();
  let slugs = 0;
  const slug = (): string => `form-${service.account?.accountId.slice(-8).toLowerCase()}-${++slugs}`;
  const form = (body: object = {}) =>
    service.ok('POST', '/forms', { name: 'Newsletter', slug: slug(), fields: [email, name], status: 'live', ...body });
  const submit = (id: string, fields: object, more: object = {}, headers = {}) =>
    service.call('POST', `/public/forms/${id}/submit`, { fields, ...more }, { 'X-API-Key': '', ...headers });
  const contactOf = async (address: string) => (await service.ok('GET', `/contacts?email=${encodeURIComponent(address)}`)).data[0];
  const encoded = (path: string, fields: Record<string, string> | [string, string][], accept = 'text/html') =>
    service.ask('POST', path, new URLSearchParams(fields).toString(), {
      'X-API-Key': '',
      'Content-Type': 'application/x-www-form-urlencoded',
      Accept: accept,
    });

  it('are created, read by version, changed, listed and deleted', async () => {
    const made = await form({ status: 'draft' });
    expect(made).to.deep.include({ version: 1, status: 'draft', double_opt_in: false, list_ids: [], honeypot_field: null, min_seconds: 0 });
    expect(made.fields[1]).to.deep.include({ key: 'name', required: false, options: null, maps_to: 'first_name' });
    expect((await service.ask('GET', `/f/${made.slug}`, undefined, { 'X-API-Key': '' })).status).to.equal(404);
    const changed = await service.ok('PATCH', `/forms/${made.id}`, { name: 'Weekly', status: 'live' });
    expect(changed).to.include({ name: 'Weekly', version: 2, slug: made.slug });
    expect((await service.ok('GET', `/forms/${made.id}?version=1`)).name).to.equal('Newsletter');
    expect((await service.ok('GET', `/forms/${made.id}/versions`)).data.map((one: { version: number }) => one.version)).to.deep.equal([2, 1]);
    expect((await service.call('PATCH', `/forms/${made.id}`, { name: 'X' }, { 'If-Match': '"1"' })).body).to.include({
      code: 'version_conflict',
      actual: 2,
    });
    expect((await service.ok('GET', '/forms')).data[0]).to.include({ id: made.id, name: 'Weekly', version: 2 });
    expect((await service.call('DELETE', `/forms/${made.id}`)).status).to.equal(204);
    expect((await service.call('DELETE', `/forms/${made.id}`)).status).to.equal(204);
    expect((await service.call('GET', `/forms/${made.id}`)).status).to.equal(404);
    await form({ slug: made.slug });
  });

  it('have a slug of their own over the whole service', async () => {
    const { slug: taken, id } = await form();
    const headers = { 'X-API-Key': await service.otherAccountKey() };
    const body = { name: 'Mine', slug: taken, fields: [email] };
    expect((await service.call('POST', '/forms', body, headers)).body).to.include({ code: 'conflict' });
    const moved = slug();
    expect((await service.ok('PATCH', `/forms/${id}`, { slug: moved })).slug).to.equal(moved);
    const [first, second] = await Promise.all([service.call('POST', '/forms', body, headers), service.call('POST', '/forms', body)]);
    expect([first?.status, second?.status].sort()).to.deep.equal([201, 409]);
  });

  it('report all problems of their definition at once', async () => {
    const { status, body } = await service.call('POST', '/forms', {
      name: '',
      slug: 'No Slug',
      fields: [
        { key: 'a', type: 'select', label: 'A' },
        { key: 'a', type: 'text', label: ' ', maps_to: 'custom_fields.nothing' },
      ],
      success_message: '\n',
      consent: { text: '\u00a0', version: '1', channels: ['email'] },
      list_ids: ['lst_none'],
      allowed_origins: ['example.com'],
      redirect_url: 'javascript:alert(1)',
    });
    expect(status).to.equal(422);
    expect(body.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`).sort()).to.deep.equal([
      'allowed_origins[0] invalid_url',
      'consent.text blank',
      'fields required',
      'fields[0].options required',
      'fields[1].key duplicate',
      'fields[1].label required',
      'fields[1].maps_to unknown_field',
      'list_ids[0] not_found',
      'name too_short',
      'redirect_url invalid_url',
      'slug invalid_format',
      'success_message blank',
    ]);
  });

  it('make a contact with its list, tags, and consent with the text as it was shown', async () => {
    const list = await service.ok('POST', '/lists', { name: 'News' });
    const texts = { de: { title: 'Neues', consent: 'Ich möchte Angebote.', fields: { email: { label: 'E-Mail' }, name: { label: 'Name' } } } };
    const { id } = await form({ list_ids: [list.id], tags: ['lead'], consent, texts });
    const { status, body } = await submit(id, { email: ' Ada@Example.com ', name: 'Ada', extra: 1 }, { consent: true, language: 'de' });
    expect([status, body.status, body.redirect_url]).to.deep.equal([200, 'accepted', null]);
    expect(body.warnings).to.deep.equal(['unknown field: fields.extra']);
    const contact = await contactOf('ada@example.com');
    expect(contact).to.deep.include({ first_name: 'Ada', tags: ['lead'], source: 'form', lists: [{ id: list.id, status: 'subscribed' }] });
    const [entry, ...others] = (await service.ok('GET', `/contacts/${contact.id}/consents/history`)).data;
    expect(others).to.deep.equal([]);
    expect(entry).to.deep.include({ channel: 'email', purpose: 'marketing', status: 'granted', source: 'form' });
    expect(entry.proof).to.deep.include({ form_id: id, text: 'Ich möchte Angebote.', language: 'de', text_version: '2026-01', ip: '127.0.0.1' });
    const [row] = (await service.ok('GET', `/forms/${id}/submissions`)).data;
    expect(row).to.deep.include({ id: body.submission_id, contact_id: contact.id, fields: { email: 'ada@example.com', name: 'Ada' }, consent: true });
  });

  it('name a refused field without the full stop of its label', async () => {
    const { id } = await form({ consent: { ...consent, text: 'Write to me.', required: true } });
    const page = await encoded(`/v1/public/forms/${id}/submit`, { email: 'ada@example.com' });
    expect(page.status).to.equal(422);
    expect(page.text).to.include('>Write to me</a>: Please tick this box');
  });

  it('refuse every wrong field, and store nothing', async () => {
    const { id } = await form({ consent: { ...consent, required: true }, fields: [email, { key: 'when', type: 'date', label: 'When' }] });
    const { status, body } = await submit(id, { email: 'nobody', when: '2026-02-30' });
    expect(status).to.equal(422);
    expect(body.errors.map(({ field, code }: { field: string; code: string }) => [field, code])).to.deep.equal([
      ['fields.email', 'invalid_email'],
      ['fields.when', 'invalid_date'],
      ['consent', 'required'],
    ]);
    expect((await service.ok('GET', `/forms/${id}/submissions`)).data).to.deep.equal([]);
  });

  it('send form.submitted for each submission, and mark one with the same fields', async () => {
    const { secret } = await service.ok('POST', '/webhook-endpoints', { url: `${receiver.origin}/forms`, events: ['form.submitted'] });
    const { id, slug: at } = await form();
    const ids: string[] = [];
    for (let n = 0; n < 2; n++) ids.push((await submit(id, { email: 'twice@example.com' })).body.submission_id);
    const bodies = await eventually('two webhooks', () => receiver.requests.length >= 2 && receiver.requests.map((one) => JSON.parse(one.body)));
    for (const { headers, body } of receiver.requests) {
      const signed = createHmac('sha256', secret).update(`${headers['x-service-timestamp']}.${body}`).digest('hex');
      expect([headers['x-service-event'], headers['x-service-signature']]).to.deep.equal(['form.submitted', signed]);
    }
    const [first, second] = bodies.sort((a, b) => (a.data.submission.id < b.data.submission.id ? -1 : 1));
    expect(first.data.form).to.deep.equal({ id, name: 'Newsletter', slug: at, version: 1 });
    expect(first.data).to.deep.include({ contact_created: true });
    expect(first.data.contact).to.include({ email: 'twice@example.com' });
    expect(first.data.submission).to.deep.include({ id: ids[0], status: 'accepted', fields: { email: 'twice@example.com' }, duplicate_of: null });
    expect(second.data).to.deep.include({ contact_created: false });
    expect(second.data.submission).to.deep.include({ id: ids[1], duplicate_of: ids[0] });
  });

  it('repeat an answer under an idempotency key', async () => {
    const { id } = await form({ consent: { ...consent, channels: ['email', 'sms'] } });
    const send = () => submit(id, { email: 'key@example.com' }, { consent: true }, { 'Idempotency-Key': `k-${id}` });
    const [first, second] = [await send(), await send()];
    expect(second.body).to.deep.equal(first.body);
    expect(second.headers.get('idempotency-replayed')).to.equal('true');
    expect((await service.ok('GET', `/forms/${id}/submissions`)).data).to.have.length(1);
    const { id: who } = await contactOf('key@example.com');
    expect((await service.ok('GET', `/contacts/${who}/consents/history`)).data).to.have.length(2);
  });

  it('drop what a program fills in or sends too early, with the same answer', async () => {
    const { id, slug: at } = await form({ honeypot_field: 'website', min_seconds: 60 });
    const trapped = await submit(id, { email: 'bot@example.com', website: 'https://spam.example' });
    expect([trapped.status, trapped.body.status]).to.deep.equal([200, 'accepted']);
    const page = await service.ask('GET', `/f/${at}`, undefined, { 'X-API-Key': '' });
    const [, token] = /name="_token" value="([^"]+)"/.exec(page.text) ?? [];
    expect((await submit(id, { email: 'fast@example.com' }, { token })).status).to.equal(200);
    expect((await submit(id, { email: 'program@example.com' })).status).to.equal(200);
    await eventually('the counts', async () => {
      const { total } = await service.ok('GET', `/forms/${id}/stats`);
      return total.dropped === 2 && total.submissions === 1 && total.views === 1;
    });
    expect(await contactOf('bot@example.com')).to.equal(undefined);
    expect(await contactOf('fast@example.com')).to.equal(undefined);
    expect(await contactOf('program@example.com')).to.not.equal(undefined);
  });

  it('wait for the confirmation with double opt-in, which also lifts an own opt-out', async () => {
    const list = await service.ok('POST', '/lists', { name: 'News', opt_in: 'double' });
    const { id } = await form({ list_ids: [list.id], double_opt_in: true, consent, tags: ['lead'] });
    const address = `doi-${id.slice(-6).toLowerCase()}@sandbox.test`;
    await service.ok('POST', '/account/unsubscribes', { email: address, channel: 'email', reason: 'manual' });
    await service.ok('DELETE', `/account/unsubscribes/${(await service.ok('GET', `/account/unsubscribes?address=${address}`)).data[0].id}`, {
      reason: 'test',
      proof: 'test',
    });
    const sent = await submit(id, { email: address, name: 'Ada' }, { consent: true });
    expect(sent.body).to.include({ status: 'pending_confirmation' });
    await submit(id, { email: address, name: 'Ada' }, { consent: true });
    const pending = await contactOf(address);
    expect(pending).to.deep.include({ first_name: null, consents: {}, lists: [{ id: list.id, status: 'pending' }], tags: [] });
    const [mail, ...more] = await eventually('the mail', async () => {
      const { data } = await service.ok('GET', `/sandbox/messages?to=${encodeURIComponent(address)}`);
      return data.length > 0 && data;
    });
    expect(more).to.deep.equal([]);
    expect(mail.text).to.include('Newsletter').and.include('Tests');
    const pathname = await mailedConfirmation(service, address);
    expect((await service.ask('GET', pathname, undefined, { 'X-API-Key': '' })).text).to.include('<button');
    expect((await contactOf(address)).consents).to.deep.equal({});
    for (let n = 0; n < 2; n++) expect((await encoded(pathname, { language: 'en' })).status).to.equal(200);
    const contact = await contactOf(address);
    expect(contact).to.deep.include({ first_name: 'Ada', tags: ['lead'], consents: { email: { marketing: 'granted' } } });
    expect(contact.lists).to.deep.equal([{ id: list.id, status: 'subscribed' }]);
    const proofs = (await service.ok('GET', `/contacts/${contact.id}/consents/history`)).data;
    expect(proofs.map((one: { source: string }) => one.source).sort()).to.deep.equal(['double_opt_in', 'form']);
    expect((await service.ok('GET', `/forms/${id}/submissions?status=confirmed`)).data).to.have.length(1);
    expect((await encoded(`${pathname}x`, {})).status).to.equal(404);
  });

  it('send no more than three confirmations to one address in an hour, whatever else is submitted', async () => {
    const { id } = await form({ double_opt_in: true });
    const address = `mails-${id.slice(-6).toLowerCase()}@sandbox.test`;
    const mails = async () => (await service.ok('GET', `/sandbox/messages?to=${encodeURIComponent(address)}`)).data.length;
    for (let n = 1; n <= 3; n++) {
      expect((await submit(id, { email: address, name: `Ada ${n}` })).status).to.equal(200);
      await eventually(`${n} mails`, async () => (await mails()) === n);
    }
    expect((await submit(id, { email: address, name: 'Ada 4' })).body.status).to.equal('pending_confirmation');
    const other = `other-${address}`;
    await submit(id, { email: other });
    await eventually(
      'the mail to another address',
      async () => (await service.ok('GET', `/sandbox/messages?to=${encodeURIComponent(other)}`)).data.length === 1,
    );
    expect(await mails()).to.equal(3);
  });

  it('are confirmed by nobody who was erased meanwhile', async () => {
    const { id } = await form({ double_opt_in: true });
    const address = `erased-${id.slice(-6).toLowerCase()}@sandbox.test`;
    await submit(id, { email: address });
    const pathname = await mailedConfirmation(service, address);
    await service.ok('POST', `/contacts/${(await contactOf(address)).id}/erase`, {});
    await eventually('the erasure', async () => (await encoded(pathname, { language: 'en' })).status === 404);
    expect((await service.ask('GET', pathname, undefined, { 'X-API-Key': '' })).status).to.equal(404);
  });

  it('do not put back who has left a list', async () => {
    const list = await service.ok('POST', '/lists', { name: 'News' });
    const { id } = await form({ list_ids: [list.id] });
    const { id: who } = await service.ok('POST', '/contacts', { email: 'left@example.com' });
    await service.ok('POST', `/lists/${list.id}/contacts`, { contact_ids: [who] });
    await service.call('DELETE', `/lists/${list.id}/contacts/${who}`);
    expect((await submit(id, { email: 'left@example.com' })).status).to.equal(200);
    expect((await contactOf('left@example.com')).lists).to.deep.equal([{ id: list.id, status: 'unsubscribed' }]);
  });

  it('show a page that works without a script', async () => {
    const options = ['a', { value: 'b', label: '<b>' }];
    const { id, slug: at } = await form({ fields: [email, { key: 'pick', type: 'multi_select', label: 'Pick', options }], consent });
    const page = await service.ask('GET', `/f/${at}`, undefined, { 'X-API-Key': '', 'Accept-Language': 'de' });
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(page.text).to.include('&lt;b&gt;').and.include('<a href="https://example.com/privacy">');
    const action = `/v1/public/forms/${id}/submit`;
    const wrong = await encoded(action, [
      ['email', '"><script>alert(1)</script>'],
      ['pick', 'b'],
    ]);
    expect(wrong.status).to.equal(422);
    expect(wrong.text).to.include('aria-invalid="true"').and.include('value="b" id="f-pick-1" checked').and.not.include('<script>alert');
    const done = await encoded(action, [
      ['email', 'page@example.com'],
      ['pick', 'a'],
      ['pick', 'b'],
      ['consent', 'on'],
    ]);
    expect([done.status, done.text.includes('role="status"')]).to.deep.equal([200, true]);
    const [row] = (await service.ok('GET', `/forms/${id}/submissions`)).data;
    expect(row.fields).to.deep.equal({ email: 'page@example.com', pick: ['a', 'b'] });
    await service.ok('PATCH', `/forms/${id}`, { redirect_url: 'https://example.com/thanks?x=1' });
    const led = await encoded(action, { email: 'page2@example.com' });
    expect([led.status, led.headers.get('location')]).to.deep.equal([303, 'https://example.com/thanks?x=1']);
    const data = new FormData();
    data.set('email', 'multi@example.com');
    const multipart = await fetch(`${service.url}${action}`, { method: 'POST', body: data });
    expect([multipart.status, ((await multipart.json()) as { redirect_url: string }).redirect_url]).to.deep.equal([
      200,
      'https://example.com/thanks?x=1',
    ]);
  });

  it('take submissions only from allowed origins', async () => {
    const { id, slug: at } = await form({ allowed_origins: ['https://shop.example'] });
    const from = (origin: string) => submit(id, { email: 'cors@example.com' }, {}, { Origin: origin });
    const allowed = await from('https://shop.example');
    expect([allowed.status, allowed.headers.get('access-control-allow-origin')]).to.deep.equal([200, 'https://shop.example']);
    expect((await from('https://evil.example')).body).to.include({ code: 'forbidden' });
    const asked = (origin: string) => service.ask('OPTIONS', `/v1/public/forms/${id}/submit`, undefined, { Origin: origin });
    expect((await asked('https://shop.example')).status).to.equal(204);
    expect((await asked('https://evil.example')).status).to.equal(403);
    const frame = await service.ask('GET', `/f/${at}/frame`, undefined, { 'X-API-Key': '' });
    expect(frame.headers.get('content-security-policy')).to.include("frame-ancestors 'self' https://shop.example");
    expect(frame.headers.get('x-frame-options')).to.equal(null);
    const script = await service.ask('GET', `/f/${at}/embed.js`, undefined, { 'X-API-Key': '' });
    expect(script.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
    expect(() => new Function(script.text)).to.not.throw();
  });

  it('are exported as CSV without formulas', async () => {
    const { id } = await form();
    await submit(id, { email: 'csv@example.com', name: '=HYPERLINK("http://evil.example")' });
    await submit(id, { email: 'csv2@example.com', name: '-2+3+cmd|" /C calc"!A0' });
    const job = await service.ok('POST', `/forms/${id}/submissions/export`, {});
    await eventually('the export', async () => (await service.ok('GET', `/jobs/${job.id}`)).status === 'completed');
    const { text } = await service.call('GET', `/jobs/${job.id}/result`);
    const [header, ...rows] = text.trim().split('\r\n');
    expect(header).to.equal('id,submitted_at,status,confirmed_at,contact_id,consent,language,ip,page,duplicate_of,fields.email,fields.name');
    expect(rows).to.have.length(2);
    expect(rows[0]).to.include(`csv@example.com,"'=HYPERLINK(`);
    expect(rows[1]).to.include(`csv2@example.com,"'-2+3+cmd`);
  });
});
