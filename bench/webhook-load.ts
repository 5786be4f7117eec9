import { setTimeout as pause } from 'node:timers/promises';
import { postBulk } from './bulks.js';
import { type Figure, figure, percentile } from './figures.js';
import { type DataFolder, environmentOf, untilDone } from './folders.js';
import { type Environment, here, type Server, startServer } from './processes.js';
import { sampleMessage } from './samples.js';
import type { Arrival } from './webhook-receivers.js';

/** What the parts about webhooks share. */

/** Receivers in a process of their own. */
export class ReceiverServer {
  readonly arrivals: Arrival[] = [];

  private constructor(
    private readonly server: Server,
    private readonly ports: readonly number[],
  ) {}

  static async start(count: number): Promise<ReceiverServer> {
    const addressIn = (line: string): string => (JSON.parse(line) as { listening: string }).listening;
    const server = await startServer({ args: [here('./webhook-receivers.js'), String(count)], own: {}, addressIn });
    const ports = (await (await fetch(`${server.url}/ports`)).json()) as number[];
    return new ReceiverServer(server, ports);
  }

  url(nth: number, path: string): string {
    return `http://127.0.0.1:${this.ports[nth % this.ports.length]}${path}`;
  }

  /** Waits until `isDone` holds of all that has arrived. */
  async until(isDone: (arrivals: readonly Arrival[]) => boolean): Promise<void> {
    await untilDone(async () => {
      this.arrivals.push(...((await (await fetch(`${this.server.url}/arrivals`)).json()) as Arrival[]));
      return isDone(this.arrivals);
    });
  }

  forget(): void {
    this.arrivals.splice(0);
  }

  kill(): Promise<void> {
    return this.server.kill();
  }
}

export const webhookEnvironment = (folder: DataFolder, own: Environment = {}): Environment => ({
  ...environmentOf(folder),
  HELIOGRAPH_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  ...own,
});

/** A bulk of messages with one webhook each; without it where `urlOf` is null. */
export function bulkWithWebhooks(count: number, urlOf: ((nth: number) => string) | null, from = 0): string {
  const messages = Array.from({ length: count }, (_, n) => ({
    ...sampleMessage(),
    ...(urlOf && { webhook_url: urlOf(from + n), webhook_events: ['message.sent'] }),
  }));
  return JSON.stringify({ messages });
}

const BULKS_PER_SECOND = 10;

/** Sends messages at a steady rate, by ten bulks a second. Returns when the last one is accepted. */
export async function sendSteadily(
  server: Server,
  folder: DataFolder,
  load: { rate: number; total: number; urlOf: (nth: number) => string },
): Promise<void> {
  const size = load.rate / BULKS_PER_SECOND;
  const began = performance.now();
  const sent: Promise<unknown>[] = [];
  for (let n = 0; n * size < load.total; n++) {
    await pause(Math.max(0, began + (n * 1_000) / BULKS_PER_SECOND - performance.now()));
    sent.push(postBulk(server.url, folder.apiKey, bulkWithWebhooks(Math.min(size, load.total - n * size), load.urlOf, n * size)));
  }
  await Promise.all(sent);
}

/** Milliseconds from the event to its first attempt. */
export const lags = (arrivals: readonly Arrival[]): number[] =>
  arrivals.filter(({ attempt }) => attempt === 1).map(({ at, occurredAt }) => at - occurredAt);

export const webhookPercentiles = (name: string, times: readonly number[]): Figure[] =>
  ([50, 95, 99] as const).map((p) => figure(`${name}, p${p}`, percentile(times, p / 100), 'ms'));
