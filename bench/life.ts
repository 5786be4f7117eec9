import { setTimeout as sleep } from 'node:timers/promises';
import { bulkBody, postBulk } from './bulks.js';
import { bytesOnDisk } from './disk.js';
import { type EchoPrice, echoPrice } from './echo-price.js';
import { figure, medianOf } from './figures.js';
import { type DataFolder, environmentOf, get, newFolder, untilDone, waitUntilNoneIs } from './folders.js';
import type { LoadJob, LoadResult } from './load.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { runJob, type Server, startService } from './processes.js';
import { sampleMessage } from './samples.js';

const CONNECTIONS = 64;
const PAGE_CONNECTIONS = 4;
const ROWS = 50;
const IDLE_MS = 10_000;
/** Looks cost the service CPU too, so they are few. */
const POLL_MS = 250;
/** Together 30,000 messages. Less of a warm-up would count the compilation of code: up to 700 µs a message. */
const FULL = { warmUp: 3_000, rounds: 3, singles: 4_000, bulk: 4_000, pages: 1_000, restMs: 60_000 };
const QUICK = { warmUp: 2_500, rounds: 1, singles: 2_500, bulk: 2_500, pages: 400, restMs: 20_000 };

/** The CPU of all threads for messages from the request until the history shows them as delivered, and what is left afterwards. */
export const lifePart: PartDefinition = { title: 'whole life of messages, a page of the history, and the memory that stays', measure };

async function measure({ quick, parent, say }: BenchContext): Promise<Measurement> {
  const { warmUp, rounds, singles, bulk, pages, restMs } = quick ? QUICK : FULL;
  const folder = await newFolder(parent);
  const bytesBefore = bytesOnDisk(folder);
  const echo = await echoPrice();
  const service = await startService(environmentOf(folder));
  const started = service.memory().now;
  const life = new Life(service, folder);
  const taken = { single: [] as number[], bulk: [] as number[], page: [] as number[] };
  try {
    await life.singles(warmUp);
    await life.bulk(warmUp);
    await life.pages(pages);
    for (let round = 1; round <= rounds; round++) {
      taken.single.push(await beside(echo, () => life.singles(singles)));
      taken.bulk.push(await beside(echo, () => life.bulk(bulk)));
      taken.page.push(await beside(echo, () => life.pages(pages)));
      const [single, ofBulk, page] = [taken.single, taken.bulk, taken.page].map((all) => Math.round(all.at(-1) as number));
      say(`  round ${round}: single ${single} µs, bulk ${ofBulk} µs, page ${page} µs, echo ${Math.round(echo.reference.value)} µs`);
    }
    await sleep(restMs - IDLE_MS);
    const from = service.cpuMs();
    await sleep(IDLE_MS);
    const idle = (service.cpuMs() - from) / IDLE_MS;
    const { now, peak } = service.memory();
    await service.stop();
    const count = 2 * warmUp + rounds * (singles + bulk);
    const { reference } = echo;
    const echoes = (is: number) => ({ reference, bound: { of: 'ratio', at: 'most', is } as const });
    return {
      dataset: `${count.toLocaleString('en-US')} messages, all roles, sandbox with receipts; of them ${(2 * warmUp).toLocaleString('en-US')} to warm up; medians of ${rounds} rounds; at rest: ${restMs / 1_000} s later`,
      figures: [
        figure('single message, whole life', medianOf(taken.single), 'µs', echoes(12)),
        figure('bulk message, whole life', medianOf(taken.bulk), 'µs', echoes(9)),
        figure(`history page of ${ROWS}`, medianOf(taken.page), 'µs', echoes(40)),
        figure('memory after the start', started, 'MB'),
        figure('memory under load, peak', peak, 'MB'),
        figure('memory at rest after the load', now, 'MB', { bound: { of: 'value', at: 'most', is: 350 } }),
        figure('CPU at rest after the load', 100 * idle, '% of a core', { bound: { of: 'value', at: 'most', is: 1 } }),
        figure('disk a message', (bytesOnDisk(folder) - bytesBefore) / count, 'B', { bound: { of: 'value', at: 'most', is: 4_096 } }),
      ],
    };
  } finally {
    await Promise.all([service.kill(), echo.end()]);
  }
}

/** A measurement with an echo before and after it. */
async function beside(echo: EchoPrice, work: () => Promise<number>): Promise<number> {
  await echo.again();
  const price = await work();
  await echo.again();
  return price;
}

/** Each method returns the CPU of the service for one of what it does, in microseconds. */
class Life {
  constructor(
    private readonly service: Server,
    private readonly folder: DataFolder,
  ) {}

  singles(count: number): Promise<number> {
    return this.#cpuOf(count, async () => {
      await this.#load({ connections: CONNECTIONS, amount: count - 1, post: '/v1/messages/send' });
      await this.#untilAllAreDelivered();
    });
  }

  bulk(count: number): Promise<number> {
    const body = bulkBody(count - 1);
    return this.#cpuOf(count, async () => {
      await postBulk(this.service.url, this.folder.apiKey, body);
      await this.#untilAllAreDelivered();
    });
  }

  pages(count: number): Promise<number> {
    return this.#cpuOf(count, () => this.#load({ connections: PAGE_CONNECTIONS, amount: count, get: [`/v1/messages?limit=${ROWS}`] }));
  }

  async #cpuOf(count: number, work: () => Promise<void>): Promise<number> {
    const from = this.service.cpuMs();
    await work();
    return (1_000 * (this.service.cpuMs() - from)) / count;
  }

  async #load(job: Pick<LoadJob, 'connections' | 'amount' | 'post' | 'get'>): Promise<void> {
    await runJob<LoadJob, LoadResult>('./load.js', { url: this.service.url, apiKey: this.folder.apiKey, seconds: 1, ...job });
  }

  /** Sends one more: once the history has it, it has all before it. */
  async #untilAllAreDelivered(): Promise<void> {
    const { url } = this.service;
    const { apiKey } = this.folder;
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/v1/messages/send`, { method: 'POST', headers, body: JSON.stringify(sampleMessage()) });
    const { id } = (await answer.json()) as { id: string };
    await untilDone(async () => (await get<{ data: { id: string }[] }>(url, apiKey, '/v1/messages?limit=1')).data[0]?.id === id, POLL_MS);
    await waitUntilNoneIs(['queued', 'sending', 'sent'], url, apiKey, POLL_MS);
  }
}
