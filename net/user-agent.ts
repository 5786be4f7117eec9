import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The package's own description: one folder up in the sources' place, two from `dist/`. */
function read(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      return (require(path) as { version: string }).version;
    } catch {
      // Not there: the next place.
    }
  }
  return '0';
}

/** Of this program. */
export const version = read();
/** How we name ourselves to others. */
export const userAgent = `Heliograph/${version}`;
