/** What clients have asked of a fake server. */
export interface Counts {
  appends: number;
  /** Reads of one stream, and how many of them found none. */
  streamReads: number;
  missingStreams: number;
  /** Reads of the whole log: forwards, by pages, and backwards, for its end. */
  pageReads: number;
  headReads: number;
  /** Subscriptions to the whole log that began, and those that are open. */
  subscriptions: number;
  openSubscriptions: number;
  /** Events of the whole log that were delivered, by forward reads and subscriptions together. */
  eventsOfLog: number;
}

export const noCounts = (): Counts => ({
  appends: 0,
  streamReads: 0,
  missingStreams: 0,
  pageReads: 0,
  headReads: 0,
  subscriptions: 0,
  openSubscriptions: 0,
  eventsOfLog: 0,
});
