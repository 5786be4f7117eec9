import { readFileSync } from 'node:fs';

/** Reads the browser client of inboxes, as `scripts/bundle.mjs` has built it: once. It is beside the folder of this file, in `dist/bin/` too. */
export function inboxClient(): () => string {
  let client: string | undefined;
  return () => {
    client ??= readFileSync(new URL('../clients/inbox.js', import.meta.url), 'utf8');
    return client;
  };
}
