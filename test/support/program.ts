import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const dist = fileURLToPath(new URL('../..', import.meta.url));

/** The built command line, as `npm start` runs it. */
export const PROGRAM = join(dist, 'bin', 'cli.js');
/** The same program in the modules that it is bundled from, which a preloaded file can change. */
export const PROGRAM_IN_MODULES = join(dist, 'ops', 'cli', 'main.js');
