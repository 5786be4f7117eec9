import type { Clock } from '../../domain/kernel/clock.js';
import type { SharedPeriod, SharedRates } from '../../domain/kernel/shared-rates.js';
import type { Carrier } from './carrier.js';

type RateClock = Pick<Clock, 'monotonic' | 'sleep'>;

/** The rate of a carrier that all nodes share, under a key. */
export interface SharedRate {
  readonly key: string;
  readonly rates: SharedRates;
}

/** Resolves when a message may go out, or when the signal aborts. */
type Turn = (signal: AbortSignal) => Promise<void>;

/** The length of a period that nodes share, in milliseconds. Longer where a tenth of a second has less than one message. */
const PERIOD_MS = 100;
/** Delay after the store of the shared periods could not be asked, in milliseconds. */
const AWAY_MS = 1_000;

/**
 * A carrier that gets at most so many messages a second, and further ones in their order as soon as they may go out: evenly from this
 * node alone, or from all nodes together with `shared`.
 */
export function rated(carrier: Carrier, perSecond: number, clock: RateClock, shared: SharedRate | null = null): Carrier {
  const turn = shared ? sharedTurns(shared, periodOf(perSecond), clock) : evenTurns(perSecond, clock);
  return {
    ...carrier,
    async send(message, signal) {
      await turn(signal);
      if (signal.aborted) return { outcome: 'transient_error', code: 'stopped', error: 'The service stopped before the message was handed over.' };
      return carrier.send(message, signal);
    },
  };
}

function evenTurns(perSecond: number, clock: RateClock): Turn {
  const between = 1_000 / perSecond;
  let free = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    const now = clock.monotonic();
    const at = Math.max(now, free);
    free = at + between;
    if (at > now) await clock.sleep(at - now, signal);
  };
}

/** Whole messages of the shortest period in which the rate is kept exactly. */
export function periodOf(perSecond: number): SharedPeriod {
  const points = Math.max(1, Math.floor((perSecond * PERIOD_MS) / 1_000));
  return { points, ms: Math.ceil((points * 1_000) / perSecond) };
}

interface Waiter {
  readonly signal: AbortSignal;
  readonly go: () => void;
}

/** Takes the turns of all that wait with one call of the store, period by period. */
function sharedTurns({ key, rates }: SharedRate, period: SharedPeriod, clock: RateClock): Turn {
  let waiting: Waiter[] = [];
  let isServing = false;

  async function serve(): Promise<void> {
    while (waiting.length > 0) {
      const wanted = Math.min(waiting.length, period.points);
      const { taken, waitMs } = await rates.take(key, wanted, period).catch(() => ({ taken: 0, waitMs: AWAY_MS }));
      waiting = waiting.filter(({ signal }) => !signal.aborted);
      for (const { go } of waiting.splice(0, taken)) go();
      const [{ signal } = {}] = waiting;
      if (waitMs > 0 && signal) await clock.sleep(waitMs, signal);
      waiting = waiting.filter((one) => !one.signal.aborted);
    }
    isServing = false;
  }

  return (signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const go = (): void => {
        signal.removeEventListener('abort', go);
        resolve();
      };
      signal.addEventListener('abort', go, { once: true });
      waiting.push({ signal, go });
      if (isServing) return;
      isServing = true;
      void serve();
    });
}
