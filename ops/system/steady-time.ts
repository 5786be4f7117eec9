/** How much slower the time runs after the computer's clock was set back, until both agree. */
const SLOWED = 0.1;

/**
 * The time of the computer's clock, which never goes back: timers, limits and what is on record depend on it. Where the clock is set
 * forward, the time follows at once. Where it is set back, the time goes on, a tenth slower, until the clock has caught up with it.
 */
export function steadyTime(wall: () => number, monotonic: () => number): () => number {
  let last = wall();
  let at = monotonic();
  let ahead = 0;
  return () => {
    // Between two readings a busy machine may do other work for long, which must not look like a step: what has passed for certain counts.
    const passed = monotonic() - at;
    const now = wall();
    at = monotonic();
    // Without a step the clock has moved as far as the monotonic one; what is missing is a step back.
    ahead = Math.max(0, last + passed - SLOWED * Math.min(passed, ahead / SLOWED) - now);
    // Differences below a few milliseconds are roundings of the two clocks.
    if (ahead < ROUNDING_MS) ahead = 0;
    last = Math.max(last, Math.floor(now + ahead));
    return last;
  };
}

const ROUNDING_MS = 20;
