import { join } from 'node:path';
import { newId } from '../log/runtime/ids.js';
import { systemEntropy } from '../ops/system/entropy.js';
import { figure, medianOf } from './figures.js';
import { copyOf, type DataFolder, environmentOf, newFolder, postMessage, waitUntilDelivered } from './folders.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { type Server, startService } from './processes.js';
import { insertRows, LOG, TABLE } from './raw-inserts.js';
import { sampleMessage } from './samples.js';

const MESSAGES = 10_000;
const BOUND = { of: 'ratio', at: 'most', is: 3 } as const;

/** A bulk of messages, compared with inserts of the same number of rows. */
export const bulks: PartDefinition = { title: `POST /v1/messages/bulk with ${MESSAGES.toLocaleString('en-US')} messages`, measure };

async function measure({ quick, parent, say }: BenchContext): Promise<Measurement> {
  const rounds = quick ? 3 : 7;
  const folder = await newFolder(parent);
  const other = copyOf(folder, parent);
  const alone = await startService(environmentOf(folder, 'api'));
  const all = await startService(environmentOf(other));
  const times = { table: [] as number[], log: [] as number[], alone: [] as number[], all: [] as number[] };
  try {
    for (const { url } of [alone, all]) await postMessage(url, folder.apiKey);
    // The first round is not counted: it compiles code and creates files.
    for (let round = -1; round < rounds; round++) {
      const rows = Array.from({ length: MESSAGES }, () => ({ id: newId(systemEntropy, 'msg', Date.now()), data: JSON.stringify(sampleMessage()) }));
      const taken = {
        table: insertRows(join(parent, 'raw.db'), TABLE, rows),
        log: insertRows(join(parent, 'raw.db'), LOG, rows),
        alone: await bulk(alone, folder),
        all: await bulk(all, other),
      };
      await waitUntilDelivered(all.url, other);
      if (round >= 0) for (const name of ['table', 'log', 'alone', 'all'] as const) times[name].push(taken[name]);
      say(
        `  round ${round + 1}: ${Object.entries(taken)
          .map(([name, ms]) => `${name} ${Math.round(ms)} ms`)
          .join(', ')}`,
      );
    }
  } finally {
    await Promise.all([alone.kill(), all.kill()]);
  }
  const raw = { name: 'inserts into the log’s table', value: medianOf(times.log) };
  const plain = { name: 'inserts into a bare table', value: medianOf(times.table) };
  const dataset = `fresh random recipients each time, medians of ${rounds} alternating rounds`;
  return {
    dataset,
    figures: [
      figure('raw inserts, table like the log’s (stream and revision unique)', raw.value, 'ms'),
      figure('raw inserts, table with a primary key and a text', plain.value, 'ms'),
      figure('bulk, accept path alone (HELIOGRAPH_ROLES=api)', medianOf(times.alone), 'ms', { reference: raw, bound: BOUND }),
      figure('bulk, accept path alone', medianOf(times.alone), 'ms', { reference: plain }),
      figure('bulk, all roles', medianOf(times.all), 'ms', { reference: raw, bound: BOUND }),
      figure('bulk, all roles', medianOf(times.all), 'ms', { reference: plain }),
    ],
  };
}

/** Milliseconds from the first byte of the request to the last byte of its answer. */
async function bulk({ url }: Server, { apiKey }: DataFolder): Promise<number> {
  const body = bulkBody(MESSAGES);
  const began = performance.now();
  const { accepted } = await postBulk(url, apiKey, body);
  const ms = performance.now() - began;
  if (accepted !== MESSAGES) throw new Error(`${accepted} of ${MESSAGES} messages were accepted`);
  return ms;
}

/** Of a category: by default transactional. */
export const bulkBody = (messages: number, category: 'transactional' | 'marketing' = 'transactional'): string =>
  JSON.stringify({ messages: Array.from({ length: messages }, () => ({ ...sampleMessage(), ...(category === 'marketing' && { category }) })) });

export async function postBulk(url: string, apiKey: string, body: string): Promise<{ readonly batch_id: string; readonly accepted: number }> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/v1/messages/bulk`, { method: 'POST', headers, body });
  const text = await answer.text();
  if (answer.status !== 202) throw new Error(`a bulk was answered with ${answer.status}: ${text}`);
  return JSON.parse(text) as { batch_id: string; accepted: number };
}
