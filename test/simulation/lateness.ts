/** How late something may be that a process does at its time. */
import type { Run } from './run.js';

/** What is being done when it becomes due goes on so long. */
const IN_FLIGHT_MS = 120_000;
/** The lease of a crashed node ends, another node tries to get it, and that one crashes as well. */
const WITHOUT_LEASE_MS = 15 * 60_000;

/** How far two clocks may be apart, in milliseconds. */
export const skewOf = ({ rates }: Run): number => (rates.clockJumpsPerHour > 0 ? 2 * rates.clockJumpMs : 0);

/** How late something may be on a node that nothing disturbs, in milliseconds. */
export const slackOf = (run: Run): number => IN_FLIGHT_MS + skewOf(run);

/**
 * By how many seconds something was late, and null where it was not, or a time without the node that has the lease explains it: after
 * a disturbance, and after the start, when the nodes divide the leases. Times in milliseconds since 1970.
 */
export function latenessOf(run: Run, due: number, at: number): number | null {
  const hasChanged = (since: number): boolean => since > due - WITHOUT_LEASE_MS && since < at;
  const isDisturbed = run.rates.lostLeases > 0 || hasChanged(run.world.startedAt) || run.disturbances.some((one) => hasChanged(one.at));
  return at - due > (isDisturbed ? WITHOUT_LEASE_MS : slackOf(run)) ? Math.round((at - due) / 1_000) : null;
}
