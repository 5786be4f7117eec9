import { expect } from 'chai';
import { decayed, engagementProbability, fitEngagement } from '../../domain/scores/engagement-model.js';
import { accountHours, bestHour, contactHours, fitKappa, type HourCounts, MAX_KAPPA } from '../../domain/scores/send-hours.js';

const counts = (byHour: Readonly<Record<number, number>>): HourCounts => Array.from({ length: 24 }, (_, hour) => byHour[hour] ?? 0);

describe('engagement with a channel', () => {
  it('has the prior from which the contacts were drawn', () => {
    // Beta-binomial with alpha 2 and beta 6 over ten messages, by its exact shares of 10,000 contacts.
    const shares = betaBinomial(10, 2, 6);
    const contacts = shares.flatMap((share, engaged) => Array.from({ length: Math.round(share * 10_000) }, () => ({ delivered: 10, engaged })));
    const { alpha, beta } = fitEngagement(contacts);
    expect(alpha).to.be.closeTo(2, 0.02);
    expect(beta).to.be.closeTo(6, 0.06);
  });

  it('is between the prior and what the contact did, and the nearer to the latter the more there is of it', () => {
    const prior = { alpha: 1, beta: 9 };
    expect(engagementProbability(prior, { delivered: 0, engaged: 0 })).to.equal(0.1);
    expect(engagementProbability(prior, { delivered: 3, engaged: 3 })).to.be.closeTo(4 / 13, 1e-12);
    expect(engagementProbability(prior, { delivered: 300, engaged: 300 })).to.be.above(0.95);
  });

  it('counts a message half after 60 days', () => {
    expect(decayed(0)).to.equal(1);
    expect(decayed(60)).to.equal(0.5);
    expect(decayed(180)).to.equal(0.125);
  });
});

describe('the best hour to send', () => {
  const evening = counts({ 19: 10, 20: 20, 21: 10 });
  const morning = counts({ 7: 10, 8: 20, 9: 10 });

  it('is that of the account for somebody of whom nothing is known', () => {
    const prior = accountHours([evening, evening, morning]);
    expect(bestHour(contactHours(counts({}), prior, 10))).to.equal(20);
  });

  it("is the contact's own where people differ, and the account's where they do not", () => {
    const different = [...Array.from({ length: 20 }, () => evening), ...Array.from({ length: 20 }, () => morning)];
    const prior = accountHours(different);
    const kappa = fitKappa(different, prior);
    expect(kappa).to.be.below(MAX_KAPPA);
    expect(bestHour(contactHours(counts({ 8: 5 }), prior, kappa))).to.equal(8);
    const mixed = counts({ 7: 5, 8: 10, 9: 5, 19: 5, 20: 10, 21: 5 });
    const alike = Array.from({ length: 40 }, () => mixed);
    expect(fitKappa(alike, accountHours(alike))).to.be.above(MAX_KAPPA);
  });

  it('is inside the allowed hours', () => {
    const hours = contactHours(evening, accountHours([evening]), 1);
    expect(bestHour(hours, (hour) => hour >= 9 && hour < 18)).to.equal(17);
    expect(bestHour(hours, () => false)).to.equal(null);
  });

  it('takes midnight as the middle of a circle', () => {
    const night = counts({ 23: 10, 0: 10, 1: 10 });
    expect(bestHour(contactHours(night, accountHours([night]), 1))).to.equal(0);
  });
});

function betaBinomial(n: number, alpha: number, beta: number): number[] {
  // By P(k + 1) / P(k).
  const ratios = Array.from({ length: n }, (_, k) => ((n - k) * (alpha + k)) / ((k + 1) * (beta + n - k - 1)));
  const weights = [1];
  for (const ratio of ratios) weights.push((weights.at(-1) as number) * ratio);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}
