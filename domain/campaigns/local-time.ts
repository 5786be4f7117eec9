import type { UtcOffsetAt } from '../messages/quiet-hours.js';

const DAY = 86_400_000;

/** The instant at which clocks show a local time; of a skipped one the time as much later, of a repeated one the first. In milliseconds. */
export function instantOf(localMs: number, offsetAt: UtcOffsetAt): number {
  const before = localMs - offsetAt(localMs - DAY);
  if (before + offsetAt(before) === localMs) return before;
  const after = localMs - offsetAt(localMs + DAY);
  return after + offsetAt(after) === localMs ? after : before;
}
