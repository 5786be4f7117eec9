import { FEED_TUNING, type FeedTuning } from '../../log/feed/tuning.js';

/** Periods of the runner of projections, in milliseconds. */
export interface ProjectionTuning {
  /** Delay before a retry, and between polls of a halted projection. */
  readonly retryMs: number;
  /** Pages without events of a projection are skipped; its checkpoint is then saved after this time. */
  readonly checkpointMs: number;
  /** Of the feed, where the projections have one of their own. */
  readonly feed: FeedTuning;
}

export const PROJECTION_TUNING: ProjectionTuning = { retryMs: 1_000, checkpointMs: 500, feed: FEED_TUNING };
