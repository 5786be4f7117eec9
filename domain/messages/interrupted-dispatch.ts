/** What is known of the messages whose dispatch was started by an earlier holder of the lease, which has ended. */
import { coversIndex, type StartedRange } from './batch-dispatch.js';

/** Indexes of messages without a record, in ascending order. */
export interface InterruptedDispatch {
  /** The carrier may have been called; nobody knows its answer. */
  readonly unknown: readonly number[];
  /** The carrier was not called. */
  readonly uncalled: readonly number[];
}

/**
 * Divides the messages of one group that are started and not recorded. The calls of an epoch are made in the order of their
 * ranges and indexes, and at most `window` messages are called and not recorded at a time. So of those that are not recorded,
 * only the first `window` can have been called. What a later epoch has not started again was unknown to it; what it repeats is
 * unknown even where the repeat was not called.
 */
export function interruptedDispatch(ranges: readonly StartedRange[], isRecorded: (index: number) => boolean): InterruptedDispatch {
  const last = ranges.at(-1);
  if (!last) return { unknown: [], uncalled: [] };
  const ofLastEpoch = ranges.filter(({ epoch }) => epoch === last.epoch);
  const open = [...new Set(ofLastEpoch.flatMap(indexesOf))].filter((index) => !isRecorded(index));
  const repeats = new Set(ofLastEpoch.flatMap((range) => range.repeats));
  const uncalled = open.slice(last.window).filter((index) => !repeats.has(index));
  const known = new Set(uncalled);
  const started = new Set(ranges.flatMap(indexesOf));
  const unknown = [...started].filter((index) => !isRecorded(index) && !known.has(index));
  return { unknown: ascending(unknown), uncalled: ascending(uncalled) };
}

/** The indexes of a range, in the order of their calls. */
export const indexesOf = (range: StartedRange): number[] =>
  Array.from({ length: range.count }, (_, i) => range.from + i).filter((index) => coversIndex(range, index));

const ascending = (indexes: readonly number[]): number[] => [...indexes].sort((a, b) => a - b);
