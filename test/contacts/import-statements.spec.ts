import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';
import { exportCases } from './exports.js';
import { uploadContacts } from './upload.js';

const exported = (file: string): string => readFileSync(fileURLToPath(new URL(`../../../test/contacts/exports/${file}`, import.meta.url)), 'utf8');

describe('what imports say of consent', () => {
  let service: Service;
  before(async () => {
    service = await Service.shared();
    await service.api('POST', '/v1/custom-fields', { key: 'customer', label: 'Customer', type: 'string', unique: true });
  });
  after(() => service.close());

  let files = 0;
  const domain = () => `said${++files}.example`;

  const upload = (csv: string, options: object = {}) => uploadContacts(service, csv, { options });
  const post = (body: unknown): Promise<Reply> => service.api('POST', '/v1/contacts/import', body);
  const found = async (email: string) => (await service.api('GET', `/v1/contacts?email=${encodeURIComponent(email)}`)).body.data[0];

  /** Whether marketing to an address is taken, and if not, why. */
  async function marketing(to: string, channel = 'email'): Promise<string> {
    const content = channel === 'email' ? { subject: 'News' } : {};
    const { status, body } = await service.api('POST', '/v1/messages/send', { channel, to, category: 'marketing', message: 'News', ...content });
    expect(status, JSON.stringify(body)).to.equal(202);
    const { body: message } = await service.api('GET', `/v1/messages/${body.message_id ?? body.id}`);
    return message.status === 'suppressed' ? message.status_reason : 'queued';
  }

  it('lower by recognized columns alone, and name them', async () => {
    const at = domain();
    const { status, body } = await upload(`email,unsubscribed\neve@${at},true\nada@${at},false\n`);
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.columns).to.deep.equal([
      { name: 'email', target: 'email', by: 'table' },
      { name: 'unsubscribed', target: 'consent.all', by: 'table' },
    ]);
    expect(await marketing(`eve@${at}`)).to.equal('no_consent');
    expect(await marketing(`ada@${at}`)).to.equal('queued');
    expect((await found(`eve@${at}`)).consents.email).to.deep.equal({ marketing: 'withdrawn' });
    expect((await found(`ada@${at}`)).consents).to.deep.equal({});
  });

  for (const { file, lowers } of exportCases.filter(({ lowers }) => Object.keys(lowers).length > 0)) {
    it(`keep the opt-outs of ${file}`, async () => {
      const { status, body } = await upload(exported(file));
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body.failed, JSON.stringify(body.errors)).to.equal(0);
      for (const [address, said] of Object.entries(lowers)) {
        const concernsEmail = Object.keys(said).some((key) => /\.(?:email|all)$/.test(key));
        const outcome = await marketing(address);
        if (concernsEmail) expect(outcome, address).not.to.equal('queued');
        else expect(outcome, address).to.equal('queued');
      }
    });
  }

  it('keep addresses, names and tags beside them', async () => {
    for (const { file } of exportCases) expect((await upload(exported(file))).body.failed, file).to.equal(0);
    expect(await found('vic@brevo.example')).to.include({ phone: '+33612345678', first_name: 'Vic' });
    expect(await found('bea@shopify.example')).to.include({ phone: '+4915112345678' });
    expect((await found('ada@mailchimp.example')).tags).to.have.members(['VIP', 'Blog, weekly']);
    expect(await found('zoe@listmonk.example')).to.include({ first_name: 'Zoe', last_name: 'Maria Berg' });
    expect(await found('ora@outlook.example')).to.include({ phone: '+14155550181' });
    expect(await found('lou@salesforce.example')).to.include({ phone: '+14155550172' });
    expect((await found('sue@google.example')).tags).to.deep.equal(['Friends']);
    expect(await found('rolf@outlook.example')).to.include({ phone: '+491711234567', first_name: 'Rolf' });
  });

  it('stop at a column that is not clear, before anything is stored, and say both ways on', async () => {
    const at = domain();
    const csv = `email,Kontakt erlaubt (DSGVO)\nann@${at},ja\nbob@${at},nein\n`;
    const refused = await upload(csv);
    expect(refused.status).to.equal(422);
    expect(refused.body.code ?? refused.body.error?.code).to.equal('unmapped_opt_out');
    expect(JSON.stringify(refused.body)).to.contain('Kontakt erlaubt (DSGVO)').and.to.contain('ignore_columns').and.to.contain('mapping');
    expect(await found(`ann@${at}`)).to.equal(undefined);
    expect((await upload(csv, { dry_run: true })).status).to.equal(422);
    expect((await upload(csv, { ignore_columns: ['Kontakt erlaubt (DSGVO)'] })).body.created).to.equal(2);
    expect(await marketing(`bob@${at}`)).to.equal('queued');
    const mapped = await upload(csv, { mapping: { 'Kontakt erlaubt (DSGVO)': 'consent.email' } });
    expect(mapped.body, JSON.stringify(mapped.body)).to.include({ unchanged: 2 });
    expect(await marketing(`bob@${at}`)).to.equal('no_consent');
    expect((await found(`ann@${at}`)).consents.email).to.deep.equal({ marketing: 'granted' });
  });

  it('stop a large file in its job, with nothing imported', async () => {
    const at = domain();
    const rows = Array.from({ length: 1_500 }, (_, i) => `p${i}@${at},${i === 1_400 ? 'opted out' : 'gold'}\n`).join('');
    const { status, body } = await upload(`email,Segment\n${rows}`);
    expect(status, JSON.stringify(body)).to.equal(202);
    let job: Reply['body'];
    await eventually('the import has failed', async () => {
      job = (await service.api('GET', `/v1/contacts/imports/${body.id}`)).body;
      return job.status === 'failed';
    });
    expect(job).to.include({ total: 1_500, created: 0, failed: 1_500 });
    expect(job.errors.map(({ row, field, code }: Record<string, unknown>) => [row, field, code])).to.deep.equal([
      [1_401, 'Segment', 'unmapped_opt_out'],
    ]);
    expect(await found(`p0@${at}`)).to.equal(undefined);
  });

  it('apply to JSON, too', async () => {
    const at = domain();
    const { status, body } = await post({
      contacts: [
        { email: `a@${at}`, unsubscribed: true },
        { email: `b@${at}`, unsubscribed: false },
      ],
    });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.warnings).to.equal(undefined);
    expect([await marketing(`a@${at}`), await marketing(`b@${at}`)]).to.deep.equal(['no_consent', 'queued']);
    const unclear = await post({ contacts: [{ email: `c@${at}`, may_contact_gdpr: 'no' }] });
    expect([unclear.status, await found(`c@${at}`)]).to.deep.equal([422, undefined]);
    const ignored = await post({ contacts: [{ email: `c@${at}`, may_contact_gdpr: 'no' }], ignore_columns: ['may_contact_gdpr'] });
    expect(ignored.body.created).to.equal(1);
    const mapped = await post({ contacts: [{ email: `d@${at}`, may_contact_gdpr: 'no' }], mapping: { may_contact_gdpr: 'consent.email' } });
    expect([mapped.body.created, await marketing(`d@${at}`)]).to.deep.equal([1, 'no_consent']);
  });

  it('hold for rows that change nothing, against a consent for all rows, and against an older time', async () => {
    const at = domain();
    const consent = { channel: 'email', purpose: 'marketing', status: 'granted', source: 'old shop', proof: { text: 'I agree' } };
    await upload(`email\nann@${at}\n`, { consent });
    expect(await marketing(`ann@${at}`)).to.equal('queued');
    const again = await upload(`email,UNSUB_TIME\nann@${at},2023-05-01 10:00:00\n`, { consent });
    expect(again.body).to.include({ unchanged: 1 });
    expect(await marketing(`ann@${at}`)).not.to.equal('queued');
    await upload(`email,Email Marketing Consent\nbob@${at},UNSUBSCRIBED\ncy@${at},SUBSCRIBED\ndi@${at},NEVER_SUBSCRIBED\n`, { consent });
    expect([await marketing(`bob@${at}`), await marketing(`cy@${at}`), await marketing(`di@${at}`)]).to.deep.equal([
      'no_consent',
      'queued',
      'no_consent',
    ]);
    expect((await found(`cy@${at}`)).consents.email).to.deep.equal({ marketing: 'granted' });
  });

  it('never grant by a recognized column, nor subscribe again', async () => {
    const at = domain();
    await upload(`email,subscribed\nann@${at},yes\n`);
    expect((await found(`ann@${at}`)).consents).to.deep.equal({});
    await upload(`email,subscribed\nann@${at},no\n`);
    await upload(`email,news\nann@${at},yes\n`, { mapping: { news: 'consent.all' } });
    expect(await marketing(`ann@${at}`)).to.equal('no_consent');
  });

  it('suppress addresses by a mapping and by what the tables know', async () => {
    const at = domain();
    await upload(`email,phone,gone\nann@${at},+14155550197,x\nbob@${at},,\n`, { mapping: { gone: 'suppression.email' } });
    expect((await found(`ann@${at}`)).suppressions).to.have.lengthOf(1);
    expect((await found(`ann@${at}`)).suppressions[0]).to.include({ channel: 'email', scope: 'all', reason: 'unsubscribed' });
    expect((await found(`bob@${at}`)).suppressions).to.deep.equal([]);
    await upload(`email,Email Suppressions\ncy@${at},"[""HARD_BOUNCE""]"\n`);
    expect((await found(`cy@${at}`)).suppressions[0]).to.include({ reason: 'bounced', scope: 'all' });
  });

  it('put people onto lists, and take them off, by the name of the list', async () => {
    const at = domain();
    const list = (await service.api('POST', '/v1/lists', { name: `News ${at}` })).body;
    const csv = `email,News\nann@${at},subscribed\nbob@${at},unsubscribed\ncy@${at},\n`;
    const { status, body } = await upload(csv, { mapping: { News: `lists.news ${at}` } });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect((await found(`ann@${at}`)).lists).to.deep.equal([{ id: list.id, status: 'subscribed' }]);
    expect((await found(`bob@${at}`)).lists).to.deep.equal([{ id: list.id, status: 'unsubscribed' }]);
    expect((await found(`cy@${at}`)).lists).to.deep.equal([]);
    await upload(`email\nbob@${at}\n`, { list_ids: [list.id] });
    expect((await found(`bob@${at}`)).lists).to.deep.equal([{ id: list.id, status: 'unsubscribed' }]);
    const wrong = await upload(csv, { mapping: { News: 'lists.nothing', email: 'consent.fax' } });
    expect(wrong.body.errors.map(({ field, code }: Record<string, unknown>) => [field, code])).to.deep.equal([
      ['options.mapping.email', 'unknown_channel'],
      ['options.mapping.News', 'unknown_list'],
    ]);
  });

  it('refuse a row whose cell is not clear, instead of leaving the cell out', async () => {
    const at = domain();
    const { body } = await upload(`email,news\nann@${at},yes\nbob@${at},perhaps\n`, { mapping: { news: 'consent.email' } });
    expect(body).to.include({ created: 1, failed: 1 });
    expect(body.errors.map(({ row, field, code }: Record<string, unknown>) => [row, field, code])).to.deep.equal([[2, 'news', 'unclear_consent']]);
  });

  it('hold for the own address of a row that is matched by the phone alone', async () => {
    const at = domain();
    const { body: list } = await service.api('POST', '/v1/lists', { name: `Family ${at}` });
    await upload(`email,phone\nann@${at},+14155550198\n`);
    const csv = `email,phone,unsubscribed,ok,News\nbob@${at},+14155550198,true,,yes\n`;
    const { status, body } = await upload(csv, { mapping: { ok: 'consent.email', News: `lists.${list.id}` } });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(await marketing(`bob@${at}`)).to.equal('unsubscribed');
    expect(await marketing(`ann@${at}`)).to.equal('queued');
    const ann = await found(`ann@${at}`);
    expect([ann.consents, ann.lists, ann.other_emails]).to.deep.equal([{}, [], [`bob@${at}`]]);
  });

  it('stay when the import is reverted', async () => {
    const at = domain();
    await service.api('POST', '/v1/contacts', { email: `old@${at}`, custom_fields: { customer: `c-${at}` } });
    const list = (await service.api('POST', '/v1/lists', { name: `Revert ${at}` })).body;
    const rows = `new@${at},true,\nplain@${at},,\nold@${at},true,\n,true,c-${at}\nnew2@${at},true,\n`;
    const { body } = await upload(`email,unsubscribed,customer\n${rows}`, { list_ids: [list.id] });
    await service.api('POST', `/v1/contacts/imports/${body.id}/revert`);
    let job: Reply['body'];
    await eventually('the import is reverted', async () => {
      job = (await service.api('GET', `/v1/contacts/imports/${body.id}`)).body;
      return job.status === 'reverted';
    });
    expect(job.reverted).to.include({ deleted: 1, kept: 2 });
    for (const name of ['new', 'new2', 'old']) expect(await marketing(`${name}@${at}`), name).to.equal('no_consent');
    expect((await found(`new@${at}`)).lists).to.deep.equal([{ id: list.id, status: 'unsubscribed' }]);
    await upload(`email\nnew@${at}\n`);
    expect(await marketing(`new@${at}`)).to.equal('no_consent');
  });
});
