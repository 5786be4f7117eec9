import type { Clock, TryWrites } from '../../../domain/kernel/ports.js';
import type { Logger } from '../../monitoring/logging.js';

/** A result is used for so long: whoever may ask for it must not be able to keep a disk busy. */
const LASTS_MS = 1_000;

/**
 * Tries whether the stores take writes, at most once a second for all who ask. Logs the first failure, and the first success after one.
 * Throws what the store threw.
 */
export function writeCheck(stores: TryWrites, clock: Pick<Clock, 'monotonic'>, logger: Pick<Logger, 'info' | 'error'>): () => Promise<void> {
  let [last, endedAt, failing]: [Promise<void> | null, number | null, boolean] = [null, null, false];
  const attempt = async () => {
    try {
      await stores.tryWrite();
      if (failing) logger.info('the stores take writes again');
      failing = false;
    } catch (error) {
      if (!failing) logger.error('a store takes no writes', { error });
      failing = true;
      throw error;
    } finally {
      endedAt = clock.monotonic();
    }
  };
  return () => {
    if (last && (endedAt === null || clock.monotonic() - endedAt < LASTS_MS)) return last;
    endedAt = null;
    last = attempt();
    return last;
  };
}
