import { systemClock } from '../../ops/system/clock.js';
import { systemEntropy } from '../../ops/system/entropy.js';

/** The system clock and entropy, for specs that do not depend on them. */
export const system = { clock: systemClock, entropy: systemEntropy } as const;
