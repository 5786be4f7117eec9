import { type Bound, type Figure, figure, percentile } from './figures.js';
import { type DataFolder, environmentOf, get, waitUntilDelivered } from './folders.js';
import type { LoadJob, LoadResult } from './load.js';
import { recipientOf } from './message-history.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { runJob, type Server, startService } from './processes.js';

const CONNECTIONS = 4;
const PAGE_BOUND: Bound = { of: 'value', at: 'most', is: 20 };
const CURSORS = 200;
const PER_PAGE = 50;

/** Latencies of a send and of a page of the history with a full store. */
export const latencies: PartDefinition = { title: `latencies with a full store, ${CONNECTIONS} connections without pauses`, measure };

async function measure({ quick, messages, store, say }: BenchContext): Promise<Measurement> {
  const seconds = quick ? 3 : 8;
  const folder = await store(messages, true);
  const service = await startService(environmentOf(folder));
  const request = (what: Pick<LoadJob, 'get' | 'post'>, length = seconds) =>
    runJob<LoadJob, LoadResult>('./load.js', { url: service.url, apiKey: folder.apiKey, connections: CONNECTIONS, seconds: length, ...what });
  const figures: Figure[] = [];
  try {
    const lists = await pathsOf(service, folder, messages);
    for (const [name, paths] of Object.entries(lists)) {
      await request({ get: paths }, 1);
      const result = await request({ get: paths });
      figures.push(...percentiles(`history page, ${name}`, result, PAGE_BOUND));
      say(`  ${name}: ${Math.round(result.rate)} pages a second`);
    }
    const sent = await request({ post: '/v1/messages/send' });
    figures.push(...percentiles('send, all roles', sent));
    say(`  sends: ${Math.round(sent.rate)} a second`);
    await waitUntilDelivered(service.url, folder);
  } finally {
    await service.kill();
  }
  return { dataset: `${messages.toLocaleString('en-US')} messages in the store, ${PER_PAGE} rows a page, ${seconds} s each`, figures };
}

function percentiles(name: string, { latencies: times }: LoadResult, bound?: Bound): Figure[] {
  return [
    figure(`${name}, p50`, percentile(times, 0.5), 'ms'),
    figure(`${name}, p95`, percentile(times, 0.95), 'ms'),
    figure(`${name}, p99`, percentile(times, 0.99), 'ms', bound && { bound }),
  ];
}

/** The requested paths by kind. */
async function pathsOf({ url }: Server, { apiKey }: DataFolder, messages: number): Promise<Record<string, string[]>> {
  const list = `/v1/messages?limit=${PER_PAGE}`;
  const contacts = Array.from({ length: CURSORS }, () => `${list}&to=${encodeURIComponent(recipientOf(Math.floor(Math.random() * messages)))}`);
  return {
    'first page': [list],
    'by status': [`${list}&status=delivered`, `${list}&status=undelivered`, `${list}&status=failed`],
    'by recipient': contacts,
    'deep cursor': await deepCursors(url, apiKey, list),
  };
}

/** Second pages of lists that start at random times, far from both ends. */
async function deepCursors(url: string, apiKey: string, list: string): Promise<string[]> {
  const [oldest, newest] = await Promise.all(['asc', 'desc'].map((order) => get<Page>(url, apiKey, `${list}&order=${order}`)));
  const [from, to] = [oldest, newest].map((page) => Date.parse(page?.data[0]?.created_at ?? '')) as [number, number];
  const paths: string[] = [];
  for (let i = 0; i < CURSORS; i++) {
    const time = new Date(from + (0.1 + 0.8 * Math.random()) * (to - from)).toISOString();
    const { next_cursor } = await get<Page>(url, apiKey, `${list}&created_before=${time}`);
    if (next_cursor) paths.push(`${list}&created_before=${time}&cursor=${next_cursor}`);
  }
  return paths;
}

interface Page {
  readonly data: readonly { readonly created_at: string }[];
  readonly next_cursor: string | null;
}
