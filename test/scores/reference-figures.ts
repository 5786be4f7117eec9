/**
 * The back-test of scores, computed anew from nothing but purchases: with its own likelihood, its own search for the parameters, and its own
 * figures, each the plainest way. It shares no code with the service.
 */

/** The days of a customer's purchases, in any order. */
export type Days = readonly number[];

export interface ReferenceFigures {
  readonly auc: number;
  readonly auc_recency: number;
  readonly brier: number;
  readonly brier_recency: number;
  readonly observed: number;
  readonly mean_predicted: number;
}

export interface Parameters {
  readonly r: number;
  readonly alpha: number;
  readonly a: number;
  readonly b: number;
}

interface Known {
  readonly x: number;
  readonly t_x: number;
  readonly T: number;
  readonly happened: boolean;
}

/** What was known at the end of a day, and whether somebody bought within the days after it. */
function knownAt(customers: readonly Days[], day: number, horizon: number): Known[] {
  return customers.flatMap((days) => {
    const past = [...new Set(days.filter((one) => one <= day))].sort((a, b) => a - b);
    const [first] = past;
    if (first === undefined) return [];
    const happened = days.some((one) => one > day && one <= day + horizon);
    return [{ x: past.length - 1, t_x: (past.at(-1) as number) - first, T: day - first, happened }];
  });
}

/** The figures of the model with these parameters, or else with those that fit best. `yesterday` is the last day whose purchases count. */
export function plainFigures(customers: readonly Days[], yesterday: number, horizon: number, given?: Parameters): ReferenceFigures {
  const cutoff = yesterday - horizon;
  const known = knownAt(customers, cutoff, horizon);
  const parameters = given ?? plainFit(known);
  const byModel = known.map((one): Pair => [chanceOf(parameters, one, horizon), one.happened]);
  const share = shareByRecency(knownAt(customers, cutoff - horizon, horizon));
  const byRecency = known.map((one): Pair => [share(one.T - one.t_x), one.happened]);
  return {
    auc: aucOf(byModel),
    auc_recency: aucOf(byRecency),
    brier: mean(byModel.map(([p, happened]) => (p - (happened ? 1 : 0)) ** 2)),
    brier_recency: mean(byRecency.map(([p, happened]) => (p - (happened ? 1 : 0)) ** 2)),
    observed: mean(known.map(({ happened }) => (happened ? 1 : 0))),
    mean_predicted: mean(byModel.map(([p]) => p)),
  };
}

type Pair = readonly [predicted: number, happened: boolean];

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** MBG/NBD: still there, and at least one purchase. */
function chanceOf({ r, alpha, a, b }: Parameters, { x, t_x, T }: Omit<Known, 'happened'>, horizon: number): number {
  const gone = (a / (b + x)) * ((alpha + T) / (alpha + t_x)) ** (r + x);
  return (1 / (1 + gone)) * (1 - ((alpha + T) / (alpha + T + horizon)) ** (r + x));
}

/** Every pair of somebody who bought and somebody who did not. */
function aucOf(pairs: readonly Pair[]): number {
  const [bought, others] = [true, false].map((happened) => pairs.filter((pair) => pair[1] === happened).map(([p]) => p)) as [number[], number[]];
  let won = 0;
  for (const one of bought) for (const other of others) won += one > other ? 1 : one === other ? 0.5 : 0;
  return won / (bought.length * others.length);
}

/** Ten groups of the earlier window by the days since the last purchase; equal days are in one group. */
function shareByRecency(earlier: readonly Known[]): (recency: number) => number {
  const recencies = earlier.map(({ T, t_x }) => T - t_x).sort((a, b) => a - b);
  const ends = new Set(Array.from({ length: 9 }, (_, i) => recencies[Math.ceil(((i + 1) * recencies.length) / 10) - 1] as number));
  const groupOf = (recency: number): number => [...ends].filter((end) => recency > end).length;
  const groups = new Map<number, number[]>();
  for (const { T, t_x, happened } of earlier) {
    const group = groupOf(T - t_x);
    groups.set(group, [...(groups.get(group) ?? []), happened ? 1 : 0]);
  }
  return (recency) => mean(groups.get(groupOf(recency)) ?? earlier.map(({ happened }) => (happened ? 1 : 0)));
}

const names = ['r', 'alpha', 'a', 'b'] as const;

/** Moves one parameter after the other by a factor while the likelihood rises, with ever smaller factors. */
function plainFit(known: readonly Known[]): Parameters {
  const groups = new Map<string, { readonly one: Known; n: number }>();
  for (const one of known) {
    const key = `${one.x}/${one.t_x}/${one.T}`;
    groups.set(key, { one, n: (groups.get(key)?.n ?? 0) + 1 });
  }
  let best: Parameters = { r: 0.5, alpha: 40, a: 1, b: 2 };
  let highest = Number.NEGATIVE_INFINITY;
  const attempt = (other: Parameters): void => {
    let sum = 0;
    for (const { one, n } of groups.values()) sum += n * logLikelihoodOf(other, one);
    if (sum > highest) [best, highest] = [other, sum];
  };
  const round = (step: number): boolean => {
    const before = best;
    for (const name of names) for (const factor of [1 + step, 1 / (1 + step)]) attempt({ ...best, [name]: best[name] * factor });
    // Along the direction of the round: the parameters depend on each other.
    const further = (name: keyof Parameters): number => best[name] ** 2 / before[name];
    attempt({ r: further('r'), alpha: further('alpha'), a: further('a'), b: further('b') });
    return best !== before;
  };
  attempt(best);
  for (let step = 0.3; step > 1e-5; step /= 2) while (round(step));
  return best;
}

/** Integrated over the rate and over the chance to drop out: never dropped out, or did after the last purchase. */
function logLikelihoodOf({ r, alpha, a, b }: Parameters, { x, t_x, T }: Omit<Known, 'happened'>): number {
  // Γ(r+x)/Γ(r) and B(a,b+x+1)/B(a,b) as products.
  let [rates, stays] = [0, 0];
  for (let i = 0; i < x; i++) rates += Math.log(r + i);
  for (let i = 0; i <= x; i++) stays += Math.log((b + i) / (a + b + i));
  const alive = (alpha + T) ** -(r + x);
  const gone = (a / (b + x)) * (alpha + t_x) ** -(r + x);
  return rates + stays + r * Math.log(alpha) + Math.log(alive + gone);
}
