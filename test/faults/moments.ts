import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { between, pick, type Random } from './random.js';

/** At what a kill aims. Chance alone would seldom hit the short stretches in which something is done but not yet recorded. */
export type Aim = 'any moment' | 'an answer' | 'a hand-over' | 'a webhook' | 'its start';

export interface Signs {
  /** Resolve at the next one. */
  readonly answer: () => Promise<void>;
  readonly webhook: () => Promise<void>;
  readonly handOverLog: string;
}

/** Up to so long the service works between its start and its end. */
const LONGEST_MS = 1_400;
const LOOK_MS = 1;

export const chooseAim = (random: Random): Aim =>
  pick(random, [
    [4, 'any moment'],
    [2, 'an answer'],
    [2, 'a hand-over'],
    [1, 'a webhook'],
    [1, 'its start'],
  ]);

/** Resolves when the moment to kill has come; where what is aimed at does not come, after the longest time. */
export async function moment(aim: Aim, random: Random, { answer, webhook, handOverLog }: Signs): Promise<void> {
  const over = new AbortController();
  const latest = sleep(between(random, aim === 'any moment' ? 0 : LONGEST_MS / 2, LONGEST_MS), undefined, { signal: over.signal }).catch(() => {});
  // A first stretch that passes in any case, so that it is not always the very first answer or hand-over that is hit.
  if (aim !== 'any moment') await sleep(between(random, 0, LONGEST_MS / 2));
  const signs = { 'any moment': () => latest, 'its start': () => latest, 'an answer': answer, 'a webhook': webhook };
  await Promise.race([latest, aim === 'a hand-over' ? grown(handOverLog, over.signal) : signs[aim]()]);
  over.abort();
}

/** Resolves as soon as a file has grown. */
async function grown(file: string, signal: AbortSignal): Promise<void> {
  const size = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  for (const before = size(); size() === before && !signal.aborted; ) await sleep(LOOK_MS);
}
