import type { GatherTuning } from './recent-load.js';

/** Periods and limits of a feed. Times are in milliseconds, sizes in bytes of memory (see `bytesInMemory`). */
export interface FeedTuning {
  /** The most that a consumer gets at once: where it is behind, and near the end of the log, where others must not wait for it. */
  readonly page: { readonly events: number; readonly liveEvents: number; readonly bytes: number };
  /** What a reader keeps for consumers that are behind; what it reads ahead of the fastest one; what it keeps once all have it. */
  readonly keptBytes: number;
  readonly aheadBytes: number;
  readonly restBytes: number;
  /** Where many events have come of late, a reader that has reached the end of the log waits for more before it reads on. */
  readonly linger: GatherTuning;
  /** After a page of many events a consumer that asks for it waits, in proportion to their number: then one commit covers more events. */
  readonly gather: { readonly msPerEvent: number; readonly maxMs: number };
  /** How long a new reader waits for consumers that are expected, so that it begins at the lowest of their positions. */
  readonly startMs: number;
  /** How long a consumer waits for a reader that comes from behind, before another one begins at its position. */
  readonly joinMs: number;
  /** How long a reader that is behind waits for a consumer that has not taken a page. */
  readonly patienceMs: number;
  /** How long a reader without consumers stays. */
  readonly unusedMs: number;
}

export const FEED_TUNING: FeedTuning = {
  page: { events: 8_000, liveEvents: 2_000, bytes: 16_777_216 },
  keptBytes: 67_108_864,
  aheadBytes: 16_777_216,
  restBytes: 4_194_304,
  linger: { windowMs: 100, free: 8, msPerItem: 0.5, maxMs: 20 },
  gather: { msPerEvent: 0.25, maxMs: 100 },
  startMs: 300,
  joinMs: 500,
  patienceMs: 10_000,
  unusedMs: 5_000,
};
