import { systemClock } from '../../ops/clock.js';
import { systemEntropy } from '../../ops/entropy.js';

/** Real time and real chance, for specs to which neither matters. */
export const system = { clock: systemClock, entropy: systemEntropy } as const;
