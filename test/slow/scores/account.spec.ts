import { expect } from 'chai';
import { fitAccount } from '../../../domain/scores/fit-account.js';
import { samplePurchases } from '../../../domain/scores/sample-purchases.js';
import { scoreChanges } from '../../../domain/scores/score-changes.js';
import { type BuyerHistory, dayOfTime, type ModelInForce, scoreContact } from '../../../domain/scores/score-contact.js';
import type { ScoreName } from '../../../domain/scores/scores.js';

const NOW = Date.parse('2026-01-15T10:00:00.000Z');
const DAY_MS = 86_400_000;
const today = dayOfTime(NOW);
const purchase = { event: 'purchase', value_property: 'value', currency_property: 'currency' };

function buyersOf(count: number, seed: number, days = 365): BuyerHistory[] {
  const purchases = new Map<string, { day: number; value: number }[]>();
  for (const { contact, occurred_at, properties } of samplePurchases({ count, seed, days, now: NOW })) {
    const own = purchases.get(contact.email) ?? [];
    own.push({ day: dayOfTime(Date.parse(occurred_at)), value: properties.value });
    purchases.set(contact.email, own);
  }
  return [...purchases.values()].map((own) => ({ purchases: own, currencies: ['EUR'] }));
}

const modelOf = (buyers: readonly BuyerHistory[]): ModelInForce & { readonly model_version: number } => ({
  ...fitAccount({ buyers, purchase, churn_days: 90, today }),
  at: new Date(NOW).toISOString(),
  model_version: 1,
});
const scoreOf = (model: ModelInForce | null, buyer: BuyerHistory, name: ScoreName, at = NOW) =>
  scoreContact(model, buyer, at).find((score) => score.name === name);

