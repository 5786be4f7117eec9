import { randomInt } from 'node:crypto';
import autocannon from 'autocannon';
import { answerJob } from './job-entry.js';
import { sampleContact, sampleEmail, sampleMessage } from './samples.js';

/**
 * The load generator, in its own process so that it does not use the server's CPU time. It receives one job, runs
 * it with autocannon, answers with the result and exits.
 */
export interface LoadJob {
  readonly url: string;
  readonly apiKey: string;
  readonly connections: number;
  readonly seconds: number;
  /** Requests instead of seconds. */
  readonly amount?: number;
  /** The path of POST requests. Otherwise the paths of `get` are requested in turn. */
  readonly post?: string;
  /** The bodies: messages to random recipients (texts by default), new contacts, or messages to one of these recipients. */
  readonly body?: 'message' | 'email' | 'contact' | { readonly to: readonly string[]; readonly category: 'marketing' | 'transactional' };
  readonly get?: readonly string[];
}

export interface LoadResult {
  /** Successful answers a second. */
  readonly rate: number;
  readonly answers: number;
  readonly seconds: number;
  /** Milliseconds of each answer. */
  readonly latencies: readonly number[];
  /** CPU cores used by the generator: near 1, the generator is the bottleneck. */
  readonly generatorCpu: number;
}

/** Longer than a very busy machine makes a request wait. */
const TIMEOUT_SECONDS = 60;
/** Number of bodies prepared for each connection. They are reused in turn. */
const PREPARED = 1_500;

async function run(job: LoadJob): Promise<LoadResult> {
  const headers = { 'x-api-key': job.apiKey, 'content-type': 'application/json' };
  const { post, get = [], body = 'message' } = job;
  const requests = (): autocannon.Request[] =>
    post
      ? Array.from({ length: PREPARED }, () => ({ method: 'POST', path: post, headers, body: JSON.stringify(sampleOf(body)) }))
      : shuffled(get).map((path) => ({ method: 'GET', path, headers }));
  const latencies: number[] = [];
  const startUsage = process.cpuUsage();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url: job.url,
        connections: job.connections,
        timeout: TIMEOUT_SECONDS,
        ...(job.amount === undefined ? { duration: job.seconds } : { amount: job.amount }),
        setupClient: (client) => client.setRequests(requests()),
      },
      (error, done) => (error ? reject(error) : resolve(done)),
    );
    instance.on('response', (_client, _status, _bytes, ms) => latencies.push(ms));
  });
  const { user, system } = process.cpuUsage(startUsage);
  const bad = result.non2xx + result.errors + result.timeouts;
  if (bad > 0) throw new Error(`${bad} of ${latencies.length} requests failed: ${JSON.stringify(result.statusCodeStats)}`);
  return {
    rate: result['2xx'] / result.duration,
    answers: result['2xx'],
    seconds: result.duration,
    latencies,
    generatorCpu: (user + system) / 1e6 / result.duration,
  };
}

function sampleOf(body: NonNullable<LoadJob['body']>): object {
  if (body === 'message') return sampleMessage();
  if (body === 'email') return sampleEmail();
  if (body === 'contact') return sampleContact();
  return { ...sampleMessage(), to: body.to[randomInt(0, body.to.length)], category: body.category };
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

answerJob(run);
