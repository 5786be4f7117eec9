import { setTimeout as sleep } from 'node:timers/promises';
import { type Bound, type Figure, figure, percentile } from './figures.js';
import { copyOf, type DataFolder, environmentOf, newFolder } from './folders.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { commandLine, runJob, type Server, startService } from './processes.js';
import { sampleContact } from './samples.js';
import type { SteadyJob, SteadyResult } from './steady-requests.js';

const MB = 1_000_000;
const BODY_MB = 31;
const PER_SECOND = 50;
const INTERVAL_MS = 1_000;
const ITEMS = 10_000;
const BOUND: Bound = { of: 'value', at: 'most', is: 100 };

/** Small requests of one account while another one posts the largest bodies. */
export const largeRequests: PartDefinition = { title: `${PER_SECOND} requests a second beside one body of ${BODY_MB} MB a second`, measure };

interface Large {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
}

const filler = (bytes: number): string => 'Lorem ipsum dolor sit amet. '.repeat(Math.ceil(bytes / 28)).slice(0, bytes);
const json = (path: string, body: object): Large => ({ path, contentType: 'application/json', body: Buffer.from(JSON.stringify(body)) });

/** The large requests by name, each of about 31 MB. */
const kinds: Readonly<Record<string, () => Large>> = {
  'bulks of 10,000': () => {
    const message = filler((BODY_MB * MB) / ITEMS - 120);
    const to = (n: number): string => `reader${n}@example.com`;
    return json('/v1/messages/bulk', { messages: Array.from({ length: ITEMS }, (_, n) => ({ to: to(n), channel: 'email', message })) });
  },
  'bulks of 15 large emails': () => {
    const message = filler(MB);
    const html = `<p>${filler(MB)}</p>`;
    return json('/v1/messages/bulk', {
      messages: Array.from({ length: 15 }, (_, n) => ({ to: `reader${n}@example.com`, channel: 'email', message, html })),
    });
  },
  'imports of 10,000 rows': () => {
    const notes = filler((BODY_MB * MB) / ITEMS - 100);
    const rows = Array.from({ length: ITEMS }, () => {
      const { email, first_name, last_name, tags } = sampleContact();
      return [email, first_name, last_name, tags.join(';'), notes].join(',');
    });
    const boundary = 'bench-boundary';
    const part = (head: string, text: string): string => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
    const options = part('name="options"', JSON.stringify({ mapping: { notes: null } }));
    const file = part(
      'name="file"; filename="contacts.csv"\r\nContent-Type: text/csv',
      ['email,first_name,last_name,tags,notes', ...rows].join('\n'),
    );
    const body = Buffer.from(`${options}${file}--${boundary}--\r\n`);
    return { path: '/v1/contacts/import', contentType: `multipart/form-data; boundary=${boundary}`, body };
  },
};

async function measure({ quick, parent, say }: BenchContext): Promise<Measurement> {
  const seconds = quick ? 15 : 60;
  const folder = await newFolder(parent);
  const other = await commandLine<{ api_key: string }>(
    environmentOf(folder),
    ...['account', 'create', '--name', 'Other', '--email', 'other@example.com', '--password', 'only for this run'],
  );
  const figures: Figure[] = [];
  for (const [name, large] of [['nothing', null] as const, ...Object.entries(kinds)]) {
    const own = copyOf(folder, parent);
    const service = await startService(environmentOf(own));
    try {
      const steady = (length: number) =>
        runJob<SteadyJob, SteadyResult>('./steady-requests.js', { url: service.url, apiKey: other.api_key, perSecond: PER_SECOND, seconds: length });
      await steady(3);
      const ending = new AbortController();
      const posting = large ? post(service, own, large(), ending.signal) : null;
      const { sends, pages } = await steady(large ? seconds : Math.min(seconds, 15));
      ending.abort();
      const counts = await posting;
      if (counts) say(`  ${name}: ${counts.accepted} accepted, ${counts.refused} refused`);
      figures.push(...percentiles(`beside ${name}`, [...sends, ...pages], large ? BOUND : undefined));
      figures.push(figure(`peak memory beside ${name}`, service.memory().peak, 'MB'));
      if (counts) figures.push(figure(`${name} accepted`, counts.accepted, `of ${counts.accepted + counts.refused}`));
    } finally {
      await service.kill();
    }
  }
  return { dataset: `sends and pages of the history in turn, all roles, ${seconds} s for each kind`, figures };
}

const percentiles = (name: string, times: readonly number[], bound?: Bound): Figure[] => [
  figure(`request ${name}, p50`, percentile(times, 0.5), 'ms'),
  figure(`request ${name}, p99`, percentile(times, 0.99), 'ms', bound && { bound }),
];

/** Posts the body once a second until the signal aborts. A service without room refuses it with 503. */
async function post({ url }: Server, { apiKey }: DataFolder, { path, contentType, body }: Large, signal: AbortSignal) {
  const counts = { accepted: 0, refused: 0 };
  const open: Promise<void>[] = [];
  const once = async (): Promise<void> => {
    const answer = await fetch(url + path, { method: 'POST', headers: { 'x-api-key': apiKey, 'content-type': contentType }, body });
    const text = await answer.text();
    if (answer.status === 202) counts.accepted += 1;
    else if (answer.status === 503) counts.refused += 1;
    else throw new Error(`${path} was answered with ${answer.status}: ${text.slice(0, 500)}`);
  };
  while (!signal.aborted) {
    open.push(once());
    await sleep(INTERVAL_MS);
  }
  await Promise.all(open);
  return counts;
}
