import { PROCESS_TUNING, type ProcessTuning } from '../../../processes/runtime/tuning.js';
import type { LeaseTiming } from '../../../projections/runtime/leases.js';
import { PROJECTION_TUNING, type ProjectionTuning } from '../../../projections/runtime/tuning.js';
import type { Random } from './random.js';

/** How often nodes without work wake. */
export interface Periods {
  readonly leases: LeaseTiming;
  readonly projections: ProjectionTuning;
  readonly processes: ProcessTuning;
}

/** Longer than in production, so that idle nodes cost little. */
const LONG: Periods = {
  leases: { ttlMs: 180_000, renewMs: 80_000, retryMs: 150_000, countMs: 180_000 },
  projections: { ...PROJECTION_TUNING, checkpointMs: 600_000 },
  processes: { ...PROCESS_TUNING, idleMs: 1_800_000 },
};

/** Nearer to those of production. */
const SHORT: Periods = {
  leases: { ttlMs: 60_000, renewMs: 20_000, retryMs: 15_000, countMs: 30_000 },
  projections: { ...PROJECTION_TUNING, checkpointMs: 5_000 },
  processes: { ...PROCESS_TUNING, idleMs: 60_000 },
};

/** Of one run: one in 25 has short periods, and one in four of the others saves its checkpoints often. */
export function drawPeriods(random: Random): Periods {
  if (random.chance(0.04)) return SHORT;
  return random.chance(0.25) ? { ...LONG, projections: { ...LONG.projections, checkpointMs: 60_000 } } : LONG;
}
