import { samplePurchases } from '../domain/scores/sample-purchases.js';
import { type Bound, type Figure, figure, percentile } from './figures.js';
import { type DataFolder, environmentOf, get, newFolder, untilDone } from './folders.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { runJob, type Server, startService } from './processes.js';
import type { FitJob, FitResult } from './scores-fit.js';
import type { NightJob } from './scores-job.js';
import type { SteadyJob, SteadyResult } from './steady-requests.js';

/** As many as the published data have. */
const FITTED = 23_570;
const SCORED = 1_000_000;
const BUYERS = 25_000;
const ALL_BUYERS = 100_000;
const BATCH = 1_000;
const PER_SECOND = 50;
const atMost = (is: number): Bound => ({ of: 'value', at: 'most', is });

/** Predictive scores: the fit, requests beside it, and the memory of the nightly scoring. */
export const scores: PartDefinition = { title: 'scores: fits, requests beside them, nightly scoring', measure };

async function measure({ quick, parent, say }: BenchContext): Promise<Measurement> {
  const { modelMs, accountMs, scoringMs } = await runJob<FitJob, FitResult>('./scores-fit.js', { buyers: FITTED, contacts: SCORED });
  say(`  ${FITTED} buyers: CPU of the model ${Math.round(modelMs)} ms, with back-tests ${Math.round(accountMs)} ms`);
  const folder = await newFolder(parent);
  const service = await startService(environmentOf(folder));
  try {
    const parts = { service, folder, say };
    await load(parts, 0, BUYERS);
    const beside = await besideFit(parts, quick ? 10 : 30);
    const nights = [await night(parts, BUYERS)];
    if (!quick) {
      await load(parts, BUYERS, ALL_BUYERS);
      await refit(parts);
      nights.push(await night(parts, ALL_BUYERS));
    }
    return {
      dataset: `simulated buyers with the published parameters over a year; ${PER_SECOND} sends and pages of the history a second beside the fit; all roles`,
      figures: [
        figure(`CPU of the fit of the model, ${FITTED} buyers`, modelMs / 1_000, 's'),
        figure(`CPU of the fit with all back-tests, ${FITTED} buyers`, accountMs / 1_000, 's', { bound: atMost(10) }),
        figure(`CPU of the numbers of ${SCORED} contacts`, scoringMs / 1_000, 's', { bound: atMost(2) }),
        ...beside,
        ...nights.flat(),
      ],
    };
  } finally {
    await service.kill();
  }
}

interface Of {
  readonly service: Server;
  readonly folder: DataFolder;
  readonly say: BenchContext['say'];
}

async function post<Body>({ service, folder }: Of, path: string, body: object = {}): Promise<Body> {
  const headers = { 'x-api-key': folder.apiKey, 'content-type': 'application/json' };
  const answer = await fetch(`${service.url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Body;
}

/** Records the purchases of the buyers with these numbers. */
async function load(of: Of, from: number, to: number): Promise<void> {
  const all = samplePurchases({ count: to, seed: 1, days: 365, now: Date.now() });
  const events = all.filter(({ contact: { email } }) => Number(/\d+/.exec(email)?.[0]) > from);
  for (let at = 0; at < events.length; at += BATCH) await post(of, '/events/batch', { events: events.slice(at, at + BATCH) });
  of.say(`  ${events.length} purchases of ${to - from} buyers recorded, ${Math.round(of.service.memory().now)} MB`);
}

async function ended({ service, folder }: Of, id: string): Promise<void> {
  await untilDone(async () => {
    const { status } = await get<{ status: string }>(service.url, folder.apiKey, `/v1/jobs/${id}`);
    if (status === 'failed' || status === 'canceled') throw new Error(`the job is ${status}`);
    return status === 'completed';
  });
}

async function refit(of: Of): Promise<number> {
  const from = performance.now();
  await ended(of, (await post<{ id: string }>(of, '/scores/refit')).id);
  return performance.now() - from;
}

/** Requests at rest, and beside fits that follow each other. */
async function besideFit(of: Of, seconds: number): Promise<Figure[]> {
  const { service, folder, say } = of;
  const steady = async (length: number): Promise<number[]> => {
    const asked = { url: service.url, apiKey: folder.apiKey, perSecond: PER_SECOND, seconds: length };
    const { sends, pages } = await runJob<SteadyJob, SteadyResult>('./steady-requests.js', asked);
    return [...sends, ...pages];
  };
  await steady(3);
  const rest = await steady(seconds);
  const beside: number[] = [];
  const fits: number[] = [];
  let isOver = false;
  const fitting = (async () => {
    for (let n = 0; n < 2; n++) fits.push(await refit(of));
    isOver = true;
  })();
  while (!isOver) beside.push(...(await steady(5)));
  await fitting;
  say(`  fits with scoring of all: ${fits.map((ms) => `${Math.round(ms / 1_000)} s`).join(', ')}`);
  return [
    figure('request at rest, p99', percentile(rest, 0.99), 'ms'),
    figure(`request beside a fit of ${BUYERS} buyers, p99`, percentile(beside, 0.99), 'ms', { bound: atMost(50) }),
    figure(`fit and first scoring of ${BUYERS} buyers`, Math.max(...fits) / 1_000, 's'),
  ];
}

/** The job of every night, with the memory before and at its most. */
async function night(of: Of, buyers: number): Promise<Figure[]> {
  const { service, folder } = of;
  const before = service.memory().now;
  const from = performance.now();
  const id = await runJob<NightJob, string>('./scores-job.js', { dir: folder.dir, account: folder.account });
  let most = before;
  const watching = setInterval(() => {
    most = Math.max(most, service.memory().now);
  }, 100);
  try {
    await ended(of, id);
  } finally {
    clearInterval(watching);
  }
  const seconds = (performance.now() - from) / 1_000;
  return [
    figure(`nightly scoring of ${buyers} buyers`, seconds, 's'),
    figure(`memory before the nightly scoring of ${buyers} buyers`, before, 'MB'),
    figure(`most memory during it`, most, 'MB'),
  ];
}
