/**
 * `npm run fuzz` sends generated requests to all operations of the OpenAPI document, and to what is beside it, over the real service
 * with a data folder of its own. No answer may be a 5xx, take longer than 5 s, or be an error of another form than the documented one.
 *
 *   npm run fuzz                                  5,000 requests from a new seed
 *   npm run fuzz -- --seed 7 --count 33600        those of a seed; ids and keys are new ones in every run
 *
 * A failure is printed as a command of curl, with the seed. Exit code 1 if there is any. TEST_TIMEOUT_FACTOR multiplies the 5 s.
 */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { TIMEOUT_FACTOR } from '../../support/eventually.js';
import { Service } from '../../support/service.js';
import { curlOf } from './curl.js';
import { expectUnharmed, fuzzSettings, judge, known, operationsOfService, type Tally, tallyText } from './fuzz.js';
import { bytesOf, type FuzzRequest, fuzzRequests, type Operation } from './requests.js';
import { exchange } from './wire.js';

/** Requests to one account. The next ones have a new account, since those before have deleted much of it. */
const PER_ACCOUNT = 1_000;
const CONCURRENCY = 10;
const MAX_MS = 5_000 * TIMEOUT_FACTOR;
/** More failures are counted, but not shown. */
const MAX_SHOWN = 20;

const { values } = parseArgs({ options: { seed: { type: 'string' }, count: { type: 'string' } } });
const count = numberOf(values.count, 5_000);
const seed = numberOf(values.seed, Math.floor(Math.random() * 2 ** 31));

const tally: Tally = new Map();
/** Operations that have answered a request with a 2xx. */
const reached = new Set<string>();
let failures = 0;
let sent = 0;
let slowest = 0;

const service = await Service.start(fuzzSettings);
try {
  const operations = await operationsOfService(service);
  console.log(`seed ${seed}: ${count.toLocaleString('en')} requests to ${operations.length} operations`);
  for (let round = 0; sent < count; round++) {
    await fuzzAccount(operations, round);
    if (process.stderr.isTTY) process.stderr.write(`\r${sent.toLocaleString('en')} sent`);
  }
  await expectUnharmed(service).catch((error: Error) => fail(`afterwards: ${error.message}`));
  const summary = `${sent.toLocaleString('en')} requests, ${failures} failed, the slowest took ${Math.round(slowest)} ms; ${reached.size} of ${operations.length} operations answered a 2xx; ${tallyText(tally)}; seed ${seed}`;
  console.log(summary);
} finally {
  await service.close();
}
process.exit(failures === 0 ? 0 : 1);

/** One account and its requests, of which some are always under way. */
async function fuzzAccount(operations: readonly Operation[], round: number): Promise<void> {
  service.account = await service.createAccount(`fuzz${round}@example.com`);
  const numRuns = Math.min(PER_ACCOUNT, count - sent);
  const requests = fc.sample(fuzzRequests(operations, await known(service)), { seed: seed + round, numRuns }).values();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const request of requests) await fire(request);
    }),
  );
}

async function fire(request: FuzzRequest): Promise<void> {
  sent++;
  const startedAt = performance.now();
  try {
    const { bytes, half } = bytesOf(request);
    const answered = await exchange(service.url, bytes, half);
    const ms = performance.now() - startedAt;
    slowest = Math.max(slowest, ms);
    const status = answered?.status ?? 0;
    tally.set(status, (tally.get(status) ?? 0) + 1);
    if (request.operation !== null && status >= 200 && status < 300) reached.add(request.operation);
    judge(service, request, answered);
    if (ms > MAX_MS) throw new Error(`the answer took ${Math.round(ms)} ms`);
  } catch (error) {
    fail((error as Error).message, request);
  }
  if (!service.running) throw new Error(`the service has ended, at request ${sent} of seed ${seed}`);
}

function fail(message: string, request?: FuzzRequest): void {
  failures++;
  if (failures > MAX_SHOWN) return;
  console.log(`\n✗ seed ${seed}: ${message.slice(0, 1_000)}`);
  if (request) console.log(`  ${curlOf(service.url, request, join(tmpdir(), `heliograph-fuzz-${seed}-${failures}.bin`))}`);
}

function numberOf(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  console.error(`'${text}' is no number. Use npm run fuzz -- --seed 7 --count 33600`);
  process.exit(2);
}
