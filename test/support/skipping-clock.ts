import { ManualClock } from './manual-clock.js';

/** The runner of processes gathers news for some milliseconds before it looks at its list: nothing that a spec is about. */
const SKIPPED_UP_TO_MS = 200;

/** A manual clock that lets short waits pass by themselves, for specs over the real runner. */
export class SkippingClock extends ManualClock {
  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return ms > 0 && ms <= SKIPPED_UP_TO_MS ? new Promise((resolve) => setImmediate(resolve)) : super.sleep(ms, signal);
  }
}
