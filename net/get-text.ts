import https from 'node:https';
import type { Clock } from '../domain/kernel/clock.js';
import { checkUrl, guardedLookup, type ResolveHost } from './guard.js';

export interface GetTextOptions {
  readonly clock: Pick<Clock, 'timer'>;
  /** Replaces the resolver of names, for tests. */
  readonly resolve?: ResolveHost;
}

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 65_536;

/**
 * One GET over https, of a public address only. Redirects are not followed. Rejects without a complete answer of status 200 within
 * 5 seconds and 64 kB.
 */
export function getText(url: string, { clock, resolve }: GetTextOptions): Promise<string> {
  const problem = checkUrl(url, []);
  if (problem) return Promise.reject(new Error(problem.message));
  return new Promise((done, fail) => {
    const request = https.get(url, { agent: false, lookup: guardedLookup([], resolve) }, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      if (response.statusCode !== 200) request.destroy(new Error(`The answer has the status ${response.statusCode}.`));
      response.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_BYTES) request.destroy(new Error('The answer is too long.'));
        else chunks.push(chunk);
      });
      response.on('error', fail);
      response.on('end', () => done(Buffer.concat(chunks).toString('utf8')));
    });
    const timer = clock.timer(TIMEOUT_MS, () => request.destroy(new Error('There was no complete answer in time.')));
    request.on('error', fail);
    request.on('close', () => timer.cancel());
  });
}
