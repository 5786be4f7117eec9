import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { TIMEOUT_FACTOR } from '../support/eventually.js';
import { between, pick, type Random } from './random.js';

/** The target of a kill. Random times would seldom hit the short intervals between an action and its record. */
export type Aim = 'any moment' | 'an answer' | 'a hand-over' | 'a webhook' | 'a start';

export interface Signals {
  /** Resolves at the next one. */
  readonly answer: () => Promise<void>;
  readonly webhook: () => Promise<void>;
  readonly dispatchLogFile: string;
}

/** The longest time between a start and a kill. */
const LONGEST_MS = 1_400 * TIMEOUT_FACTOR;
const POLL_MS = 1;

export const chooseAim = (random: Random): Aim =>
  pick(random, [
    [4, 'any moment'],
    [2, 'an answer'],
    [2, 'a hand-over'],
    [1, 'a webhook'],
    [1, 'a start'],
  ]);

/** Resolves at the moment of the kill: at the next target, at the latest after `LONGEST_MS`. */
export async function moment(aim: Aim, random: Random, { answer, webhook, dispatchLogFile }: Signals): Promise<void> {
  const over = new AbortController();
  const latest = sleep(between(random, aim === 'any moment' ? 0 : LONGEST_MS / 2, LONGEST_MS), undefined, { signal: over.signal }).catch(() => {});
  // A random delay, so that the target is not always the first answer or dispatch.
  if (aim !== 'any moment') await sleep(between(random, 0, LONGEST_MS / 2));
  const signals = { 'any moment': () => latest, 'a start': () => latest, 'an answer': answer, 'a webhook': webhook };
  await Promise.race([latest, aim === 'a hand-over' ? grown(dispatchLogFile, over.signal) : signals[aim]()]);
  over.abort();
}

/** Resolves as soon as the file has grown. */
async function grown(file: string, signal: AbortSignal): Promise<void> {
  const size = () => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  for (const before = size(); size() === before && !signal.aborted; ) await sleep(POLL_MS);
}
