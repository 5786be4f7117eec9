import { expect } from 'chai';
import { samplePurchases } from '../../../domain/scores/sample-purchases.js';
import { systemClock } from '../../../ops/system/clock.js';
import { eventually } from '../../support/eventually.js';
import { type Reply, Service } from '../../support/service.js';
import { Receiver } from '../../webhooks/receiver.js';

describe('scored contacts', () => {
  const contacts = new Map<string, string>();
  const service = Service.guest();
  const contact = (n: number): string => contacts.get(`buyer-${n}@example.com`) ?? '';
  const inputs = async (id: string) => {
    const { scores } = await service.ok('GET', `/contacts/${id}/scores`);
    const { value, explanation } = scores.find(({ name }: Reply['body']) => name === 'purchase_probability_90d');
    return { value, ...explanation.inputs };
  };
  const onRecord = async (id: string) => (await service.ok('GET', `/contacts/${id}`)).scores;

  before(async function () {
    this.timeout(120_000);
    const events = samplePurchases({ count: 300, seed: 1, days: 365, now: Date.now() });
    const answer = await service.ok('POST', '/events/batch', { events });
    for (const { index, contact_id } of answer.events) contacts.set(events[index]?.contact.email ?? '', contact_id);
    const { id } = await service.ok('POST', '/scores/refit');
    await eventually('the fit is completed', async () => (await service.ok('GET', `/jobs/${id}`)).status === 'completed', { within: 60_000 });
  });

  it('are in the segments that rules over scores name, at once after a purchase', async () => {
    const rules = { type: 'score', score: 'purchase_probability_90d', op: 'gte', value: 0.45 };
    const { id } = await service.ok('POST', '/segments', { name: 'Soon again', rules });
    const values = new Map<string, number>();
    for (const one of contacts.values()) values.set(one, (await inputs(one)).value);
    const expected = [...values].filter(([, value]) => value >= 0.45).map(([one]) => one);
    const members = async (): Promise<string[]> =>
      (await service.ok('GET', `/segments/${id}/contacts?limit=200`)).data.map((one: Reply['body']) => one.id);
    await eventually('the members are those of the naive evaluation', async () => {
      expect((await members()).sort()).to.deep.equal(expected.sort());
      return true;
    });
    const below = [...values].filter(([, value]) => value < 0.45 && value > 0.3).map(([one]) => one)[0] ?? '';
    for (let n = 0; n < 3; n++)
      await service.ok('POST', '/events', {
        contact: { id: below },
        event: 'purchase',
        occurred_at: new Date(Date.now() - n * 86_400_000).toISOString(),
        properties: { value: 10, currency: 'EUR' },
      });
    expect((await inputs(below)).value).to.be.above(0.45);
    await eventually('the buyer is a member', async () => (await members()).includes(below));
  });

  it('have the purchases of both after a merge, their own after an unmerge, and no scores once they are erased', async () => {
    const [into, from] = [contact(1), contact(2)];
    const [before, other] = [await inputs(into), await inputs(from)];
    const { contact: root, merge_id } = await service.ok('POST', `/contacts/${into}/merge`, { source_contact_id: from });
    const merged = await inputs(root.id);
    expect(merged.x)
      .to.be.above(before.x)
      .and.at.most(before.x + other.x + 1);
    expect(merged.value).to.not.equal(before.value);
    await service.ok('POST', `/contacts/${root.id}/unmerge`, { merge_id });
    await eventually('both have their own scores again', async () => {
      expect((await inputs(into)).x).to.equal(before.x);
      expect((await inputs(from)).x).to.equal(other.x);
      expect(Object.keys(await onRecord(from))).to.include('purchase_probability_90d');
      return true;
    });
    expect((await service.api('POST', `/v1/contacts/${from}/erase`)).status).to.be.below(300);
    const gone = await service.api('GET', `/v1/contacts/${from}/scores`);
    expect([gone.status, gone.body.code]).to.deep.equal([410, 'contact_erased']);
    const { id } = await service.ok('POST', '/scores/refit');
    const job = await eventually(
      'the second fit is completed',
      async () => {
        const found = await service.ok('GET', `/jobs/${id}`);
        return found.status === 'completed' && found;
      },
      { within: 60_000 },
    );
    expect(job.result.buyers).to.equal(contacts.size - 1);
  });

  it('are one buyer of a fit after a merge, with all purchases, however many one of them has', async () => {
    const fitted = async (): Promise<{ buyers: number; repeat_buyers: number }> => {
      const { id } = await service.ok('POST', '/scores/refit');
      await eventually('the fit is completed', async () => (await service.ok('GET', `/jobs/${id}`)).status === 'completed', { within: 60_000 });
      return (await service.ok('GET', '/scores')).model;
    };
    const before = await fitted();
    const ago = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString();
    const email = 'often@example.com';
    // More than a page of purchases, on two days.
    const events = Array.from({ length: 450 }, (_, n) => ({
      contact: { email },
      event: 'purchase',
      occurred_at: ago(30 + (n % 2)),
      properties: { value: 1, currency: 'EUR' },
    }));
    const often = (await service.ok('POST', '/events/batch', { events })).events[0].contact_id;
    expect(await fitted()).to.include({ buyers: before.buyers + 1, repeat_buyers: before.repeat_buyers + 1 });
    const { contact: root, merge_id } = await service.ok('POST', `/contacts/${contact(5)}/merge`, { source_contact_id: often });
    expect((await fitted()).buyers).to.equal(before.buyers);
    await service.ok('POST', `/contacts/${root.id}/unmerge`, { merge_id });
    expect((await fitted()).buyers).to.equal(before.buyers + 1);
  });

  it('start journeys where scoring lets them enter a segment, and are no change of the contact', async () => {
    const receiver = await Receiver.start(systemClock, () => 200);
    try {
      await service.ok('POST', '/webhook-endpoints', { url: `${receiver.origin}/changed`, events: ['contact.updated'] });
      // Within 60 days fewer buy than within 90: some are above the most of now.
      const { percentiles } = await service.ok('GET', '/scores/churn_probability/distribution');
      const rules = { type: 'all', rules: [{ type: 'score', score: 'churn_probability', op: 'gt', value: percentiles.at(-1) }] };
      const { id: segment_id } = await service.ok('POST', '/segments', { name: 'Leaving', rules });
      const nodes = [
        { id: 't', kind: 'trigger', on: { type: 'segment_entered', segment_id }, next: 's' },
        { id: 's', kind: 'send', channel: 'email', category: 'transactional', subject: 'We miss you', message: 'Hello', next: null },
      ];
      const { id: journey } = await service.ok('POST', '/journeys', { name: 'Win back', nodes });
      await service.ok('POST', `/journeys/${journey}/publish`);
      const before = (await service.ok('GET', `/segments/${segment_id}`)).members ?? 0;
      await service.ok('PATCH', '/account/settings', { churn_window: 'P60D' });
      const entered = await eventually(
        'contacts enter the segment and the journey',
        async () => {
          const { data } = await service.ok('GET', `/journeys/${journey}/enrollments?limit=200`);
          return data.length > 0 && data;
        },
        { within: 60_000 },
      );
      const members = (await service.ok('GET', `/segments/${segment_id}/contacts?limit=200`)).data.map(({ id }: Reply['body']) => id);
      for (const { contact_id } of entered) expect(members).to.include(contact_id);
      expect(before).to.equal(0);
      // Deliveries are in order: one that follows shows that none came for the scores.
      await service.ok('PATCH', `/contacts/${contact(20)}`, { first_name: 'Ada' });
      const [first] = await eventually('the change is delivered', () => receiver.requests.length > 0 && receiver.requests, { within: 30_000 });
      expect(Object.keys(JSON.parse(first?.body ?? '').data.changes)).to.deep.equal(['first_name']);
      expect(receiver.requests).to.have.length(1);
    } finally {
      await receiver.close();
    }
  });
});
