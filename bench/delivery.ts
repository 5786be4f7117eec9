import { bulkBody, postBulk } from './bulks.js';
import { figure } from './figures.js';
import { environmentOf, get, newFolder, untilDone, waitUntilDelivered } from './folders.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { startService } from './processes.js';

const BULK = 10_000;
const BOUND = { of: 'value', at: 'least', is: 2_000 } as const;

/** Messages from the request until the history shows them as delivered. */
export const deliveryPart: PartDefinition = { title: 'full lifecycle: accepted, handed to the sandbox, delivered, in the history', measure };

async function measure({ quick, parent, say }: BenchContext): Promise<Measurement> {
  const bulks = quick ? 1 : 4;
  const folder = await newFolder(parent);
  const service = await startService(environmentOf(folder));
  const { url, memory } = service;
  const { apiKey } = folder;
  try {
    await postBulk(url, apiKey, bulkBody(2_000));
    await waitUntilDelivered(url, folder);
    const bodies = Array.from({ length: bulks }, () => bulkBody(BULK));
    const began = performance.now();
    const batches: string[] = [];
    for (const body of bodies) batches.push((await postBulk(url, apiKey, body)).batch_id);
    const accepted = (performance.now() - began) / 1_000;
    for (const batch of batches) await untilDone(async () => (await delivered(url, apiKey, batch)) === BULK);
    const seconds = (performance.now() - began) / 1_000;
    say(`  all accepted after ${accepted.toFixed(1)} s, all delivered after ${seconds.toFixed(1)} s, at most ${Math.round(memory().peak)} MB`);
    return {
      dataset: `${bulks} bulks of ${BULK.toLocaleString('en-US')} sent at once, all roles, from the first request until the history shows the last one delivered`,
      figures: [figure('messages through their full lifecycle', (bulks * BULK) / seconds, '/s', { bound: BOUND })],
    };
  } finally {
    await service.kill();
  }
}

/** The count of the history. */
async function delivered(url: string, apiKey: string, batch: string): Promise<number> {
  return (await get<{ counts: { delivered: number } }>(url, apiKey, `/v1/messages/bulk/${batch}`)).counts.delivered;
}
