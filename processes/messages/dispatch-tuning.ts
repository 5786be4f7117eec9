/** Limits of the dispatch of messages on one node. */
export interface DispatchTuning {
  /**
   * Calls of a carrier that are in flight, or answered and not on record, at the same time: of one that recognizes duplicates,
   * and of any other. So many messages may be dispatched twice, or have an unknown outcome, after a crash.
   */
  readonly calls: { readonly deduplicating: number; readonly other: number };
  /** Messages of a batch whose start is recorded with one append. */
  readonly range: number;
  /** Ranges of one carrier that are being called at the same time; those of marketing at most half of them. */
  readonly ranges: number;
  /** Answers that are recorded with one call. */
  readonly records: number;
}

export const DISPATCH_TUNING: DispatchTuning = { calls: { deduplicating: 128, other: 32 }, range: 100, ranges: 4, records: 64 };
