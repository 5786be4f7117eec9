import { ManualClock } from './manual-clock.js';

/** Longest skipped sleep in milliseconds: process runners collect events for a short time. */
const SKIPPED_UP_TO_MS = 200;

/** A manual clock that skips short sleeps, for specs with the real process runner. */
export class SkippingClock extends ManualClock {
  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return ms > 0 && ms <= SKIPPED_UP_TO_MS ? new Promise((resolve) => setImmediate(resolve)) : super.sleep(ms, signal);
  }
}
