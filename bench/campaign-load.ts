import { setTimeout as sleep } from 'node:timers/promises';
import { type DataFolder, get } from './folders.js';
import type { Server } from './processes.js';

/** Contacts of one import. */
const IMPORTED = 10_000;
/** Between two looks: they cost the service CPU too. */
const POLL_MS = 500;
const TIMEOUT_MS = 3_600_000;

export interface Stats {
  readonly audience: number;
  readonly skipped: number;
  readonly queued: number;
  readonly sent: number;
  readonly suppressed: number;
  readonly canceled: number;
}

/** An account with contacts on a list. */
export interface Setting {
  readonly service: Server;
  readonly folder: DataFolder;
  readonly list: string;
  readonly count: number;
}

const hello = { subject: 'Hello {{ contact.first_name }}', html: '<p>Hi {{ contact.first_name }}, it is {{ campaign.name }}.</p>' };

export async function startCampaign({ service, folder, list }: Setting, content: object = hello): Promise<string> {
  const draft = { name: 'Spring', channel: 'email', audience: { include: { list_ids: [list] } }, content };
  const { id } = await call<{ id: string }>(service, folder, 'POST', '/campaigns', draft);
  await call(service, folder, 'POST', `/campaigns/${id}/send`);
  return id;
}

export const statsOf = ({ service, folder }: Setting, id: string): Promise<Stats> => get(service.url, folder.apiKey, `/v1/campaigns/${id}/stats`);

export async function untilStats(setting: Setting, id: string, isSo: (stats: Stats) => boolean): Promise<void> {
  for (const end = performance.now() + TIMEOUT_MS; !isSo(await statsOf(setting, id)); await sleep(POLL_MS))
    if (performance.now() > end) throw new Error(`the campaign is not done: ${JSON.stringify(await statsOf(setting, id))}`);
}

export interface ImportedContacts {
  /** Of their addresses. */
  readonly prefix?: string;
  /** Called after each import. */
  readonly done?: (contacts: number) => void;
}

/** Creates contacts on a list. */
export async function imported(
  service: Server,
  folder: DataFolder,
  count: number,
  { prefix = 'reader', done = () => {} }: ImportedContacts = {},
): Promise<string> {
  const { id: list } = await call<{ id: string }>(service, folder, 'POST', '/lists', { name: 'Readers' });
  for (let from = 0; from < count; from += IMPORTED) {
    const contacts = Array.from({ length: Math.min(IMPORTED, count - from) }, (_, i) => ({
      email: `${prefix}${from + i}@example.com`,
      first_name: `Name${from + i}`,
    }));
    const job = await call<{ id: string; status: string }>(service, folder, 'POST', '/contacts/import', { contacts, list_ids: [list] });
    while (job.status !== 'completed') {
      const { status } = await get<{ status: string }>(service.url, folder.apiKey, `/v1/jobs/${job.id}`);
      if (status === 'completed') break;
      await sleep(POLL_MS / 5);
    }
    done(from + contacts.length);
  }
  return list;
}

export async function call<Body>(service: Server, { apiKey }: DataFolder, method: string, path: string, body?: object): Promise<Body> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const answer = await fetch(`${service.url}/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Body;
}
