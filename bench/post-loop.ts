import http from 'node:http';
import { answerJob } from './job-entry.js';

/** The reference for deliveries: a plain loop of POSTs over `node:http`, without a log, signatures or a guard, in its own process. */
export interface PostJob {
  readonly urls: readonly string[];
  readonly posts: number;
  /** At the same time. */
  readonly concurrency: number;
}

export interface PostRate {
  readonly rate: number;
  /** Microseconds of this process for each POST. */
  readonly cpu: number;
}

const agent = new http.Agent({ keepAlive: true });
const data = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`field_${n}`, 'a text of a usual length, as in a status']));
const body = JSON.stringify({ event: 'message.sent', occurred_at: '2026-01-15T10:30:00.000Z', data });

const post = (url: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => response.resume().on('end', resolve));
    request.on('error', reject);
    request.end(body);
  });

async function run({ urls, posts, concurrency }: PostJob): Promise<PostRate> {
  let next = 0;
  const usage = process.cpuUsage();
  const began = performance.now();
  const worker = async () => {
    while (next < posts) await post(urls[next++ % urls.length] as string);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const { user, system } = process.cpuUsage(usage);
  return { rate: posts / ((performance.now() - began) / 1_000), cpu: (user + system) / posts };
}

answerJob(run);
