/**
 * The statistics of a test of variants: one look, at the time that was fixed before. Rates have uniform priors, so the posterior of
 * an arm is Beta(1 + successes, 1 + failures).
 */

export interface Arm {
  readonly key: string;
  /** Messages dispatched, and those with a success. */
  readonly n: number;
  readonly successes: number;
  /** Its share of the sample, relative to the others; and how many were assigned to it. */
  readonly weight: number;
  readonly assigned: number;
}

export interface ArmResult {
  readonly key: string;
  readonly n: number;
  readonly successes: number;
  readonly rate: number;
  /** Of the posterior, 95 %. */
  readonly interval: readonly [number, number];
  /** Probability that its rate is the highest. */
  readonly p_best: number;
  /** By how much the rate of the best is expected to exceed its own. */
  readonly expected_loss: number;
}

export interface TestResult {
  readonly arms: readonly ArmResult[];
  readonly result: 'winner' | 'no_clear_winner' | 'void';
  /** The one to send: the winner, or else the one with the smallest expected loss; of a void test the first. */
  readonly variant: string;
  readonly wording: string;
  /** Of the sample ratio. */
  readonly p_ratio: number;
}

/** Under equal rates one of the arms is called a winner in about this share of tests. */
const FALSE_WINNERS = 0.05;
const MIN_P_RATIO = 0.001;
/** Above this many successes the exact sum gives way to the integral. */
const MAX_EXACT = 100_000;
const GRID = 8_000;

/**
 * A winner needs P(best) of at least 1 - 0.05 / arms: with two arms 0.975, since either of them could be called one by chance. That is
 * stricter than the usual 0.95, which calls a winner in one of ten tests of equal variants.
 */
export const winnerThreshold = (arms: number): number => 1 - FALSE_WINNERS / Math.max(2, arms);

export function abTestResult(arms: readonly Arm[]): TestResult {
  const p_ratio = sampleRatio(arms);
  const results = arms.map((arm, i) => armResult(arm, i, arms));
  const [first] = results;
  if (!first) throw new Error('a test has arms');
  if (p_ratio < MIN_P_RATIO) {
    const wording = 'The variants did not get their shares of the sample, so the numbers cannot be compared.';
    return { arms: results, result: 'void', variant: first.key, wording, p_ratio };
  }
  const best = results.reduce((a, b) => (b.expected_loss < a.expected_loss ? b : a));
  const isClear = best.p_best >= winnerThreshold(arms.length);
  const wording = isClear
    ? `Variant ${best.key} is the winner: the probability that it is the best is ${percent(best.p_best)}.`
    : `No clear winner: variant ${best.key} has the smallest expected loss, and the probability that it is the best is only ${percent(best.p_best)}.`;
  return { arms: results, result: isClear ? 'winner' : 'no_clear_winner', variant: best.key, wording, p_ratio };
}

const percent = (p: number): string => `${(100 * p).toFixed(1)} %`;

function armResult(arm: Arm, i: number, arms: readonly Arm[]): ArmResult {
  const { key, n, successes } = arm;
  const { p_best, expected_loss } = arms.length === 2 ? ofTwo(arms[1 - i] as Arm, arm) : ofMany(arms, i);
  return { key, n, successes, rate: n === 0 ? 0 : successes / n, interval: credibleInterval(posterior(arm)), p_best, expected_loss };
}

interface Beta {
  readonly a: number;
  readonly b: number;
}
const posterior = ({ n, successes }: Pick<Arm, 'n' | 'successes'>): Beta => ({ a: 1 + successes, b: 1 + Math.max(0, n - successes) });

function ofTwo(other: Arm, arm: Arm): Pick<ArmResult, 'p_best' | 'expected_loss'> {
  const [a, b] = [posterior(other), posterior(arm)];
  if (Math.max(a.a, b.a) > MAX_EXACT) return ofMany([other, arm], 1);
  const meanOf = ({ a: x, b: y }: Beta): number => x / (x + y);
  const loss = meanOf(a) * exceeds(b, { a: a.a + 1, b: a.b }) - meanOf(b) * exceeds({ a: b.a + 1, b: b.b }, a);
  return { p_best: exceeds(a, b), expected_loss: Math.max(0, loss) };
}

/** P(B > A), exactly: a sum over the successes of B. */
export function exceeds(A: Beta, B: Beta): number {
  let sum = 0;
  const whole = logBeta(A.a, A.b);
  for (let i = 0; i < B.a; i++) sum += Math.exp(logBeta(A.a + i, A.b + B.b) - Math.log(B.b + i) - logBeta(1 + i, B.b) - whole);
  return Math.min(1, sum);
}

