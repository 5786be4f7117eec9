import { expect } from 'chai';
import { variantBucketOf, variantOf } from '../../commands/campaigns/variants.js';
import { type Arm, abTestResult, contactsPerArm, exceeds, lanczosLogGamma, sampleRatio, upperGamma } from '../../domain/campaigns/ab-test.js';
import { testPlan } from '../../domain/campaigns/test-plan.js';

const RUNS = Number(process.env.PROPERTY_RUNS) || 400;
const arm = (key: string, successes: number, n: number): Arm => ({ key, n, successes, weight: 50, assigned: n });

/** A generator of numbers in [0, 1) that is the same on every run (mulberry32). */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A binomial number, by its normal approximation. */
function successesOf(random: () => number, n: number, rate: number): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Math.max(0, Math.round(n * rate + normal * Math.sqrt(n * rate * (1 - rate))));
}

describe('the statistics of a test', () => {
  it('have the published values: 100 of 1,000 against 120 of 1,000', () => {
    const { arms } = abTestResult([arm('a', 100, 1_000), arm('b', 120, 1_000)]);
    expect(arms[1]?.p_best).to.be.closeTo(0.923183, 5e-7);
    expect(arms[1]?.expected_loss).to.be.closeTo(0.0004846, 5e-8);
    expect((arms[0]?.p_best ?? 0) + (arms[1]?.p_best ?? 0)).to.be.closeTo(1, 1e-9);
    expect(arms[0]?.interval.map((p) => Math.round(p * 1e4) / 1e4)).to.deep.equal([0.0829, 0.1202]);
  });

  it('agree between the exact sum and the integral over three arms', () => {
    const two = abTestResult([arm('a', 100, 1_000), arm('b', 120, 1_000)]);
    const three = abTestResult([arm('a', 100, 1_000), arm('b', 120, 1_000), { ...arm('c', 0, 1_000) }]);
    expect(three.arms[1]?.p_best).to.be.closeTo(two.arms[1]?.p_best ?? 0, 1e-4);
    expect(three.arms[1]?.expected_loss).to.be.closeTo(two.arms[1]?.expected_loss ?? 0, 1e-5);
  });

  it('name a winner only where it is clear, and say so where it is not', () => {
    const close = abTestResult([arm('a', 100, 1_000), arm('b', 120, 1_000)]);
    expect([close.result, close.variant]).to.deep.equal(['no_clear_winner', 'b']);
    expect(close.wording).to.equal(
      'No clear winner: variant b has the smallest expected loss, and the probability that it is the best is only 92.3 %.',
    );
    const clear = abTestResult([arm('a', 100, 1_000), arm('b', 150, 1_000)]);
    expect([clear.result, clear.variant]).to.deep.equal(['winner', 'b']);
  });

  it('are void where the variants did not get their shares', () => {
    const uneven = abTestResult([
      { ...arm('a', 100, 1_000), assigned: 1_000 },
      { ...arm('b', 100, 800), assigned: 800 },
    ]);
    expect([uneven.result, uneven.variant]).to.deep.equal(['void', 'a']);
    expect(
      sampleRatio([
        { weight: 50, assigned: 1_000 },
        { weight: 50, assigned: 1_040 },
      ]),
    ).to.be.closeTo(0.3759, 1e-4);
    expect(upperGamma(0.5, 10.827566 / 2)).to.be.closeTo(0.001, 1e-8);
  });

  it('rest on functions with known values', () => {
    expect(lanczosLogGamma(0.5)).to.be.closeTo(Math.log(Math.sqrt(Math.PI)), 1e-13);
    expect(lanczosLogGamma(11)).to.be.closeTo(Math.log(3_628_800), 1e-11);
    expect(exceeds({ a: 1, b: 1 }, { a: 1, b: 1 })).to.be.closeTo(0.5, 1e-12);
    expect(contactsPerArm(0.1, 0.01)).to.equal(14_400);
  });

  it('say before a test what it can find, and how many contacts more would need', () => {
    const variant = (key: string, weight: number) => ({ key, weight, content: {} });
    const definition = {
      ab_test: { sample_percent: 20, metric: 'click_rate', duration_seconds: 3_600 } as const,
      variants: [variant('a', 3), variant('b', 1)],
    };
    const { wording, ...plan } = testPlan(definition, 80_000, 0.1) ?? { wording: '' };
    expect(plan).to.deep.equal({
      variants: [
        { key: 'a', contacts: 12_000 },
        { key: 'b', contacts: 4_000 },
      ],
      rate: 0.1,
      smallest_difference: Math.sqrt((16 * 0.09) / 4_000),
      needed: 14_400,
    });
    expect(wording).to.equal(
      'With 4,000 contacts for the smallest variant and a rate of 10.0 %, a difference of 1.9 percentage points or more is found in four of five tests. ' +
        'A difference of a tenth of that rate needs 14,400 contacts for each variant.',
    );
    const small = testPlan(definition, 3, 0.1);
    expect([small?.smallest_difference, small?.wording.startsWith('The sample is too small')]).to.deep.equal([null, true]);
    expect(testPlan({ ...definition, ab_test: null }, 80_000, 0.1)).to.equal(null);
  });

  it(`call at most 6 % of ${RUNS} tests of equal variants a win`, () => {
    const random = randoms(17);
    let wins = 0;
    for (let run = 0; run < RUNS; run++) {
      const of = (key: string) => arm(key, successesOf(random, 2_000, 0.1), 2_000);
      if (abTestResult([of('a'), of('b')]).result === 'winner') wins += 1;
    }
    expect(wins / RUNS).to.be.at.most(0.06);
    expect(wins).to.be.above(0);
  });

  it('assign contacts by a hash: always the same variant, in the shares of the weights', () => {
    const variants = [
      { key: 'a', weight: 1, content: {} },
      { key: 'b', weight: 3, content: {} },
    ];
    const ids = Array.from({ length: 4_000 }, (_, i) => `con_${i}`);
    const ofB = ids.filter((id) => variantOf({ variants }, 'cmp_1', id) === 'b').length;
    expect(ofB / ids.length).to.be.closeTo(0.75, 0.03);
    expect(variantOf({ variants }, 'cmp_1', 'con_1')).to.equal(variantOf({ variants }, 'cmp_1', 'con_1'));
    expect(variantBucketOf('x', 'con_1')).to.not.equal(variantBucketOf('y', 'con_1'));
  });
});
