import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads the browser client of inboxes, as `scripts/bundle.mjs` has built it: once. It is beside the folder of this file, in `dist/bin/` too. */
export function inboxClient(): () => string {
  let client: string | undefined;
  return () => {
    client ??= readFileSync(join(import.meta.dirname, '..', 'clients', 'inbox.js'), 'utf8');
    return client;
  };
}
