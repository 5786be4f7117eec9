import { join } from 'node:path';
import { newId } from '../log/runtime/ids.js';
import { systemEntropy } from '../ops/system/entropy.js';
import { figure, medianOf } from './figures.js';
import { type DataFolder, environmentOf, get, newFolder, postMessage, untilDone, waitUntilDelivered } from './folders.js';
import type { LoadJob, LoadResult } from './load.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { runJob, type Server, startService } from './processes.js';
import { insertRows, LOG, type Row } from './raw-inserts.js';
import { randomPhone, sampleContact } from './samples.js';

const CONNECTIONS = 64;
/** Number of recipients of marketing messages. */
const KNOWN = 5_000;
/** Gates may cost 15 %: at least 1 / 1.15 of the rate without them. */
const GATES_BOUND = { of: 'ratio', at: 'least', is: 0.87 } as const;

/**
 * New contacts one by one beside inserts of as many rows, and sends through the gates of marketing beside sends without: consent and
 * quiet hours, and also a frequency cap, whose every slot is recorded in the log.
 */
export const contactsPart: PartDefinition = { title: 'contacts one by one, and sends with the gates of marketing', measure };

async function measure({ quick, parent, say }: BenchContext): Promise<Measurement> {
  const [rounds, seconds] = quick ? [2, 2] : [5, 4];
  const folder = await newFolder(parent);
  const service = await startService(environmentOf(folder));
  const raw = join(parent, 'raw.db');
  const rates: Rates = { singleRaw: [], single: [], off: [], gated: [], capped: [] };
  try {
    await postMessage(service.url, folder.apiKey);
    const load = (more: Pick<LoadJob, 'post' | 'body'>): Promise<LoadResult> =>
      runJob<LoadJob, LoadResult>('./load.js', { url: service.url, apiKey: folder.apiKey, connections: CONNECTIONS, seconds, ...more });
    const to = await contactsWithConsent(service, folder);
    // Each load starts once the work of the previous one is done.
    const alone = async (work: () => Promise<number>): Promise<number> => {
      await waitUntilDelivered(service.url, folder);
      return work();
    };
    const sends = (category: 'marketing' | 'transactional', frequency_caps: object[] = []) =>
      alone(async () => {
        await call(service.url, folder, 'PATCH', '/v1/account/settings', { frequency_caps });
        return (await load({ post: '/v1/messages/send', body: { to, category } })).rate;
      });
    // The first round is not counted: it compiles code and creates files.
    for (let round = -1; round < rounds; round++) {
      const taken = {
        singleRaw: 2_000 / (insertRows(raw, LOG, rowsOf(2_000), 1) / 1_000),
        single: await alone(async () => (await load({ post: '/v1/contacts', body: 'contact' })).rate),
        off: await sends('transactional'),
        gated: await sends('marketing'),
        capped: await sends('marketing', CAPS),
      };
      const names = Object.keys(taken) as (keyof typeof taken)[];
      if (round >= 0) for (const name of names) rates[name].push(taken[name]);
      say(`  round ${round + 1}: ${names.map((name) => `${name} ${Math.round(taken[name])} a second`).join(', ')}`);
    }
  } finally {
    await service.kill();
  }
  return measurementOf(rates, rounds);
}

/** Rates a second, one each round. */
type Rates = Readonly<Record<'singleRaw' | 'single' | 'off' | 'gated' | 'capped', number[]>>;

function measurementOf(rates: Rates, rounds: number): Measurement {
  const single = { name: 'inserts one by one, each forced to disk', value: medianOf(rates.singleRaw) };
  const without = { name: 'transactional to the same contacts', value: medianOf(rates.off) };
  return {
    dataset: `all roles, ${CONNECTIONS} connections, marketing to ${KNOWN.toLocaleString('en-US')} contacts with consent, with quiet hours; medians of ${rounds} alternating rounds`,
    figures: [
      figure('raw inserts, one a transaction', single.value, '/s'),
      figure('POST /v1/contacts, each a new contact', medianOf(rates.single), '/s', { reference: single }),
      figure('send, transactional', without.value, '/s'),
      figure('send, marketing through consent and quiet hours', medianOf(rates.gated), '/s', { reference: without, bound: GATES_BOUND }),
      figure('send, marketing through consent, quiet hours and a frequency cap', medianOf(rates.capped), '/s', { reference: without }),
    ],
  };
}

const rowsOf = (count: number): Row[] =>
  Array.from({ length: count }, () => ({ id: newId(systemEntropy, 'con', Date.now()), data: JSON.stringify(sampleContact()) }));

const CAPS = [{ channel: 'any', max: 1_000, per: 'PT1H' }];

/** Creates contacts with consent to marketing by SMS, in an account with opt-in and quiet hours. Returns their numbers. */
async function contactsWithConsent({ url }: Server, folder: DataFolder): Promise<string[]> {
  const hour = (later: number): string => `${String((new Date().getUTCHours() + later) % 24).padStart(2, '0')}:00`;
  await call(url, folder, 'PATCH', '/v1/account/settings', {
    timezone: 'UTC',
    marketing_consent: { sms: 'opt_in' },
    quiet_hours: { enabled: true, start: hour(6), end: hour(8) },
  });
  const phones = [...new Set(Array.from({ length: KNOWN }, randomPhone))];
  const csv = ['phone', ...phones].join('\n');
  await importCsv(url, folder, csv, { consent: { channel: 'sms', purpose: 'marketing', status: 'granted', occurred_at: new Date().toISOString() } });
  return phones;
}

async function importCsv(url: string, folder: DataFolder, csv: string, options: object): Promise<void> {
  const form = new FormData();
  form.append('options', JSON.stringify(options));
  form.append('file', new Blob([csv], { type: 'text/csv' }), 'contacts.csv');
  const { id } = await call(url, folder, 'POST', '/v1/contacts/import', form);
  await untilDone(async () => {
    const { status, error_count } = await get<{ status: string; error_count: number }>(url, folder.apiKey, `/v1/contacts/imports/${id}`);
    if (error_count > 0) throw new Error(`${error_count} rows of an import were wrong`);
    return status === 'completed';
  });
}

async function call(url: string, { apiKey }: DataFolder, method: string, path: string, body: object | FormData): Promise<{ id: string }> {
  const own = body instanceof FormData;
  const headers = { 'x-api-key': apiKey, ...(!own && { 'content-type': 'application/json' }) };
  const answer = await fetch(url + path, { method, headers, body: own ? body : JSON.stringify(body) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`);
  return JSON.parse(text) as { id: string };
}
