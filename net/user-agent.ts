import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Reads package.json: one folder up from the sources, two from `dist/`. */
function read(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      return (require(path) as { version: string }).version;
    } catch {
      // Try the next folder.
    }
  }
  return '0';
}

/** Of this program. */
export const programVersion = read();
/** The User-Agent header of outgoing requests. */
export const userAgent = `Heliograph/${programVersion}`;
