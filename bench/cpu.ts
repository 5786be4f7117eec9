import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../engines/sqlite/driver.js';
import { bulkBody, postBulk } from './bulks.js';
import { figure } from './figures.js';
import { copyOf, type DataFolder, environmentOf, newFolder, untilDone, waitUntilDelivered } from './folders.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { type Server, startService } from './processes.js';

const BULK = 10_000;
const IDLE_MS = 10_000;
const REST_MS = 15_000;
/** Polls cost the process CPU too, so they are few. */
const POLL_MS = 1_000;

/** CPU time of the whole process (user and system, all threads), memory at rest and disk, by message. */
export const cpu: PartDefinition = { title: 'CPU a message: accepted, handed over, delivered, in the history', measure };

async function measure({ quick, parent, say }: BenchContext): Promise<Measurement> {
  const bulks = quick ? 1 : 2;
  const folder = await newFolder(parent);
  const accept = await acceptAlone(copyOf(folder, parent), bulks);
  const service = await startService(environmentOf(folder));
  try {
    await deliver(service, folder, [2_000]);
    const before = bytesOf(folder);
    const whole = await deliver(service, folder, Array<number>(bulks).fill(BULK));
    await pause(REST_MS);
    const { now } = service.memory();
    const idleFrom = service.cpuMs();
    await pause(IDLE_MS);
    const idle = (service.cpuMs() - idleFrom) / IDLE_MS;
    await service.stop();
    const after = bytesOf(folder);
    const perMessage = (part: 'log' | 'views' | 'keys') => (after[part] - before[part]) / (bulks * BULK);
    say(`  ${Math.round(whole)} µs a message, of them ${Math.round(accept)} µs to accept; idle ${(100 * idle).toFixed(2)} % of a core`);
    const count = (bulks * BULK).toLocaleString('en-US');
    return {
      dataset: `${count} messages in ${bulks} bulks of ${BULK.toLocaleString('en-US')}, all roles, after a warm-up of 2,000; disk after a stop; at rest: ${REST_MS / 1_000} s after the last delivery; idle over ${IDLE_MS / 1_000} s`,
      figures: [
        figure('CPU, whole life', whole, 'µs', { bound: { of: 'value', at: 'most', is: 450 } }),
        figure('CPU, bulk’s own accept (HELIOGRAPH_ROLES=api)', accept, 'µs', { bound: { of: 'value', at: 'most', is: 90 } }),
        figure('CPU at rest after the load', 100 * idle, '% of a core', { bound: { of: 'value', at: 'most', is: 1 } }),
        figure('memory at rest after the load', now, 'MB', { bound: { of: 'value', at: 'most', is: 350 } }),
        figure('disk, log', perMessage('log'), 'B'),
        figure('disk, read models and to-do lists', perMessage('views'), 'B'),
        figure('disk, keys', perMessage('keys'), 'B'),
        figure('disk, all', perMessage('log') + perMessage('views') + perMessage('keys'), 'B', { bound: { of: 'value', at: 'most', is: 4_096 } }),
      ],
    };
  } finally {
    await service.kill();
  }
}

/** Microseconds of CPU a message, to accept bulks and do nothing else. */
async function acceptAlone(folder: DataFolder, bulks: number): Promise<number> {
  const service = await startService(environmentOf(folder, 'api'));
  try {
    await postBulk(service.url, folder.apiKey, bulkBody(2_000));
    const bodies = Array.from({ length: bulks }, () => bulkBody(BULK));
    const from = service.cpuMs();
    for (const body of bodies) await postBulk(service.url, folder.apiKey, body);
    return (1_000 * (service.cpuMs() - from)) / (bulks * BULK);
  } finally {
    await service.kill();
  }
}

/** Microseconds of CPU a message, from its bulk until the history shows all as delivered. */
async function deliver(service: Server, folder: DataFolder, sizes: readonly number[]): Promise<number> {
  const { url } = service;
  const { apiKey } = folder;
  const bodies = sizes.map((size) => bulkBody(size));
  const from = service.cpuMs();
  const batches: { id: string; count: number }[] = [];
  for (const body of bodies) {
    const { batch_id, accepted } = await postBulk(url, apiKey, body);
    batches.push({ id: batch_id, count: accepted });
  }
  for (const { id, count } of batches) {
    await untilDone(async () => {
      const done = (await delivered(url, apiKey, id)) === count;
      if (!done) await pause(POLL_MS);
      return done;
    });
  }
  await waitUntilDelivered(url, folder);
  return (1_000 * (service.cpuMs() - from)) / batches.reduce((sum, { count }) => sum + count, 0);
}

/** As the history counts them; 0 while it does not have the batch yet. */
async function delivered(url: string, apiKey: string, batch: string): Promise<number> {
  const answer = await fetch(`${url}/v1/messages/bulk/${batch}`, { headers: { 'x-api-key': apiKey } });
  if (answer.status === 404) return 0;
  if (!answer.ok) throw new Error(`a batch was answered with ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { counts: { delivered: number } }).counts.delivered;
}

/** A write-ahead file has a size of its own, whatever lies in it. */
function emptyWriteAhead(file: string): void {
  const db = openDatabase(file);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
}

/** Bytes of the databases of a data folder by what they hold. */
function bytesOf({ dir }: DataFolder): { log: number; views: number; keys: number } {
  const bytes = { log: 0, views: 0, keys: 0 };
  for (const file of readdirSync(dir, { recursive: true }) as string[]) {
    if (!file.endsWith('.db')) continue;
    emptyWriteAhead(join(dir, file));
    const part = file === 'events.db' ? 'log' : file.startsWith('views') ? 'views' : 'keys';
    bytes[part] += statSync(join(dir, file)).size;
  }
  return bytes;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
