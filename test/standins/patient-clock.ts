import { ManualClock } from './clock.js';

/** The runner of processes gathers news for some milliseconds before it looks at its list: nothing that a spec is about. */
const SHORT_MS = 200;

/** A manual clock that lets short waits pass by themselves, for specs over the real runner. */
export class PatientClock extends ManualClock {
  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return ms > 0 && ms <= SHORT_MS ? new Promise((resolve) => setImmediate(resolve)) : super.sleep(ms, signal);
  }
}
