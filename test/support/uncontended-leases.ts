import { openMemoryViews } from '../../engines/memory/index.js';
import { createClock } from '../../ops/clock.js';
import type { LeaseDependencies } from '../../projections/with-lease.js';
import { system } from './system.js';

/** For a test that runs the only node there is: its leases are nobody else's, whatever the clock of the test does. */
export const uncontendedLeases = (): LeaseDependencies => ({ leases: openMemoryViews(system).leases, clock: createClock() });
