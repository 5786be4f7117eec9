import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';

describe('jobs over HTTP', () => {
  const service = Service.guest();
  before(async () => {
    expect((await service.api('POST', '/v1/custom-fields', { key: 'plan', label: 'Plan', type: 'string' })).status).to.equal(201);
    for (let n = 0; n < 3; n++) {
      const contact = {
        email: `p${n}@jobs.example`,
        first_name: n === 0 ? '=SUM(1)' : `"P", ${n}`,
        tags: ['jobs', `n${n}`],
        custom_fields: { plan: 'pro' },
      };
      expect((await service.api('POST', '/v1/contacts', contact)).status).to.equal(201);
    }
  });

  const get = (path: string, headers = {}): Promise<Reply> => service.api('GET', path, undefined, headers);
  const exported = async (body: object): Promise<Reply['body']> => {
    const { status, body: job } = await service.api('POST', '/v1/contacts/export', body);
    expect([status, job.status, job.kind, job.result]).to.deep.equal([202, 'queued', 'contact_export', null]);
    let ended: Reply['body'];
    await eventually('the export is over', async () => {
      ended = (await get(`/v1/jobs/${job.id}`)).body;
      return ended.status === 'completed';
    });
    return ended;
  };

  it('export contacts as lines of JSON, in the order of their creation', async () => {
    const job = await exported({ filter: { tag: 'jobs' } });
    expect(job).to.deep.include({ done: 3, total: 3, errors: 0 });
    expect(job.result.contacts).to.equal(3);
    expect(Date.parse(job.result.available_until) - Date.parse(job.finished_at)).to.equal(86_400_000);
    const { headers, text } = await get(`/v1/jobs/${job.id}/result`, { Accept: 'application/x-ndjson' });
    expect(headers.get('content-type')).to.equal('application/x-ndjson; charset=utf-8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ email }) => email)).to.deep.equal(['p0@jobs.example', 'p1@jobs.example', 'p2@jobs.example']);
    expect(lines[1]).to.deep.equal((await get(`/v1/contacts/${lines[1].id}`)).body);
  });

  it('export contacts as a CSV that an import reads again', async () => {
    const { id } = await exported({ format: 'csv', filter: { custom_fields: { plan: 'pro' }, tag: 'jobs' } });
    const { headers, text } = await get(`/v1/jobs/${id}/result`, { Accept: 'text/csv' });
    expect(headers.get('content-disposition')).to.equal(`attachment; filename="${id}.csv"`);
    const [header, first, second] = text.split('\r\n');
    expect(header).to.equal(
      'id,email,phone,first_name,last_name,locale,timezone,other_emails,other_phones,tags,lists,consents,custom_fields.plan,created_at,updated_at',
    );
    expect(first, 'a cell that would be a formula').to.include(`,'=SUM(1),`);
    expect(second).to.include('p1@jobs.example,,"""P"", 1",').and.to.include(',"jobs;n1",,,pro,');
    const form = new FormData();
    form.append('options', '{}');
    form.append('file', new Blob([text]), 'contacts.csv');
    const again = await fetch(`${service.url}/v1/contacts/import`, { method: 'POST', body: form, headers: { 'X-API-Key': service.key } });
    expect(await again.json()).to.include({ total: 3, unchanged: 3, merged: 0, failed: 0 });
  });

  it('leave a contact out of a result once it is erased', async () => {
    const { body: contact } = await service.api('POST', '/v1/contacts', { email: 'erased@jobs.example', tags: ['erased'] });
    const { id } = await exported({ filter: { tag: 'erased' } });
    expect((await get(`/v1/jobs/${id}/result`)).text).to.include('erased@jobs.example');
    expect((await service.api('POST', `/v1/contacts/${contact.id}/erase`)).status).to.be.lessThan(300);
    await eventually('the result is empty', async () => (await get(`/v1/jobs/${id}/result`)).text === '');
  });

  it('are begun once under an idempotency key', async () => {
    const body = { filter: { tag: 'none' } };
    const headers = { 'Idempotency-Key': 'export-1' };
    const first = await service.api('POST', '/v1/contacts/export', body, headers);
    const again = await service.api('POST', '/v1/contacts/export', body, headers);
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).to.deep.equal([202, first.body, 'true']);
  });

  it('name every wrong field of an export', async () => {
    const filter = { email: 'nobody', phone: '12', list_id: 'lst_none', custom_fields: { color: 'red' } };
    const { status, body } = await service.api('POST', '/v1/contacts/export', { format: 'xml', filter });
    expect(status).to.equal(422);
    const fields = body.errors.map(({ field, code }: { field: string; code: string }) => [field, code]);
    expect(fields).to.have.deep.members([
      ['format', 'not_allowed'],
      ['filter.email', 'invalid_email'],
      ['filter.phone', 'invalid_phone'],
      ['filter.list_id', 'not_found'],
      ['filter.custom_fields.color', 'unknown_field'],
    ]);
  });

  it('list imports and exports, filtered by kind and status, in pages', async () => {
    const imported = (await service.api('POST', '/v1/contacts/import', { contacts: [{ email: 'i@jobs.example' }, { email: 'bad' }] })).body;
    const { id } = await exported({ filter: { tag: 'none' } });
    const { data } = (await get('/v1/jobs?limit=2')).body;
    expect(data.map((job: { id: string }) => job.id)).to.deep.equal([id, imported.id]);
    const job = (await get(`/v1/jobs/${imported.id}`)).body;
    expect(job).to.deep.include({ kind: 'contact_import', status: 'completed', done: 2, total: 2, errors: 1 });
    expect(job.result).to.deep.equal({ created: 1, merged: 0, unchanged: 0, failed: 1, suppressed: 0, matched_by_phone: 0 });
    expect(data[1]).to.deep.equal(job);
    const imports = (await get('/v1/jobs?kind=contact_import&status=completed')).body.data;
    expect(imports.every(({ kind, status }: Record<string, string>) => kind === 'contact_import' && status === 'completed')).to.equal(true);
    expect((await get('/v1/jobs?status=queued')).body.data).to.deep.equal([]);
    const errors = (await get(`/v1/jobs/${imported.id}/errors`)).body.data;
    expect(errors.map(({ row, field, code }: Record<string, unknown>) => [row, field, code])).to.deep.equal([[2, 'email', 'invalid_email']]);
  });

  it('have no result where there is none', async () => {
    const { body } = await service.api('POST', '/v1/contacts/import', { contacts: [{ email: 'i@jobs.example' }] });
    expect((await get(`/v1/jobs/${body.id}/result`)).body).to.include({ code: 'not_found', resource: 'result' });
    expect((await service.api('POST', `/v1/jobs/${body.id}/cancel`)).body).to.include({ code: 'invalid_state', current: 'completed' });
  });

  it('belong to one account', async () => {
    const { id } = await exported({ filter: { tag: 'none' } });
    const other = { 'X-API-Key': await service.otherAccountKey() };
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/errors'],
      ['GET', '/result'],
      ['POST', '/cancel'],
    ] as const) {
      expect((await service.api(method, `/v1/jobs/${id}${path}`, undefined, other)).status, path).to.equal(404);
      expect((await service.api(method, `/v1/jobs/job_none${path}`)).status, path).to.equal(404);
    }
    expect((await get('/v1/jobs', other)).body.data).to.deep.equal([]);
  });
});
