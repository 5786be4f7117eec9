import { expect } from 'chai';
import { TIMEOUT_FACTOR } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { uploadContacts } from './upload.js';

describe('the preview of an import', () => {
  let service: Service;
  before(async () => {
    service = await Service.shared();
  });
  after(() => service.close());

  const preview = (csv: string | Buffer, options: object = {}) => uploadContacts(service, csv, { options, path: '/v1/contacts/import/preview' });
  const count = async (email: string) => (await service.api('GET', `/v1/contacts?email=${encodeURIComponent(email)}`)).body.data.length;

  it('proposes a mapping with reasons, and says what would become of each row, without storing anything', async () => {
    const { body: known } = await service.api('POST', '/v1/contacts', { email: 'known@preview.example', first_name: 'Kim' });
    const csv = `E-Mail-Adresse;Vorname;Nickname;Email Marketing Consent;Darf (DSGVO)\nnew@preview.example;Ada;x;UNSUBSCRIBED;ja\nknown@preview.example;Kai;;;\nknown@preview.example;Kai;;;\nnobody;Eve;;;\n`;
    const { status, body } = await preview(csv);
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.columns.map(({ name, proposed, samples }: Record<string, unknown>) => [name, proposed, samples])).to.deep.equal([
      ['E-Mail-Adresse', 'email', ['new@preview.example', 'known@preview.example', 'nobody']],
      ['Vorname', 'first_name', ['Ada', 'Kai', 'Eve']],
      ['Nickname', null, ['x']],
      ['Email Marketing Consent', 'consent.email', ['UNSUBSCRIBED']],
      ['Darf (DSGVO)', null, ['ja']],
    ]);
    for (const { reason } of body.columns) expect(reason).to.match(/^[A-Z].*\.$/);
    expect(body.columns[3].reason).to.contain('Klaviyo');
    expect(body.rows.map(({ row, would, contact_id }: Record<string, unknown>) => [row, would, contact_id])).to.deep.equal([
      [1, 'create', null],
      [2, 'merge', known.id],
      [3, 'unchanged', known.id],
      [4, 'fail', null],
    ]);
    expect(body.rows[3].errors[0]).to.include({ field: 'email', code: 'invalid_email' });
    expect(body.errors.map(({ field, code }: Record<string, unknown>) => [field, code])).to.deep.equal([['Darf (DSGVO)', 'unmapped_opt_out']]);
    expect(body).to.include({ encoding: 'utf-8', delimiter: ';', sampled_rows: 4 });
    expect(await count('new@preview.example')).to.equal(0);
  });

  it('shows the mapping of the request, and cells that would be left out', async () => {
    const csv = 'a,phone\nx@preview.example,12\n';
    const { body } = await preview(csv, { mapping: { a: 'email' } });
    expect(body.columns[0]).to.include({ proposed: 'email', reason: 'The mapping says so.' });
    expect(body.rows[0]).to.include({ would: 'create' });
    expect(body.rows[0].warnings[0]).to.match(/^phone: /);
  });

  it('shows the columns of a file that could not be imported at all', async () => {
    const { status, body } = await preview('color,size\nred,7\n');
    expect(status).to.equal(200);
    expect(body.columns.map(({ proposed }: Record<string, unknown>) => proposed)).to.deep.equal([null, null]);
    expect([body.errors[0].code, body.rows]).to.deep.equal(['required', []]);
    const wrong = await preview('email\na@preview.example\n', { mapping: { email: 'nothing' } });
    expect(wrong.body.errors[0]).to.include({ field: 'options.mapping.email', code: 'unknown_field' });
  });

  it('takes JSON, too', async () => {
    const contacts = [{ email: 'json@preview.example', unsubscribed: true }, { email: 7 }];
    const { body } = await service.api('POST', '/v1/contacts/import/preview', { contacts });
    expect(body.columns.map(({ name, proposed }: Record<string, unknown>) => [name, proposed])).to.deep.equal([['unsubscribed', 'consent.all']]);
    expect(body.rows.map(({ would }: Record<string, unknown>) => would)).to.deep.equal(['create', 'fail']);
    expect(body.encoding).to.equal(null);
  });

  it('reads no more than the beginning of a large file', async () => {
    const header = `email,${Array.from({ length: 29 }, (_, i) => `field ${i}`).join(',')}\n`;
    const row = (i: number) => `p${i}@large.example,${'some value,'.repeat(28)}x\n`;
    const rows: string[] = [];
    for (let size = 0, i = 0; size < 30_000_000; i++) size += rows[rows.push(row(i)) - 1]?.length ?? 0;
    const file = Buffer.from(header + rows.join(''));
    const started = performance.now();
    const { status, body } = await preview(file);
    const took = performance.now() - started;
    expect(status, JSON.stringify(body).slice(0, 500)).to.equal(200);
    expect([body.sampled_rows, body.rows.length, body.columns.length]).to.deep.equal([1_000, 100, 30]);
    // Reading all of it takes some seconds.
    expect(took).to.be.below(5_000 * TIMEOUT_FACTOR);
  });
});
