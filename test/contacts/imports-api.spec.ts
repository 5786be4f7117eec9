import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';
import { defineImportFields, uploadContacts } from './upload.js';

describe('imports of contacts over HTTP', () => {
  const service = Service.guest();
  before(() => defineImportFields(service));

  const post = (body: unknown, headers = {}): Promise<Reply> => service.api('POST', '/v1/contacts/import', body, headers);
  const found = async (email: string) => (await service.api('GET', `/v1/contacts?email=${encodeURIComponent(email)}`)).body.data[0];
  let files = 0;
  const domain = () => `file${++files}.example`;

  const upload = (csv: string | Buffer, options: object = {}, headers: Record<string, string> = {}) =>
    uploadContacts(service, csv, { options, headers });

  async function over(id: string): Promise<Reply['body']> {
    let job: Reply['body'];
    await eventually(
      'the import is over',
      async () => {
        job = (await service.api('GET', `/v1/contacts/imports/${id}`)).body;
        return ['completed', 'canceled', 'reverted'].includes(job.status);
      },
      { within: 60_000 },
    );
    return job;
  }

  it('return the result of up to a thousand rows, with the number of each wrong one', async () => {
    const at = domain();
    const { status, body } = await post({
      contacts: [
        { email: `ada@${at}`, first_name: 'Ada', custom_fields: { plan: 'pro', score: 3 } },
        { email: `ADA@${at}`, last_name: 'Lovelace' },
        { email: `ada@${at}`, last_name: null },
        { email: 'nobody', custom_fields: { plan: 'gold', color: 'red' } },
        { email: 7 },
        'nobody',
        { first_name: 'Nobody' },
      ],
    });
    expect(status).to.equal(200);
    expect(body).to.include({
      status: 'completed',
      total: 7,
      processed: 7,
      created: 1,
      merged: 1,
      unchanged: 1,
      failed: 4,
      suppressed: 0,
      error_count: 6,
    });
    expect(body.errors.map(({ row, field, code }: Record<string, unknown>) => [row, field, code])).to.deep.equal([
      [4, 'email', 'invalid_email'],
      [4, 'custom_fields.plan', 'not_an_option'],
      [4, 'custom_fields.color', 'unknown_field'],
      [5, 'email', 'wrong_type'],
      [6, '', 'wrong_type'],
      [7, 'email', 'required'],
    ]);
    expect(await found(`ada@${at}`)).to.deep.include({
      first_name: 'Ada',
      last_name: 'Lovelace',
      source: 'import',
      custom_fields: { plan: 'pro', score: 3 },
    });
  });

  it('read a CSV by column names and by a mapping', async () => {
    const at = domain();
    const csv = `\uFEFFE-Mail;Vorname;Tags;customer;Score;Note\r\nada@${at};"Ada; the first";vip,new;c-${at};3.5;x\r\n;;;;;\r\nbob@${at};Bob;;;many;\r\neve@${at};1;2;3;4;5;6\r\n`;
    const { status, body } = await upload(csv, { mapping: { Vorname: 'first_name', Note: null } });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body).to.include({ total: 4, created: 2, failed: 2 });
    expect(body.errors.map(({ row, field, code }: Record<string, unknown>) => [row, field, code])).to.deep.equal([
      [2, 'email', 'required'],
      [4, '', 'too_many_cells'],
    ]);
    expect(body.warnings).to.deep.equal(["column 'Score': 1 cell was left out, in row 3: Use a number such as 12.5, not 'many'."]);
    const contact = await found(`ada@${at}`);
    expect(contact).to.deep.include({ first_name: 'Ada; the first', custom_fields: { customer: `c-${at}`, score: 3.5 } });
    expect(contact.tags).to.have.members(['vip', 'new']);
  });

  it('name the fields and columns that fill nothing', async () => {
    const at = domain();
    const json = await post({ contacts: [{ email: `a@${at}`, surname: 'Lovelace' }, { email: `b@${at}` }, 7], lists: [] }, { 'Idempotency-Key': at });
    expect(json.body.warnings).to.deep.equal(['unknown field: contacts[0].surname', 'unknown field: lists']);
    const again = await post(
      { contacts: [{ email: `a@${at}`, surname: 'Lovelace' }, { email: `b@${at}` }, 7], lists: [] },
      { 'Idempotency-Key': at },
    );
    expect([again.headers.get('idempotency-replayed'), again.body]).to.deep.equal(['true', json.body]);
    const csv = `Email,Nickname,Note,plan,\nc@${at},Ada,x,pro,\n`;
    for (const dry_run of [true, false])
      expect((await upload(csv, { mapping: { Note: null }, dry_run })).body.warnings).to.deep.equal(['unknown column: Nickname']);
    expect((await upload(`Email\nd@${at}\n`)).body).not.to.have.property('warnings');
  });

  it('return every wrong column at once with the columns that were seen, and refuse what is not CSV', async () => {
    const wrong = await upload('email,a,b\nx@example.com,1,2\n', { mapping: { a: 'nothing', b: 'email', c: 'phone' } });
    expect(wrong.status).to.equal(422);
    expect(wrong.body.errors.map(({ field, code }: Record<string, string>) => [field, code])).to.deep.equal([
      ['options.mapping.a', 'unknown_field'],
      ['options.mapping.c', 'unknown_column'],
      ['options.mapping', 'duplicate'],
    ]);
    expect(wrong.body.errors.map(({ message }: Record<string, string>) => message)).to.deep.equal([
      "There is no field 'nothing'. Use email, phone, first_name, tags, custom_fields.<key>, lists.<name>, consent.<channel> or suppression.<channel>.",
      "The file has no column 'c'. The columns of the file are 'email', 'a', 'b'.",
      "Two columns fill 'email': 'email', 'b'.",
    ]);
    const nameless = await upload('name,first_name\nx,y\n', { encoding: 'utf-9', ignore_columns: ['x'] });
    expect(nameless.body.errors.map(({ field }: Record<string, string>) => field)).to.deep.equal(['options.encoding']);
    expect((await upload('name;first_name\nx;y\n')).body.errors[0].message).to.contain("are 'name', 'first_name'. They are separated by semicolons.");
    for (const [csv, status, code] of [
      ['first_name\nAda\n', 422, 'validation_error'],
      ['', 422, 'validation_error'],
      ['email\n', 422, 'validation_error'],
      ['"email\nada@example.com', 400, 'invalid_parameter'],
      [Buffer.from([0x65, 0xff, 0x0a]), 422, 'validation_error'],
    ] as const) {
      const refused = await upload(csv);
      expect([refused.status, refused.body.code], JSON.stringify(csv)).to.deep.equal([status, code]);
    }
    for (const body of [{}, { contacts: [] }, { contacts: [{}], file: 'x' }, { contacts: 7 }, { contacts: [{}], list_ids: ['lst_none'] }]) {
      expect((await post(body)).status, JSON.stringify(body)).to.equal(422);
    }
  });

  it('are listed in pages, newest first, within a range of time', async () => {
    const ids: string[] = [];
    for (const n of [0, 1, 2]) ids.push((await post({ contacts: [{ email: `listed${n}@example.com` }, { email: 'no address' }] })).body.id);
    const list = async (query = '') => (await service.api('GET', `/v1/contacts/imports?${query}`)).body;
    const first = await list('limit=2');
    expect(first.data.map(({ id }: { id: string }) => id)).to.deep.equal([ids[2], ids[1]]);
    expect(first.data[0]).to.deep.include({ status: 'completed', total: 2, created: 1, failed: 1, error_count: 1, errors: [] });
    expect((await list(`limit=2&cursor=${first.next_cursor}`)).data[0].id).to.equal(ids[0]);
    const { created_at } = first.data[0];
    expect((await list(`created_after=${new Date(Date.parse(created_at) + 1).toISOString()}`)).data).to.deep.equal([]);
    expect((await list('created_before=2020-01-01T00:00:00Z')).data).to.deep.equal([]);
  });

  it('write nothing in a dry run', async () => {
    const at = domain();
    const { status, body } = await upload(`email\nada@${at}\nada@${at}\nnobody\n`, { dry_run: true });
    expect(status).to.equal(200);
    expect(body).to.include({ id: null, status: 'dry_run', total: 3, created: 1, unchanged: 1, failed: 1 });
    expect(await found(`ada@${at}`)).to.equal(undefined);
  });

  it('are done once under one idempotency key', async () => {
    const at = domain();
    const headers = { 'Idempotency-Key': `key-${at}` };
    const contacts = [{ email: `ada@${at}` }, { email: 'nobody' }];
    const first = await post({ contacts }, headers);
    const again = await post({ contacts }, headers);
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).to.deep.equal([200, first.body, 'true']);
    expect((await post({ contacts: [{ email: `bob@${at}` }] }, headers)).body.code).to.equal('idempotency_key_reused');
    const file = Array.from({ length: 1_001 }, (_, n) => `p${n}@${at}`).join('\n');
    const sent = await upload(`email\n${file}`, {}, { 'Idempotency-Key': `csv-${at}` });
    await over(sent.body.id);
    const repeated = await upload(`email\n${file}`, {}, { 'Idempotency-Key': `csv-${at}` });
    expect([repeated.status, repeated.body]).to.deep.equal([202, sent.body]);
    expect((await upload('email\nx@example.com', {}, { 'Idempotency-Key': `csv-${at}` })).status).to.equal(422);
  });

  it('become a job above a thousand rows, with pages of errors, which can be reverted', async () => {
    const at = domain();
    const csv = ['email,last_name', ...Array.from({ length: 1_500 }, (_, n) => (n % 10 === 0 ? `bad-${n},x` : `p${n}@${at},x`))].join('\n');
    const { status, body } = await upload(csv);
    expect([status, body.status, body.total]).to.deep.equal([202, 'queued', 1_500]);
    const job = await over(body.id);
    expect(job).to.include({ status: 'completed', created: 1_350, failed: 150, processed: 1_500, error_count: 150 });
    expect(job.errors).to.have.length(100);
    const rows: number[] = [];
    for (let cursor = ''; ; ) {
      const page = (await service.api('GET', `/v1/contacts/imports/${body.id}/errors?limit=70${cursor}`)).body;
      rows.push(...page.data.map(({ row }: { row: number }) => row));
      if (!page.has_more) break;
      cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    }
    expect(rows).to.deep.equal(Array.from({ length: 150 }, (_, n) => n * 10 + 1));
    expect((await service.api('POST', `/v1/contacts/imports/${body.id}/cancel`)).body).to.include({ code: 'invalid_state', current: 'completed' });
    expect((await service.api('POST', `/v1/contacts/imports/${body.id}/revert`)).status).to.equal(202);
    expect((await over(body.id)).reverted).to.deep.equal({ deleted: 1_350, restored: 0, unmerged: 0, kept: 0 });
    expect(await found(`p1@${at}`)).to.equal(undefined);
  });

  it('are tried as a job above a thousand rows, whose result and errors are read there', async () => {
    const at = domain();
    const csv = ['email,last_name', ...Array.from({ length: 1_200 }, (_, n) => (n % 10 === 0 ? `bad-${n},x` : `p${n % 700}@${at},x`))].join('\n');
    const { status, body } = await upload(csv, { dry_run: true });
    expect([status, body.kind, body.status, body.total]).to.deep.equal([202, 'contact_import_dry_run', 'queued', 1_200]);
    let job: Reply['body'];
    await eventually('the dry run is over', async () => {
      job = (await service.api('GET', `/v1/jobs/${body.id}`)).body;
      return job.status === 'completed';
    });
    expect(job).to.deep.include({ done: 1_200, total: 1_200, errors: 120 });
    expect(job.result).to.include({ created: 630, failed: 120, suppressed: 0 });
    expect(job.result.merged + job.result.unchanged).to.equal(450);
    expect((await service.api('GET', `/v1/jobs/${body.id}/errors?limit=200`)).body.data).to.have.length(120);
    expect((await service.api('GET', `/v1/contacts/imports/${body.id}`)).status).to.equal(404);
    expect(await found(`p1@${at}`)).to.equal(undefined);
  });

  it('restore no withdrawn consent or membership, and count suppressed contacts', async () => {
    const at = domain();
    const { body: list } = await service.api('POST', '/v1/lists', { name: 'News', opt_in: 'single' });
    const consent = { channel: 'email', purpose: 'marketing', status: 'granted' };
    const contacts = [{ email: `ada@${at}` }, { email: `bob@${at}` }];
    await service.api('POST', '/v1/account/unsubscribes/api/import', { emails: [`bob@${at}`] });
    expect((await post({ contacts, list_ids: [list.id], consent })).body).to.include({ created: 2, suppressed: 1 });
    const ada = await found(`ada@${at}`);
    await service.api('DELETE', `/v1/lists/${list.id}/contacts/${ada.id}`);
    await service.api('POST', `/v1/contacts/${ada.id}/consents`, { ...consent, status: 'withdrawn' });
    await post({ contacts, list_ids: [list.id], consent });
    const { body: after } = await service.api('GET', `/v1/contacts/${ada.id}`);
    expect(after.lists.map(({ status }: { status: string }) => status)).to.deep.equal(['unsubscribed']);
    expect(after.consents).to.deep.equal({ email: { marketing: 'withdrawn' } });
  });

  it('belong to one account', async () => {
    const { body } = await post({ contacts: [{ email: `ada@${domain()}` }] });
    const other = { 'X-API-Key': await service.otherAccountKey() };
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/errors'],
      ['POST', '/cancel'],
      ['POST', '/revert'],
    ] as const) {
      expect((await service.api(method, `/v1/contacts/imports/${body.id}${path}`, undefined, other)).status, path).to.equal(404);
      expect((await service.api(method, `/v1/contacts/imports/job_none${path}`)).status, path).to.equal(404);
    }
  });
});
