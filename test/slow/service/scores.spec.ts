import { expect } from 'chai';
import { fitPurchases } from '../../../domain/scores/fit.js';
import { type Purchase, type PurchaseSummary, summarize } from '../../../domain/scores/purchase-history.js';
import { expectedPurchases, probabilityOfPurchase } from '../../../domain/scores/purchase-model.js';
import { cdnow } from '../../scores/cdnow.js';
import { plainFigures } from '../../scores/reference-figures.js';
import { eventually } from '../../support/eventually.js';
import { type Reply, Service } from '../../support/service.js';

const DAY_MS = 86_400_000;
const BATCH = 1_000;
const HORIZON = 90;

/** The published purchases, moved by whole days so that the last of them was yesterday. */
function movedPurchases(): { readonly customers: ReadonlyMap<string, readonly Purchase[]>; readonly yesterday: number } {
  const yesterday = Math.floor(Date.now() / DAY_MS) - 1;
  const known = [...cdnow()];
  const last = Math.max(...known.flatMap(([, purchases]) => purchases.map(({ day }) => day)));
  const moved = known.map(([id, purchases]) => [id, purchases.map(({ day, value }) => ({ day: day + yesterday - last, value }))] as const);
  return { customers: new Map(moved), yesterday };
}

describe('scores of the CDNOW sample through the API', () => {
  const { customers, yesterday } = movedPurchases();
  const emailOf = (id: string): string => `cdnow${id}@example.com`;
  const contacts = new Map<string, string>();
  const service = Service.own();

  const refit = async (): Promise<Reply['body']> => {
    const { id } = await service.ok('POST', '/scores/refit');
    return eventually(
      'the fit is completed',
      async () => {
        const job = await service.ok('GET', `/jobs/${id}`);
        expect(job.status).to.equal('completed');
        return job;
      },
      { within: 120_000 },
    );
  };

  before(async function () {
    this.timeout(300_000);
    const events = [...customers].flatMap(([id, purchases]) =>
      purchases.map(({ day, value }) => ({
        contact: { email: emailOf(id) },
        event: 'purchase',
        occurred_at: new Date(day * DAY_MS + DAY_MS / 2).toISOString(),
        properties: { value, currency: 'USD' },
      })),
    );
    for (let from = 0; from < events.length; from += BATCH) {
      const batch = events.slice(from, from + BATCH);
      const answer = await service.ok('POST', '/events/batch', { events: batch });
      expect(answer.rejected, JSON.stringify(answer.errors?.[0])).to.equal(0);
      for (const { index, contact_id } of answer.events) contacts.set(batch[index]?.contact.email ?? '', contact_id);
    }
    expect((await refit()).result).to.deep.include({ buyers: 2357, scored: 2357 });
  });

  it('pass the gate with the figures that a separate computation finds', async () => {
    const { model, data } = await service.ok('GET', '/scores');
    expect(model).to.deep.include({ model: 'mbg-nbd', model_version: 1, buyers: 2357, currency: 'USD' });
    expect(data.map(({ shown }: { shown: boolean }) => shown)).to.deep.equal(data.map(() => true));
    const { quality } = data.find(({ name }: { name: string }) => name === 'purchase_probability_90d');
    const days = [...customers.values()].map((purchases) => purchases.map(({ day }) => day));
    // Its search for the parameters ends elsewhere by less than that.
    for (const [figure, value] of Object.entries(plainFigures(days, yesterday, HORIZON))) expect(quality[figure], figure).to.be.closeTo(value, 1e-5);
    expect(quality.brier).to.be.below(0.98 * quality.brier_recency);
  });

  it('agree with the pure functions', async () => {
    const { model } = await service.ok('GET', '/scores');
    const { parameters } = fitPurchases(
      'mbg-nbd',
      [...customers.values()].map((purchases) => summarize(purchases, yesterday) as PurchaseSummary),
    );
    for (const name of ['r', 'alpha', 'a', 'b'] as const) expect(model.parameters[name], name).to.be.closeTo(parameters[name], 1e-9);
    for (const id of [...customers.keys()].slice(0, 30)) {
      const { scores, as_of } = await service.ok('GET', `/contacts/${contacts.get(emailOf(id))}/scores`);
      const buyer = summarize(customers.get(id) ?? [], Math.floor(Date.parse(as_of) / DAY_MS)) as PurchaseSummary;
      const valueOfScore = (name: string) => scores.find((one: { name: string }) => one.name === name).value;
      for (const days of [30, 90])
        expect(valueOfScore(`purchase_probability_${days}d`)).to.be.closeTo(probabilityOfPurchase('mbg-nbd', parameters, buyer, days), 1e-9);
      expect(valueOfScore('churn_probability')).to.be.closeTo(1 - probabilityOfPurchase('mbg-nbd', parameters, buyer, 90), 1e-9);
      expect(valueOfScore('expected_orders_365d')).to.be.closeTo(model.order_factor * expectedPurchases('mbg-nbd', parameters, buyer, 365), 1e-9);
      expect(valueOfScore('historic_clv')).to.be.closeTo(buyer.value, 1e-9);
    }
  });

  it('are the same after a second fit, rise with a purchase at once, and are shown as of an earlier time', async () => {
    const [id = ''] = contacts.values();
    const before = await service.ok('GET', `/contacts/${id}/scores`);
    await refit();
    const again = await service.ok('GET', `/contacts/${id}/scores`);
    const values = ({ scores }: Reply['body']) =>
      scores.map(({ name, value, band }: Reply['body']) => (name === 'expected_next_order_at' ? name : [name, value, band]));
    expect(values(again)).to.deep.equal(values(before));
    const chance = ({ scores }: Reply['body']) => scores.find(({ name }: Reply['body']) => name === 'purchase_probability_90d');
    await service.ok('POST', '/events', { contact: { id }, event: 'purchase', properties: { value: 20, currency: 'USD' } });
    const after = await service.ok('GET', `/contacts/${id}/scores`);
    expect(chance(after).value).to.be.above(chance(before).value);
    expect(chance(after).explanation.inputs.x).to.equal(chance(before).explanation.inputs.x + 1);
    expect(values(await service.ok('GET', `/contacts/${id}/scores?as_of=${again.as_of}`))).to.deep.equal(values(again));
    await eventually('the band is on record', async () => {
      const { scores } = await service.ok('GET', `/contacts/${id}`);
      expect(scores.purchase_probability_90d.band).to.equal(chance(after).band);
      return true;
    });
  });
});