/** By integration on one grid over all posteriors. */
function ofMany(arms: readonly Arm[], of: number): Pick<ArmResult, 'p_best' | 'expected_loss'> {
  const betas = arms.map(posterior);
  const { xs, step, densities, cumulated } = gridOf(betas);
  let p_best = 0;
  let expectedMax = (xs[0] as number) - step / 2;
  for (const i of xs.keys()) {
    const others = cumulated.reduce((product, cdf, k) => (k === of ? product : product * (cdf[i] as number)), 1);
    p_best += (densities[of]?.[i] as number) * others * step;
    expectedMax += (1 - others * (cumulated[of]?.[i] as number)) * step;
  }
  const { a, b } = betas[of] as Beta;
  return { p_best: Math.min(1, p_best), expected_loss: Math.max(0, expectedMax - a / (a + b)) };
}

function gridOf(betas: readonly Beta[]) {
  const bounds = betas.map(({ a, b }) => {
    const mean = a / (a + b);
    const deviation = Math.sqrt((mean * (1 - mean)) / (a + b + 1));
    return [Math.max(0, mean - 10 * deviation), Math.min(1, mean + 10 * deviation)] as const;
  });
  const from = Math.min(...bounds.map(([low]) => low));
  const to = Math.max(...bounds.map(([, high]) => high));
  const step = (to - from) / GRID;
  const xs = Array.from({ length: GRID }, (_, i) => from + (i + 0.5) * step);
  const densities = betas.map(({ a, b }) => {
    const whole = logBeta(a, b);
    const raw = xs.map((x) => Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - whole));
    const mass = raw.reduce((sum, density) => sum + density * step, 0);
    return raw.map((density) => density / mass);
  });
  const cumulated = densities.map((density) => {
    let sum = 0;
    return density.map((value) => {
      sum += value * step;
      return sum - (value * step) / 2;
    });
  });
  return { xs, step, densities, cumulated };
}

/** The central 95 % of a posterior. */
export function credibleInterval({ a, b }: Beta): [number, number] {
  const { xs, cumulated } = gridOf([{ a, b }]);
  const at = (p: number): number => xs[(cumulated[0] as number[]).findIndex((sum) => sum >= p)] ?? 1;
  return [at(0.025), at(0.975)];
}

/** The p-value of Pearson's chi-squared test that the arms got their shares. */
export function sampleRatio(arms: readonly Pick<Arm, 'weight' | 'assigned'>[]): number {
  const total = arms.reduce((sum, { assigned }) => sum + assigned, 0);
  const weights = arms.reduce((sum, { weight }) => sum + weight, 0);
  if (total === 0 || arms.length < 2) return 1;
  const squared = arms.reduce((sum, { weight, assigned }) => {
    const expected = (total * weight) / weights;
    return sum + (assigned - expected) ** 2 / expected;
  }, 0);
  return upperGamma((arms.length - 1) / 2, squared / 2);
}

/** Q(s, x), the regularized upper incomplete gamma function: a series below s + 1, else a continued fraction. */
export function upperGamma(s: number, x: number): number {
  if (x <= 0) return 1;
  const front = Math.exp(s * Math.log(x) - x - lanczosLogGamma(s));
  if (x < s + 1) {
    let term = 1 / s;
    let sum = term;
    for (let k = 1; term > sum * 1e-16; k++) {
      term *= x / (s + k);
      sum += term;
    }
    return 1 - front * sum;
  }
  let b = x + 1 - s;
  let c = 1e300;
  let d = 1 / b;
  let h = d;
  for (let i = 1; i < 1_000; i++) {
    const an = -i * (i - s);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    h *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return front * h;
}

const logBeta = (a: number, b: number): number => lanczosLogGamma(a) + lanczosLogGamma(b) - lanczosLogGamma(a + b);

const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905, -0.13857109526572012,
  9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** ln Γ(z) for z > 0, by the approximation of Lanczos (g = 7). */
export function lanczosLogGamma(z: number): number {
  if (z < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * z)) - lanczosLogGamma(1 - z);
  const x = z - 1;
  const sum = LANCZOS.reduce((total, c, i) => (i === 0 ? c : total + c / (x + i)), 0);
  const t = x + 7.5;
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(t) - t + Math.log(sum);
}

/** Contacts per arm that a test needs to find a difference between two rates (power 0.8, level 0.05). */
export const contactsPerArm = (rate: number, difference: number): number => Math.ceil((16 * rate * (1 - rate)) / difference ** 2 - 1e-6);
