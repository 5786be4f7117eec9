import { readFileSync } from 'node:fs';

/** Reads the browser client of inboxes, as `scripts/bundle.mjs` has built it: once. */
export function inboxClient(): () => string {
  let client: string | undefined;
  return () => {
    client ??= readFileSync(new URL(import.meta.resolve('#dist/clients/inbox.js')), 'utf8');
    return client;
  };
}
