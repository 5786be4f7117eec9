import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';

const marketing = { channel: 'email', purpose: 'marketing' } as const;

/** What `POST /v1/contacts` says besides fields: consents and lists. */
describe('a contact that is created with its consents and lists', () => {
  const service = Service.guest();
  let single: string;
  let double: string;
  before(async () => {
    single = (await service.ok('POST', '/lists', { name: 'Single' })).id;
    double = (await service.ok('POST', '/lists', { name: 'Double', opt_in: 'double' })).id;
    await service.ok('PATCH', '/account/settings', { marketing_consent: { email: 'opt_in' } });
  });

  let nth = 0;
  const address = () => `along${++nth}@example.com`;
  const historyOf = async (id: string) => (await service.ok('GET', `/contacts/${id}/consents/history`)).data;
  const send = async (to: string) =>
    (await service.ok('POST', '/messages/send', { to, channel: 'email', subject: 'News', message: 'News', category: 'marketing' })).status;

  it('has them from its first moment, so that a journey of its creation may write to it', async () => {
    const trigger = { id: 't', kind: 'trigger', on: { type: 'contact_created' }, next: 's' };
    const welcome = { id: 's', kind: 'send', channel: 'email', subject: 'Welcome', message: 'Welcome', next: null };
    const journey = await service.ok('POST', '/journeys', { name: 'Welcome', nodes: [trigger, welcome] });
    await service.ok('POST', `/journeys/${journey.id}/publish`, {});
    const people = Array.from({ length: 10 }, address);
    const consents = [{ ...marketing, status: 'granted', source: 'checkout', proof: { text: 'Yes, please' }, occurred_at: '2024-05-01T10:00:00Z' }];
    const made = await Promise.all(people.map((email) => service.call('POST', '/contacts', { email, consents, list_ids: [single] })));
    for (const { status, body } of made) {
      expect(status).to.equal(201);
      expect(body).to.deep.include({ consents: { email: { marketing: 'granted' } }, lists: [{ id: single, status: 'subscribed' }] });
      const [entry, ...others] = await historyOf(body.id);
      expect(others).to.deep.equal([]);
      expect(entry).to.deep.include({ status: 'granted', source: 'checkout', occurred_at: '2024-05-01T10:00:00.000Z' });
      expect(entry.proof.text).to.equal('Yes, please');
    }
    const messages = await eventually('the welcomes', async () => {
      const { data } = await service.ok('GET', `/messages?journey_id=${journey.id}`);
      expect(data).to.have.length(people.length);
      return data;
    });
    expect(messages.filter(({ status }: { status: string }) => status === 'suppressed')).to.deep.equal([]);
  });

  it('keeps what was withdrawn, however often the same call comes again, and takes what lowers', async () => {
    const email = address();
    const granted = { email, consents: [{ ...marketing, status: 'granted' }] };
    const { id } = await service.ok('POST', '/contacts', granted);
    await service.ok('POST', '/contacts', granted);
    expect(await historyOf(id)).to.have.length(1);
    await service.ok('POST', `/contacts/${id}/consents`, { ...marketing, status: 'withdrawn' });
    const again = await service.ok('POST', '/contacts', { ...granted, first_name: 'Ada' });
    expect(again).to.deep.include({ first_name: 'Ada', consents: { email: { marketing: 'withdrawn' } } });
    expect(await send(email)).to.equal('suppressed');
    expect(await historyOf(id)).to.have.length(2);
    const other = address();
    await service.ok('POST', '/contacts', { email: other });
    const late = await service.ok('POST', '/contacts', { email: other, consents: [{ ...marketing, status: 'granted' }] });
    expect(late.consents).to.deep.equal({ email: { marketing: 'granted' } });
    const lowered = {
      email: other,
      consents: [
        { ...marketing, status: 'withdrawn' },
        { channel: 'sms', purpose: 'news', status: 'pending' },
      ],
    };
    expect((await service.ok('POST', '/contacts', lowered)).consents).to.deep.equal({ email: { marketing: 'withdrawn' }, sms: { news: 'pending' } });
    await service.ok('POST', '/contacts', lowered);
    expect(await historyOf(late.id)).to.have.length(3);
  });

  it('waits for a list with double opt-in, unless it has confirmed elsewhere', async () => {
    await service.ok('PATCH', '/account/settings', { marketing_consent: { email: 'opt_out' } });
    const [asked, known] = [address(), address()];
    const pending = await service.ok('POST', '/contacts', { email: asked, list_ids: [double] });
    expect(pending.lists).to.deep.equal([{ id: double, status: 'pending' }]);
    expect(await send(asked)).to.equal('suppressed');
    const proof = { text: 'Signed on paper' };
    const confirmed = await service.ok('POST', '/contacts', { email: known, list_ids: [double, single], confirmed: true, proof });
    expect(confirmed.lists.map(({ status }: { status: string }) => status)).to.deep.equal(['subscribed', 'subscribed']);
    expect(await send(known)).to.equal('queued');
    expect((await service.ok('POST', '/contacts', { email: asked, list_ids: [double], confirmed: true, proof })).lists[0].status).to.equal(
      'subscribed',
    );
    expect(await send(asked)).to.equal('queued');
    const agreed = address();
    await service.ok('POST', '/contacts', { email: agreed, list_ids: [double], consents: [{ ...marketing, status: 'granted' }] });
    expect(await send(agreed)).to.equal('queued');
  });

  it('is made once under an idempotency key, and not at all where anything is wrong', async () => {
    const email = address();
    const body = { email, consents: [{ ...marketing, status: 'granted' }], list_ids: [single] };
    const key = { 'Idempotency-Key': email };
    const first = await service.call('POST', '/contacts', body, key);
    expect((await service.call('POST', '/contacts', body, key)).body).to.deep.equal(first.body);
    expect(await historyOf(first.body.id)).to.have.length(1);
    const wrong = address();
    const refused = await service.call('POST', '/contacts', {
      ...{ email: wrong, phone: '12', confirmed: true, list_ids: ['lst_none'] },
      consents: [
        { ...marketing, status: 'granted' },
        { ...marketing, status: 'withdrawn' },
      ],
    });
    expect(refused.status).to.equal(422);
    expect(refused.body.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`).sort()).to.deep.equal([
      'consents[1] duplicate',
      'list_ids[0] not_found',
      'phone invalid_phone',
      'proof required',
    ]);
    expect((await service.ok('GET', `/contacts?email=${wrong}`)).data).to.deep.equal([]);
  });
});
