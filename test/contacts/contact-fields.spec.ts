import { expect } from 'chai';
import { planColumns } from '../../api/contacts/columns/column-plan.js';
import { scanFile } from '../../api/contacts/given-rows.js';
import { cellReaders } from '../../api/contacts/import-cells.js';
import { columnsOf } from '../../api/contacts/import-columns.js';
import { readCsvRows } from '../../api/contacts/import-csv.js';
import { openCsv } from '../../api/http/csv/csv-file.js';
import { readContactInput } from '../../commands/contacts/contact-input.js';
import { csvHeader, csvLine } from '../../commands/contacts/contact-rows.js';
import { defaultSettings } from '../../domain/accounts/settings.js';
import { type BaseField, baseFields, contactFields, mapContactFields } from '../../domain/contacts/contact-fields.js';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { Receiver } from '../webhooks/receiver.js';

/**
 * The released fields, each with whether its value is personal. A name is stored in events, and what was sealed stays sealed, so lines
 * are added here and never changed.
 */
const released: Readonly<Record<string, 'personal' | 'open'>> = {
  email: 'personal',
  phone: 'personal',
  first_name: 'personal',
  last_name: 'personal',
  locale: 'open',
  timezone: 'open',
};

const examples = mapContactFields((_, { variable }) => variable.example);
const nothing = mapContactFields(() => null);

async function rowsOf(csv: string, mapping: Record<string, string | null> = {}): Promise<unknown[]> {
  const file = openCsv(Buffer.from(csv), { encoding: null, delimiter: ',' });
  const wishes = { mapping, ignored: [], fields: new Map(), lists: [] };
  const plan = planColumns((await scanFile(file, async () => {})).columns(), wishes);
  const cells = await cellReaders(file, columnsOf(file, plan, wishes), {}, defaultSettings('', 'UTC'), async () => {});
  return [...readCsvRows(file, { cells, statements: cells.map(() => null) })].map(({ contact }) => contact);
}

describe('the fields that every contact has', () => {
  it('are the released ones, each as personal as it was', () => {
    expect(mapContactFields((_, { isPersonal }) => (isPersonal ? 'personal' : 'open'))).to.deep.equal(released);
  });

  it('are sealed by their event if they are personal', () => {
    const reader = { account: 'acc_A', addresses: { key: (account: string, text: string) => `${account}:${text}` }, fields: new Map() };
    const reading = readContactInput(examples, reader);
    const { values, personal } = 'row' in reading ? reading.row.patch : expect.fail(JSON.stringify(reading.problems));
    for (const name of baseFields) expect([name, name in personal, name in values]).to.deep.equal([name, ...sealedOrOpen(name)]);
    expect({ ...personal, ...values }).to.deep.equal(examples);
  });
  const sealedOrOpen = (name: BaseField) => (released[name] === 'personal' ? [true, false] : [false, true]);

  it('are filled by each name of their column', async () => {
    for (const name of baseFields)
      for (const column of [name, ...contactFields[name].columns]) {
        const key = name === 'email' ? 'phone' : 'email';
        const [contact] = await rowsOf(`${key},${column.toUpperCase().replaceAll('_', ' ')}\n${examples[key]},${examples[name]}\n`);
        expect(contact, column).to.deep.equal({ [key]: examples[key], [name]: examples[name] });
      }
  });
});

describe('the fields that every contact has, over HTTP', () => {
  const service = Service.guest();
  const receiver = Receiver.own();
  let id: string;
  before(async () => {
    await service.ok('POST', '/webhook-endpoints', { url: `${receiver.origin}/fields`, events: ['contact.updated'] });
    ({ id } = await service.ok('POST', '/contacts', examples));
  });

  it('are answered, and exported so that an import reads the same values', async () => {
    const contact = await service.ok('GET', `/contacts/${id}`);
    expect(contact).to.deep.include(examples);
    const [imported] = await rowsOf(`${csvHeader([])}${csvLine({ contact, lists: [], consents: [] }, [])}`, {
      id: null,
      created_at: null,
      updated_at: null,
    });
    expect(imported).to.deep.equal(examples);
  });

  it('are compared by the rules of segments', async () => {
    for (const field of baseFields) {
      const leaf = { type: 'attribute', field, op: 'eq', value: examples[field] };
      expect((await service.ok('POST', '/segments/preview', { rules: leaf })).count, field).to.equal(1);
      expect((await service.ok('POST', '/segments/preview', { rules: { ...leaf, value: 'another' } })).count, field).to.equal(0);
    }
  });

  it('are read by templates, and described in the catalog of variables', async () => {
    const { data } = await service.ok('GET', '/templates/variables');
    for (const name of baseFields) {
      const { description, example } = contactFields[name].variable;
      expect(data).to.deep.include({ name: `contact.${name}`, description, example, available: 'contact' });
    }
    const message = baseFields.map((name) => `{{ contact.${name} }}`).join('|');
    const template = await service.ok('POST', '/templates', { name: 'Fields', channel: 'sms', message });
    const rendered = await service.ok('POST', `/templates/${template.id}/render`, { contact_id: id });
    expect(rendered).to.deep.include({ message: Object.values(examples).join('|'), missing_variables: [] });
  });

  it('are given by forms, in controls that browsers fill in', async () => {
    for (const name of baseFields)
      for (const type of contactFields[name].formTypes) {
        const given = { ...examples, email: `${name}-${type}@example.com`.replaceAll('_', '-'), phone: '+14155550199' };
        const address = { key: 'address', type: 'email', label: 'Email', required: true, maps_to: 'email' };
        const options = type === 'select' ? [{ value: given[name], label: 'One' }] : null;
        const asked = { key: name, type, label: 'Field', required: type !== 'hidden', maps_to: name, options };
        const fields = name === 'email' ? [asked] : [address, asked];
        const slug = `fields-${service.accountId.slice(-8)}-${name}-${type}`.toLowerCase().replaceAll('_', '-');
        const form = await service.ok('POST', '/forms', { name: 'Fields', slug, fields, status: 'live' });
        await service.ok('POST', `/public/forms/${form.id}/submit`, { fields: { address: given.email, [name]: given[name] } }, { 'X-API-Key': '' });
        const [contact] = (await service.ok('GET', `/contacts?email=${given.email}`)).data;
        expect(contact, `${name} by ${type}`).to.deep.include({ email: given.email, [name]: given[name] });
        const page = (await service.ask('GET', `/f/${slug}`, undefined, { 'X-API-Key': '' })).text;
        const { autocomplete } = contactFields[name];
        const isTyped = autocomplete !== null && type !== 'hidden' && type !== 'select';
        expect(page.includes(`name="${name}"`) && (!isTyped || page.includes(`autocomplete="${autocomplete}"`)), page).to.equal(true);
      }
  });

  it('are changes of the webhook where they are published', async () => {
    const { id: changed } = await service.ok('POST', '/contacts', { ...examples, email: 'changed@example.com', phone: '+14155550198' });
    const before = await service.ok('GET', `/contacts/${changed}`);
    await service.ok('PATCH', `/contacts/${changed}`, { ...nothing });
    const bodies = () => receiver.requests.map(({ body }) => JSON.parse(body)).filter(({ data }) => data.contact.id === changed);
    const [sent] = await eventually('the change arrived', () => bodies().length > 0 && bodies());
    const published = baseFields.filter((name) => contactFields[name].isPublished);
    expect(sent.data.changes).to.deep.equal(Object.fromEntries(published.map((name) => [name, { from: before[name], to: null }])));
    expect(await service.ok('GET', `/contacts/${changed}`)).to.deep.include(nothing);
  });
});
