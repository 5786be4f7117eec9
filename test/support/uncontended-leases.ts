import { openMemoryViews } from '../../engines/memory/index.js';
import { createClock } from '../../ops/system/clock.js';
import type { LeaseDependencies } from '../../projections/runtime/leases.js';
import { system } from './system.js';

/** Leases for a test with a single node, by real time regardless of the clock of the test. */
export const uncontendedLeases = (): LeaseDependencies => ({ leases: openMemoryViews(system).leases, clock: createClock() });
