import { expect } from 'chai';
import fc from 'fast-check';
import { uploadContacts } from '../../contacts/upload.js';
import { eventually } from '../../support/eventually.js';
import { type Reply, Service } from '../../support/service.js';

type Json = Reply['body'];

const FIELDS = [
  { key: 'customer', type: 'string', unique: true },
  { key: 'note', type: 'string' },
  { key: 'score', type: 'number' },
  { key: 'paid', type: 'boolean' },
  { key: 'born', type: 'date' },
  { key: 'seen', type: 'datetime' },
  { key: 'topics', type: 'string_list' },
  { key: 'extra', type: 'json' },
];
const LISTS = ['News; weekly', 'Offers, "daily"'];

/** Texts that separators, formulas and quotes run through. */
const awkward = fc
  .array(fc.constantFrom('a', 'B', 'é', ' ', ';', ',', '"', "'", '=', '@', '+', '-', '|', ':::', '1', '\n', '{', '['), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => parts.join('').trim())
  .filter((text) => text !== '');
const line = awkward.filter((text) => !text.includes('\n'));
const time = fc.integer({ min: 1_600_000_000, max: 1_790_000_000 }).map((seconds) => new Date(seconds * 1_000).toISOString());
const consent = fc.record({
  channel: fc.constantFrom('email', 'sms', 'all'),
  purpose: fc.constantFrom('marketing', 'research'),
  status: fc.constantFrom('granted', 'withdrawn', 'pending'),
  lawful_basis: fc.constantFrom('consent', 'contract'),
  occurred_at: time,
});
const person = fc.record({
  first_name: fc.option(line),
  last_name: fc.option(line),
  locale: fc.constantFrom(null, 'en-GB', 'de'),
  timezone: fc.constantFrom(null, 'Europe/Oslo'),
  hasPhone: fc.boolean(),
  tags: fc.uniqueArray(line, { maxLength: 3 }),
  note: fc.option(awkward),
  score: fc.option(fc.constantFrom(0, 1.5, -2.25, 1_000_000)),
  paid: fc.option(fc.boolean()),
  born: fc.option(fc.constantFrom('1990-02-28', '2004-02-29')),
  seen: fc.option(time),
  topics: fc.option(fc.uniqueArray(line, { minLength: 1, maxLength: 3 })),
  extra: fc.option(fc.constantFrom({ a: [1, 'x'] }, [1, 2], 7)),
  lists: fc.array(fc.constantFrom('', 'subscribed', 'unsubscribed'), { minLength: 2, maxLength: 2 }),
  consents: fc.array(consent, { maxLength: 3 }),
  others: fc.integer({ min: 0, max: 2 }),
  suppressed: fc.option(
    fc.record({
      channel: fc.constantFrom('email', 'all'),
      reason: fc.constantFrom('bounced', 'unsubscribed'),
      scope: fc.constantFrom('all', 'marketing'),
      occurred_at: time,
    }),
  ),
});

async function account(): Promise<{ service: Service; lists: string[] }> {
  const service = await Service.shared();
  for (const field of FIELDS) expect((await service.api('POST', '/v1/custom-fields', { label: field.key, ...field })).status).to.equal(201);
  const lists: string[] = [];
  for (const name of LISTS) lists.push((await service.api('POST', '/v1/lists', { name, opt_in: 'single' })).body.id);
  return { service, lists };
}

async function exported(service: Service): Promise<string> {
  const { body } = await service.api('POST', '/v1/contacts/export', { format: 'csv' });
  await eventually('the export is completed', async () => (await service.api('GET', `/v1/jobs/${body.id}`)).body.status === 'completed');
  return (await service.api('GET', `/v1/jobs/${body.id}/result`)).text;
}

const imported = async (service: Service, csv: string): Promise<Json> => (await uploadContacts(service, csv)).body;

const names = async (service: Service): Promise<Map<string, string>> =>
  new Map((await service.api('GET', '/v1/lists?limit=100')).body.data.map(({ id, name }: Json) => [id, name]));

