import { setTimeout as sleep } from 'node:timers/promises';
import { answerJob } from './job-entry.js';
import { sampleMessage } from './samples.js';

/** Requests at a steady rate, whether or not the ones before are answered; in a process of its own. */
export interface SteadyJob {
  readonly url: string;
  readonly apiKey: string;
  readonly perSecond: number;
  readonly seconds: number;
}

export interface SteadyResult {
  /** Milliseconds of each answer, from the time at which its request was due. */
  readonly sends: readonly number[];
  readonly pages: readonly number[];
}

/** Sends, and pages of the history, in turn. */
async function run({ url, apiKey, perSecond, seconds }: SteadyJob): Promise<SteadyResult> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const sends: number[] = [];
  const pages: number[] = [];
  const open: Promise<void>[] = [];
  const began = performance.now();
  const request = async (due: number, times: number[], expected: number, path: string, init: RequestInit): Promise<void> => {
    const answer = await fetch(url + path, { headers, ...init });
    await answer.arrayBuffer();
    if (answer.status !== expected) throw new Error(`${path} was answered with ${answer.status}`);
    times.push(performance.now() - due);
  };
  for (let n = 0; n < perSecond * seconds; n++) {
    const due = began + (n * 1_000) / perSecond;
    const early = due - performance.now();
    if (early > 0) await sleep(early);
    open.push(
      n % 2 === 0
        ? request(due, sends, 202, '/v1/messages/send', { method: 'POST', body: JSON.stringify(sampleMessage()) })
        : request(due, pages, 200, '/v1/messages?limit=10', {}),
    );
  }
  await Promise.all(open);
  return { sends, pages };
}

answerJob(run);
