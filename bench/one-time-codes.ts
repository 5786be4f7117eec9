import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bulkBody, postBulk } from './bulks.js';
import { type Bound, type Figure, figure, percentile } from './figures.js';
import { type DataFolder, environmentOf, newFolder } from './folders.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { commandLine, type Server, startService } from './processes.js';
import { sampleMessage } from './samples.js';

const BULK = 10_000;
const BOUND: Bound = { of: 'value', at: 'most', is: 500 };
/** Between two sends of one account. */
const PAUSE_MS = 20;
/** How often the dispatches are read: the accuracy of the times. */
const POLL_MS = 2;

/** Single messages of two accounts while one of them has many others waiting. */
export const oneTimeCodes: PartDefinition = { title: 'hand-over of a single message beside a backlog of bulks', measure };

async function measure(context: BenchContext): Promise<Measurement> {
  const measured: Measurement[] = [];
  for (const category of ['transactional', 'marketing'] as const) measured.push(await beside(category, context));
  return { dataset: measured[0]?.dataset ?? '', figures: measured.flatMap(({ figures }) => figures) };
}

/** Sends of both accounts beside bulks of one category. */
async function beside(category: 'transactional' | 'marketing', { quick, messages, parent, say }: BenchContext): Promise<Measurement> {
  const bulks = Math.max(1, Math.round(Math.min(messages, 200_000) / BULK));
  const sends = quick ? 200 : 1_000;
  const folder = await newFolder(parent);
  const dispatchLogFile = join(folder.dir, 'hand-overs.log');
  const own = { ...environmentOf(folder), HELIOGRAPH_SANDBOX_LOG: dispatchLogFile };
  const other = await commandLine<{ api_key: string }>(
    own,
    ...['account', 'create', '--name', 'Other', '--email', 'other@example.com', '--password', 'only for this run'],
  );
  const service = await startService(own);
  const dispatchLog = new DispatchLog(dispatchLogFile);
  try {
    const backlog = (async () => {
      for (let n = 0; n < bulks; n++) await postBulk(service.url, folder.apiKey, bulkBody(BULK, category));
      say(`  ${bulks} ${category} bulks accepted, ${dispatchLog.count} messages handed over`);
    })();
    const [same, another] = await Promise.all([folder.apiKey, other.api_key].map((key) => codes(service, key, sends, dispatchLog)));
    await backlog;
    const waiting = bulks * BULK - dispatchLog.count;
    say(`  at the end of the sends ${Math.max(0, waiting)} messages of the bulks were waiting`);
    return {
      dataset: `${sends} sends of each account, one every ${PAUSE_MS} ms, during and after ${bulks} bulks of ${BULK.toLocaleString('en-US')} of one category, from the request to the carrier`,
      figures: [
        ...codePercentiles(`of the account with ${category} bulks`, same ?? []),
        ...codePercentiles(`of another account beside ${category} bulks`, another ?? []),
      ],
    };
  } finally {
    dispatchLog.close();
    await service.kill();
  }
}

/** Of times from the request to the carrier, with the bound of the service. */
export const codePercentiles = (name: string, times: readonly number[]): Figure[] => [
  figure(`single message ${name}, p50`, percentile(times, 0.5), 'ms'),
  figure(`single message ${name}, p99`, percentile(times, 0.99), 'ms', { bound: BOUND }),
];

/** Milliseconds from each request until the carrier has the message. */
export async function codes({ url }: Server, apiKey: DataFolder['apiKey'], sends: number, dispatchLog: DispatchLog): Promise<number[]> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const times: Promise<number>[] = [];
  for (let n = 0; n < sends; n++) {
    const began = performance.now();
    const sent = fetch(`${url}/v1/messages/send`, { method: 'POST', headers, body: JSON.stringify(sampleMessage()) });
    times.push(
      sent.then(async (answer) => {
        if (answer.status !== 202) throw new Error(`a send was answered with ${answer.status}`);
        const { id } = (await answer.json()) as { id: string };
        return (await dispatchLog.of(id)) - began;
      }),
    );
    await sleep(PAUSE_MS);
  }
  return Promise.all(times);
}

/** Reads the sandbox's file of dispatches as it grows. */
export class DispatchLog {
  readonly #times = new Map<string, number>();
  readonly #waiting = new Map<string, (at: number) => void>();
  readonly #file: number;
  readonly #timer: NodeJS.Timeout;
  #rest = '';

  constructor(file: string) {
    this.#file = openSync(file, 'a+');
    this.#timer = setInterval(() => this.#read(), POLL_MS);
  }

  get count(): number {
    return this.#times.size;
  }

  /** Resolves with the time of the dispatch, by `performance.now()`. */
  of(id: string): Promise<number> {
    const at = this.#times.get(id);
    return at === undefined ? new Promise((resolve) => this.#waiting.set(id, resolve)) : Promise.resolve(at);
  }

  close(): void {
    clearInterval(this.#timer);
    closeSync(this.#file);
  }

  #read(): void {
    const buffer = Buffer.allocUnsafe(1 << 20);
    const length = readSync(this.#file, buffer);
    const lines = (this.#rest + buffer.toString('latin1', 0, length)).split('\n');
    this.#rest = lines.pop() ?? '';
    const now = performance.now();
    for (const line of lines) {
      const [id = ''] = line.split(' ');
      this.#times.set(id, now);
      this.#waiting.get(id)?.(now);
      this.#waiting.delete(id);
    }
  }
}