/** A contact without what belongs to one account: ids, versions and times of the record. */
async function shown(service: Service, email: string): Promise<Json> {
  const [found] = (await service.api('GET', `/v1/contacts?email=${encodeURIComponent(email)}`)).body.data;
  if (!found) return null;
  const of = await names(service);
  const { id, version: _, created_at: __, updated_at: ___, source: ____, merged_ids: _____, scores: ______, lists, ...contact } = found;
  const ledger = (await service.api('GET', `/v1/contacts/${id}/consents`)).body;
  const entries = ledger.data.map(({ channel, purpose, status, lawful_basis, occurred_at }: Json) => ({
    ...{ channel, purpose, status, lawful_basis, occurred_at },
  }));
  const named = lists.map(({ id: list, status }: Json) => [of.get(list), status]).sort();
  return { ...contact, lists: named, consents_with_dates: entries.sort((a: Json, b: Json) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) };
}

async function suppressionsOf(service: Service): Promise<Json[]> {
  const { data } = (await service.api('GET', '/v1/account/unsubscribes?limit=100')).body;
  return data.map(({ address, channel, scope, reasons }: Json) => ({
    ...{ address, channel, scope },
    reasons: reasons.map(({ reason, scope: of, occurred_at }: Json) => [reason, of, occurred_at]),
  }));
}

type Person = typeof person extends fc.Arbitrary<infer T> ? T : never;
type Account = Awaited<ReturnType<typeof account>>;

/** Makes a person in an account. Returns the email. */
async function create({ service, lists: ids }: Account, one: Person, run: number, i: number): Promise<string> {
  const { lists, consents, others, hasPhone, suppressed, note, score, paid, born, seen, topics, extra, ...fields } = one;
  const email = `p${i}@trip${run}.example`;
  const made = async (path: string, body: object): Promise<Json> => {
    const answer = await service.api('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 202);
    return answer.body;
  };
  const given = (values: object) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  const { id } = await made('/v1/contacts', {
    ...given(fields),
    email,
    ...(hasPhone && { phone: `+1415555${String(1_000 + run * 10 + i).slice(-4)}` }),
    other_emails: Array.from({ length: others }, (_, k) => `o${k}.${email}`),
    custom_fields: { ...given({ note, score, paid, born, seen, topics, extra }), customer: `c-${i}` },
  });
  for (const [k, wanted] of lists.entries()) {
    if (wanted === '') continue;
    const path = `/v1/lists/${ids[k]}/contacts`;
    await made(path, { contact_ids: [id] });
    if (wanted === 'unsubscribed') await service.api('DELETE', `${path}/${id}`);
  }
  for (const entry of consents) await made(`/v1/contacts/${id}/consents`, { ...entry, source: 'spec' });
  if (suppressed) await made('/v1/account/unsubscribes', { email, ...suppressed });
  return email;
}

describe('what is exported', () => {
  let nth = 0;

  it('comes back unchanged in another account', async function () {
    this.timeout(120_000);
    await fc.assert(
      fc.asyncProperty(fc.array(person, { minLength: 4, maxLength: 8 }), async (people) => {
        const from = await account();
        const to = await account();
        const run = ++nth;
        const emails: string[] = [];
        for (const [i, one] of people.entries()) emails.push(await create(from, one, run, i));
        const csv = await exported(from.service);
        const done = await imported(to.service, csv);
        expect([done.created, done.failed], JSON.stringify([done, csv])).to.deep.equal([people.length, 0]);
        const entries = (await suppressionsOf(from.service)).map(({ address, channel, reasons: [[reason, scope, occurred_at]] }) => ({
          ...{ email: address, channel, reason, scope, occurred_at },
        }));
        if (entries.length > 0) await to.service.api('POST', '/v1/account/unsubscribes/api/import', { entries });
        for (const email of emails) expect(await shown(to.service, email), csv).to.deep.equal(await shown(from.service, email));
        expect(await suppressionsOf(to.service)).to.have.deep.members(await suppressionsOf(from.service));
        await from.service.close();
        await to.service.close();
      }),
      { numRuns: Math.ceil(Number(process.env.PROPERTY_RUNS ?? 100) / 20), endOnFailure: true },
    );
  });
});
