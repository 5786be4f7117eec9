import { randomInt } from 'node:crypto';
import autocannon from 'autocannon';
import { answerJob } from './job-entry.js';
import { sampleContact, sampleMessage } from './samples.js';

/**
 * The load generator: a process of its own, so that its work is not the server's. It takes one job as a message, runs
 * it with autocannon, answers with what it saw, and ends.
 */
export interface LoadJob {
  readonly url: string;
  readonly apiKey: string;
  readonly connections: number;
  readonly seconds: number;
  /** POST this path; or GET one of these paths after the other. */
  readonly post?: string;
  /** What is posted: a message to somebody else each time, unless told; a contact that nobody has; a message to one of these. */
  readonly body?: 'message' | 'contact' | { readonly to: readonly string[]; readonly category: 'marketing' | 'transactional' };
  readonly get?: readonly string[];
}

export interface LoadResult {
  /** Good answers a second. */
  readonly rate: number;
  readonly answers: number;
  readonly seconds: number;
  /** Milliseconds that each answer took. */
  readonly latencies: readonly number[];
  /** Share of a core that the generator itself used: near 1, it and not the server is the limit. */
  readonly generatorCpu: number;
}

/** Bodies made beforehand for each connection. After so many it begins anew with the first. */
const PREPARED = 1_500;

async function run(job: LoadJob): Promise<LoadResult> {
  const headers = { 'x-api-key': job.apiKey, 'content-type': 'application/json' };
  const { post, get = [], body = 'message' } = job;
  const requests = (): autocannon.Request[] =>
    post
      ? Array.from({ length: PREPARED }, () => ({ method: 'POST', path: post, headers, body: JSON.stringify(sampleOf(body)) }))
      : shuffled(get).map((path) => ({ method: 'GET', path, headers }));
  const latencies: number[] = [];
  const began = process.cpuUsage();
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon(
      {
        url: job.url,
        connections: job.connections,
        duration: job.seconds,
        setupClient: (client) => client.setRequests(requests()),
      },
      (error, done) => (error ? reject(error) : resolve(done)),
    );
    instance.on('response', (_client, _status, _bytes, ms) => latencies.push(ms));
  });
  const { user, system } = process.cpuUsage(began);
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
