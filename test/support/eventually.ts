/**
 * Factor of all time limits of tests. Fake servers are slower than the embedded engines and share the machine with the
 * tests; TEST_TIMEOUT_FACTOR sets another factor, for a busy machine.
 */
export const TIMEOUT_FACTOR: number = Number(process.env.TEST_TIMEOUT_FACTOR) || (process.env.TEST_LOG || process.env.TEST_VIEWS ? 10 : 1);

/** A wait that succeeds ends at once: the limit only has to be longer than a busy machine needs. */
const DEFAULT_LIMIT_MS = 30_000;

/** Pause between two polls. */
const POLL_INTERVAL_MS = 10;

/**
 * Polls until the result is not false, null or undefined, and returns it. A failed assertion counts as "not yet". After
 * the time limit throws an error whose cause is the last failure.
 */
export async function eventually<T>(
  what: string,
  poll: () => Promise<T> | T,
  { within = DEFAULT_LIMIT_MS, every = POLL_INTERVAL_MS }: { within?: number; every?: number } = {},
): Promise<Exclude<T, false | null | undefined>> {
  const until = performance.now() + within * TIMEOUT_FACTOR;
  for (;;) {
    let last: unknown;
    try {
      const seen = await poll();
      if (seen !== false && seen !== null && seen !== undefined) return seen as Exclude<T, false | null | undefined>;
    } catch (e) {
      last = e;
    }
    if (performance.now() >= until) throw new Error(`not within ${within * TIMEOUT_FACTOR} ms: ${what}`, last === undefined ? {} : { cause: last });
    await new Promise((resolve) => setTimeout(resolve, every));
  }
}
