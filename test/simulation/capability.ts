import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Run } from './run.js';

/** Something that a caller does at a random time. The more weight, the more often. */
export interface Action {
  readonly name: string;
  readonly weight: number;
  readonly act: () => Promise<void>;
}

/** What is on record when a run has come to rest. */
export interface Final {
  readonly run: Run;
  /** All events, personal fields sealed, in order of the log. */
  readonly events: readonly LogEvent[];
  readonly byStream: ReadonlyMap<string, readonly LogEvent[]>;
}

/** One capability in one run. */
export interface CapabilityInRun {
  readonly actions: readonly Action[];
  /** What callers do when the traffic is over and no faults happen any more, so that the run can come to rest. */
  settle?(): Promise<void>;
  /** The violated invariants, one text each. */
  check(final: Final): Promise<readonly string[]> | readonly string[];
}

/** A capability: its commands, and the invariants that hold whatever happens. */
export interface Capability {
  readonly name: string;
  begin(run: Run): CapabilityInRun;
}
