import type { GatherTuning } from '../../log/feed/recent-load.js';

/** Periods and limits of the runner of processes. Times are in milliseconds. */
export interface ProcessTuning {
  /** The longest time between two looks at a list where nothing is due and nothing changes. */
  readonly idleMs: number;
  /**
   * After a change the runner waits for more changes: at least `minMs`, longer where a look takes long, and where many to-dos have
   * started of late and none waits for a place.
   */
  readonly gather: { readonly minMs: number; readonly maxMs: number; readonly load: GatherTuning };
  /**
   * To-dos read at a time; the most that are read ahead, of all accounts; accounts and lanes that one look reads. A read ends
   * after `bytes` of JSON too, and what is read ahead takes at most `aheadBytes`.
   */
  readonly window: {
    readonly size: number;
    readonly ahead: number;
    readonly groups: number;
    readonly lanes: number;
    readonly bytes: number;
    readonly aheadBytes: number;
  };
  /**
   * Work below priority 0 starts more slowly where the list is this much behind its records, and not at all beyond `stopMs`. Long
   * work pauses then, for up to `pauseMs` at a time.
   */
  readonly lag: { readonly slowMs: number; readonly stopMs: number; readonly pauseMs: number };
  /** Delays after a to-do that failed; the last one is repeated until it is parked after `maxAttempts`. */
  readonly retry: { readonly delaysMs: readonly number[]; readonly maxAttempts: number };
  /** Delays after a to-do for which a store was unavailable; the last one is repeated. */
  readonly unavailableDelaysMs: readonly number[];
  /** Delays after a to-do of which nothing could be recorded because the list was behind; the last one is repeated. */
  readonly behindDelaysMs: readonly number[];
  /** An account with this many to-dos that wait after an error starts no other ones of that priority. */
  readonly maxDeferred: number;
  /**
   * After a holder that did not end cleanly, what starts is recorded for `recordMs`. To-dos that may have killed it are tried in
   * this many groups, after a delay and for a time that are multiplied by 4 with each death, up to their limits. One that has
   * killed it alone `deaths` times is parked. Processes that wait for the trial of another one ask again after `turnMs`.
   */
  readonly probe: {
    readonly recordMs: number;
    readonly groups: number;
    readonly delayMs: number;
    readonly maxDelayMs: number;
    readonly observeMs: number;
    readonly maxObserveMs: number;
    readonly deaths: number;
    readonly lockRetryMs: number;
  };
  /** How long a job keeps its place before others have their turn. */
  readonly jobs: { readonly sliceMs: number };
}

export const PROCESS_TUNING: ProcessTuning = {
  idleMs: 2_000,
  gather: { minMs: 3, maxMs: 200, load: { windowMs: 100, free: 8, msPerItem: 0.5, maxMs: 20 } },
  window: { size: 512, ahead: 8_192, groups: 32, lanes: 16, bytes: 8_388_608, aheadBytes: 33_554_432 },
  lag: { slowMs: 50, stopMs: 200, pauseMs: 100 },
  retry: { delaysMs: [200, 1_000, 5_000, 30_000, 300_000], maxAttempts: 20 },
  unavailableDelaysMs: [200, 1_000],
  behindDelaysMs: [200, 1_000, 5_000],
  maxDeferred: 1_000,
  probe: {
    recordMs: 30_000,
    groups: 8,
    delayMs: 250,
    maxDelayMs: 30_000,
    observeMs: 5_000,
    maxObserveMs: 600_000,
    deaths: 3,
    lockRetryMs: 100,
  },
  jobs: { sliceMs: 250 },
};
