/** Random numbers from a seed, so that a failed run can be repeated. Between 0 and 1, 1 excluded. */
export type Random = () => number;

/** mulberry32 by Tommy Ettinger: 32 bits of state are plenty for choosing moments. */
export function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The seed of this run: `FAULTS_SEED`, or a new one. */
export const chosenSeed = (): number => Number(process.env.FAULTS_SEED ?? Math.floor(Math.random() * 2 ** 32));

export const between = (random: Random, from: number, to: number): number => Math.floor(from + random() * (to - from));

/** One of a list, with a probability in proportion to its weight. */
export function pick<T>(random: Random, choices: readonly (readonly [weight: number, choice: T])[]): T {
  let at = random() * choices.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, choice] of choices) {
    at -= weight;
    if (at < 0) return choice;
  }
  return (choices.at(-1) as readonly [number, T])[1];
}
