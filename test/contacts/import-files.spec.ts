import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';
import { defineImportFields, uploadContacts } from './upload.js';

describe('files of contacts as programs write them', () => {
  const service = Service.guest();
  before(() => defineImportFields(service));

  const post = (body: unknown, headers = {}): Promise<Reply> => service.api('POST', '/v1/contacts/import', body, headers);
  const found = async (email: string) => (await service.api('GET', `/v1/contacts?email=${encodeURIComponent(email)}`)).body.data[0];
  let files = 0;
  const domain = () => `file${++files}.example`;

  const upload = (csv: string | Buffer, options: object = {}, headers: Record<string, string> = {}) =>
    uploadContacts(service, csv, { options, headers });

  it('are read, and report a row that cannot be read by itself', async () => {
    const at = domain();
    const utf16 = upload(Buffer.from(`\ufeffemail\tfirst_name\r\nzoe@${at}\tZoë\r\n`, 'utf16le'));
    expect([(await utf16).body.created, (await found(`zoe@${at}`)).first_name]).to.deep.equal([1, 'Zoë']);
    const excel = await upload(Buffer.from(`sep=;\r\nemail;first_name;Note\nmax@${at};Gr\xfc\xdfe;x\r\n`, 'latin1'), { ignore_columns: ['Note'] });
    expect([excel.body.created, (await found(`max@${at}`)).first_name]).to.deep.equal([1, 'Grüße']);
    expect(excel.body.warnings).to.have.lengthOf(1);
    expect(excel.body.warnings[0]).to.contain('read as Windows-1252');
    const named = await upload(Buffer.from(`email|first_name\nlodz@${at}|\xa3\xf3d\xbc\n`, 'latin1'), { encoding: 'iso-8859-2' });
    expect([named.body.warnings, (await found(`lodz@${at}`)).first_name]).to.deep.equal([undefined, 'Łódź']);
    const { body } = await upload(`email,first_name\na@${at},A\nb@${at},B "b" B\nc@${at},"C\nd@${at}, "D, d" \ne@${at},"A\\"B"\nf@${at},F`);
    expect(body).to.include({ total: 6, created: 4, failed: 2 });
    expect(body.errors.map(({ row, code }: Record<string, unknown>) => [row, code])).to.deep.equal([
      [3, 'invalid_quotes'],
      [5, 'invalid_quotes'],
    ]);
    expect((await found(`b@${at}`)).first_name).to.equal('B "b" B');
    expect((await found(`d@${at}`)).first_name).to.equal('D, d');
  });

  it('lose cells that are no value, unless nothing else identifies the contact', async () => {
    const at = domain();
    const csv = [
      'Email,phone,locale,timezone,plan,score,customer',
      `a@${at},4155550111,en,Europe/Paris,pro,1,`,
      `b@${at},"(415) 555-0102",German language,Mars,gold,1234567890123456789,`,
      'nobody,+14155551303,,,,,',
      'nobody,123,,,,,',
      `no mail,,,,,x,c-${at}`,
      ',,,,,7,',
      `f@${at},,,,,,,,`,
    ].join('\r\n');
    const { body } = await upload(csv);
    expect(body).to.include({ total: 7, created: 5, failed: 2 });
    expect(body.errors.map(({ row, field, code }: Record<string, unknown>) => [row, field, code])).to.deep.equal([
      [4, 'email', 'invalid_email'],
      [4, 'phone', 'invalid_phone'],
      [6, 'email', 'required'],
    ]);
    expect(body.warnings.map((text: string) => text.split(':', 2).join(':')).sort()).to.deep.equal([
      "column 'Email': 2 cells were left out, the first in row 3",
      "column 'locale': 1 cell was left out, in row 2",
      "column 'phone': 2 cells were left out, the first in row 1",
      "column 'plan': 1 cell was left out, in row 2",
      "column 'score': 2 cells were left out, the first in row 2",
      "column 'timezone': 1 cell was left out, in row 2",
    ]);
    expect(await found(`b@${at}`)).to.deep.include({ phone: null, locale: null, timezone: null, custom_fields: {} });
    const strict = await upload(csv.replaceAll(at, `strict.${at}`), { strict: true });
    expect(strict.body).to.include({ total: 7, created: 1, failed: 6 });
    const read = await upload(`phone\n0151 23456780\n'+4915123456781\ntel:+49-151-23456782\n0049 151 23456783\n`, { country: 'de' });
    expect(read.body).to.include({ created: 4, failed: 0 });
    expect(
      (await upload('phone\n1\n', { country: 'XX', date_format: 'soon' })).body.errors.map(({ field }: { field: string }) => field),
    ).to.deep.equal(['options.date_format', 'options.country']);
  });

  it('lose the apostrophes that an export has put in front', async () => {
    const at = domain();
    await service.api('POST', '/v1/custom-fields', { key: 'teams', label: 'Teams', type: 'string_list' });
    const contact = {
      email: `=ada@${at}`,
      first_name: '@ada',
      last_name: '-Smith',
      tags: [`=${at}`],
      custom_fields: { plan: 'pro', teams: ['=x', '+y'] },
    };
    const twice = { ...contact, email: `two@${at}`, first_name: "'@ada", last_name: "'tis" };
    expect((await post({ contacts: [contact, twice] })).body).to.include({ created: 2, failed: 0 });
    const job = (await service.api('POST', '/v1/contacts/export', { format: 'csv', filter: { tag: `=${at}` } })).body;
    await eventually('the export', async () => (await service.api('GET', `/v1/jobs/${job.id}`)).body.status === 'completed');
    const { text } = await service.api('GET', `/v1/jobs/${job.id}/result`);
    expect(text).to.contain("'@ada,'-Smith").and.to.contain("''@ada,'tis");
    expect((await upload(text)).body).to.include({ total: 2, unchanged: 2 });
    expect(await found(`two@${at}`)).to.deep.include({ first_name: "'@ada", last_name: "'tis" });
  });

  it('ask how numbers and dates are written where no row decides, before the first row is stored', async () => {
    const at = domain();
    for (const [key, type] of [
      ['born', 'date'],
      ['seen', 'datetime'],
      ['amount', 'number'],
      ['active', 'boolean'],
    ])
      expect((await service.api('POST', '/v1/custom-fields', { key, label: key, type })).status).to.equal(201);
    const both = `email;born;seen;amount;active\na@${at};03/04/1990;01/02/2020 10:00;1.234;TRUE\n`;
    const asked = await upload(both);
    expect([asked.status, asked.body.errors.map(({ field, code }: Record<string, unknown>) => [field, code])]).to.deep.equal([
      422,
      [
        ['options.date_format.born', 'ambiguous'],
        ['options.date_format.seen', 'ambiguous'],
        ['options.decimal', 'ambiguous'],
      ],
    ]);
    expect(asked.body.errors[0].message).to.contain("'03/04/1990'").and.to.contain('{"born":"DD/MM/YYYY"} or {"born":"MM/DD/YYYY"}');
    expect(await found(`a@${at}`)).to.equal(undefined);
    expect((await upload(both, { date_format: { nobody: 'DD/MM/YYYY' } })).body.errors[0].field).to.equal('options.date_format.nobody');

    const fieldsOf = async (email: string) => (await found(email)).custom_fields;
    expect((await upload(both, { decimal: ',', date_format: { born: 'DD/MM/YYYY', seen: 'MM/DD/YYYY' } })).status).to.equal(200);
    expect(await fieldsOf(`a@${at}`)).to.deep.equal({ born: '1990-04-03', seen: '2020-01-02T10:00:00.000Z', amount: 1234, active: true });
    await service.api('PATCH', '/v1/account/settings', { timezone: 'Europe/Berlin' });
    const rows = `b@${at};25/12/1990;2020-07-01 10:00;12,5;no\nc@${at};31.12.1990;1593597600;7;0\n`;
    expect((await upload(both.replace('01/02/2020 10:00', '2020-01-02 10:00') + rows)).body).to.include({ failed: 0 });
    expect(await fieldsOf(`a@${at}`)).to.deep.equal({ born: '1990-04-03', seen: '2020-01-02T09:00:00.000Z', amount: 1234, active: true });
    expect(await fieldsOf(`b@${at}`)).to.deep.equal({ born: '1990-12-25', seen: '2020-07-01T08:00:00.000Z', amount: 12.5, active: false });
    expect(await fieldsOf(`c@${at}`)).to.deep.equal({ born: '1990-12-31', seen: '2020-07-01T10:00:00.000Z', amount: 7, active: false });
  });
});
