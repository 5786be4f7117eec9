import { cpSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { commandLine, type Environment, startService } from './processes.js';
import { sampleMessage } from './samples.js';

/** Rate limits are disabled. All other settings are the defaults. */
const NO_LIMIT = 1_000_000_000;
const RATE_LIMITS = JSON.stringify({ send: NO_LIMIT, bulk: NO_LIMIT, general: NO_LIMIT, public: NO_LIMIT });

/** A data folder with one account in it. */
export interface DataFolder {
  readonly dir: string;
  readonly account: string;
  readonly apiKey: string;
}

export const environmentOf = ({ dir }: Pick<DataFolder, 'dir'>, roles?: string): Environment => ({
  HELIOGRAPH_DATA_DIR: dir,
  PORT: '0',
  HELIOGRAPH_RATE_LIMITS: RATE_LIMITS,
  ...(roles && { HELIOGRAPH_ROLES: roles }),
});

/** Creates an account and uses its key once, so that the read models have it for a process with only the role api. */
export async function newFolder(parent: string): Promise<DataFolder> {
  const dir = mkdtempSync(join(parent, 'data-'));
  const own = environmentOf({ dir });
  const created = await commandLine<{ account_id: string; api_key: string }>(
    own,
    ...['account', 'create', '--name', 'Bench', '--email', 'bench@example.com', '--password', 'only for this run'],
  );
  const folder = { dir, account: created.account_id, apiKey: created.api_key };
  const service = await startService(own);
  // On a busy machine the read models may get the key only after the request's time limit.
  await untilDone(async () => (await request(service.url, folder.apiKey, '/v1/messages?limit=1')).status === 200);
  await postMessage(service.url, folder.apiKey);
  await waitUntilDelivered(service.url, folder);
  await service.stop();
  return folder;
}

export function copyOf(folder: DataFolder, parent: string): DataFolder {
  const dir = mkdtempSync(join(parent, 'copy-'));
  cpSync(folder.dir, dir, { recursive: true });
  return { ...folder, dir };
}

/** Sends one message. */
export async function postMessage(url: string, apiKey: string): Promise<void> {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const answer = await fetch(`${url}/v1/messages/send`, { method: 'POST', headers, body: JSON.stringify(sampleMessage()) });
  if (answer.status !== 202) throw new Error(`a send was answered with ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

const POLL_INTERVAL_MS = 50;
const TIMEOUT_MS = 600_000;

/** Waits until every message of the account is delivered. */
export const waitUntilDelivered = (url: string, { apiKey }: Pick<DataFolder, 'apiKey'>): Promise<void> =>
  waitUntilNoneIs(['queued', 'sending', 'sent'], url, apiKey, POLL_INTERVAL_MS);

/** Waits until no message of the account has one of these statuses. Each look costs the service CPU too. */
export async function waitUntilNoneIs(statuses: readonly string[], url: string, apiKey: string, everyMs: number): Promise<void> {
  await untilDone(async () => {
    const pages = await Promise.all(statuses.map((status) => get<{ data: unknown[] }>(url, apiKey, `/v1/messages?limit=1&status=${status}`)));
    return pages.every(({ data }) => data.length === 0);
  }, everyMs);
}

const request = (url: string, apiKey: string, path: string): Promise<Response> => fetch(url + path, { headers: { 'x-api-key': apiKey } });

export async function get<Body>(url: string, apiKey: string, path: string): Promise<Body> {
  const answer = await request(url, apiKey, path);
  if (answer.status !== 200) throw new Error(`GET ${path} was answered with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Body;
}

export async function untilDone(done: () => Promise<boolean>, everyMs = POLL_INTERVAL_MS): Promise<void> {
  for (const deadline = performance.now() + TIMEOUT_MS; !(await done()); ) {
    if (performance.now() > deadline) throw new Error(`timed out after ${TIMEOUT_MS / 1_000} s`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