describe('the scores of an account', () => {
  const buyers = buyersOf(1_000, 1);
  const model = modelOf(buyers);
  const [buyer] = buyers as [BuyerHistory];

  it('have values for 200 buyers and none for 199, with the reason', () => {
    // Of the seeds, one whose 200 buyers pass the gate.
    const some = buyersOf(200, 3);
    const enough = modelOf(some);
    expect(scoreOf(enough, some[0] as BuyerHistory, 'purchase_probability_90d')?.value).to.be.within(0, 1);
    const few = modelOf(some.slice(0, 199));
    for (const { name, value, null_reason } of scoreContact(few, some[0] as BuyerHistory, NOW))
      if (name !== 'historic_clv') expect([value, null_reason], name).to.deep.equal([null, 'insufficient_account_data']);
    expect(few.scores.churn_probability).to.deep.include({ with_value: 0, without: { insufficient_account_data: 199 } });
  });

  it('need repeat buyers, ninety days and a purchase in the last thirty', () => {
    const once = buyers.map(({ purchases, currencies }) => ({ purchases: purchases.slice(0, 1), currencies }));
    expect(modelOf(once).parameters).to.equal(null);
    expect(modelOf(buyersOf(1_000, 1, 89)).parameters).to.equal(null);
    const moved = buyers.map(({ purchases, currencies }) => ({
      purchases: purchases.map(({ day, value }) => ({ day: day - 31, value })),
      currencies,
    }));
    expect(modelOf(moved).parameters).to.equal(null);
  });

  it('have no predicted or past value with two currencies, or without one', () => {
    expect(scoreOf(model, buyer, 'predicted_clv_365d')?.value).to.be.above(0);
    const mixed = modelOf([...buyers.slice(1), { ...buyer, currencies: ['USD'] }]);
    const missing = modelOf(buyers.map(({ purchases }) => ({ purchases, currencies: [null] })));
    for (const [other, currency] of [
      [mixed, 'EUR'],
      [missing, null],
    ] as const) {
      expect(other.currency).to.equal(null);
      for (const name of ['predicted_clv_365d', 'historic_clv'] as const)
        expect(scoreOf(other, { ...buyer, currencies: [currency] }, name)).to.deep.include({ value: null, null_reason: 'no_currency' });
      expect(scoreOf(other, buyer, 'churn_probability')?.value).to.be.within(0, 1);
    }
    // A contact who has just paid in another currency, before the next fit.
    expect(scoreOf(model, { ...buyer, currencies: ['EUR', 'USD'] }, 'predicted_clv_365d')).to.include({ value: null, null_reason: 'no_currency' });
  });

  it('are refused where purchases follow no pattern', () => {
    let state = 7;
    const random = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    // Everybody buys with the same chance on every day, whatever they did before.
    const noise = Array.from({ length: 600 }, () => ({
      purchases: Array.from({ length: 365 }, (_, i) => i).flatMap((i) => (random() < 0.006 ? [{ day: today - 365 + i, value: 10 }] : [])),
      currencies: ['EUR'],
    })).filter(({ purchases }) => purchases.length > 0);
    const fitted = modelOf(noise);
    for (const name of ['purchase_probability_30d', 'purchase_probability_90d', 'churn_probability', 'expected_orders_365d'] as const) {
      expect(fitted.scores[name]?.null_reason, name).to.equal('quality_below_gate');
      expect(scoreOf(fitted, noise[0] as BuyerHistory, name)?.value).to.equal(null);
    }
  });

  it('call a buyer who bought once more and more likely lost, night after night', () => {
    const once: BuyerHistory = { purchases: [{ day: today - 1, value: 20 }], currencies: ['EUR'] };
    const churn = [0, 5, 10, 20, 29].map((days) => scoreOf(model, once, 'churn_probability', NOW + days * DAY_MS)?.value as number);
    for (const [i, value] of churn.slice(1).entries()) expect(value).to.be.above(churn[i] as number);
    expect(scoreOf(model, once, 'churn_probability', NOW + 31 * DAY_MS)).to.include({ value: null, null_reason: 'stale' });
  });

  it('are the same to the bit when they are computed again from what was stored', () => {
    const stored = JSON.parse(JSON.stringify(model)) as ModelInForce;
    const again = modelOf(JSON.parse(JSON.stringify(buyers)));
    for (const one of buyers.slice(0, 50)) {
      expect(scoreContact(stored, one, NOW)).to.deep.equal(scoreContact(model, one, NOW));
      expect(scoreContact(again, one, NOW)).to.deep.equal(scoreContact(model, one, NOW));
    }
  });

  it('are recorded when their band changes or a rule is decided otherwise, and at no other time', () => {
    const at = new Date(NOW).toISOString();
    const first = scoreChanges('con_1', model, { history: buyer, recorded: {}, thresholds: [] }, at);
    const recorded = Object.fromEntries(first.flatMap((event) => (event.type === 'ScoreChanged' ? [[event.data.score, event.data]] : [])));
    expect(Object.keys(recorded)).to.include('churn_probability').and.not.include('expected_next_order_at');
    expect(scoreChanges('con_1', model, { history: buyer, recorded, thresholds: [] }, at)).to.deep.equal([]);
    const churn = recorded.churn_probability;
    if (!churn || churn.value === null) throw new Error('there is no churn probability');
    // The value on record is on the other side of the number of a rule, in the same band.
    const before = { ...recorded, churn_probability: { ...churn, value: churn.value - 0.01 } };
    const threshold = { score: 'churn_probability', op: 'gte', value: churn.value - 0.005 } as const;
    const changes = (value: number) => scoreChanges('con_1', model, { history: buyer, recorded: before, thresholds: [{ ...threshold, value }] }, at);
    expect(changes(threshold.value).map(({ data }) => data)).to.deep.equal([{ ...churn, at }]);
    expect(changes(churn.value + 0.1)).to.deep.equal([]);
    const gone = scoreChanges('con_1', model, { history: { purchases: [], currencies: [] }, recorded, thresholds: [] }, at);
    expect(gone.map(({ data }) => ('value' in data ? data.value : 0))).to.deep.equal(gone.map(() => null));
    expect(gone).to.have.length(first.length);
  });
});
