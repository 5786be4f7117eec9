import { parse } from 'csv-parse/sync';
import type { ContactEvent } from '../../../domain/contacts/contact.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Capability, Final } from '../capability.js';
import { isAtMost, isPlain, streamsOf } from '../history.js';
import { ask } from '../recipients.js';
import type { Run } from '../run.js';
import { EXPORTS } from '../world/node.js';

/** Waits for the end of an export, and how often it is asked for. */
const MEAN_PAUSE_MS = 15_000;
const MAX_READS = 6;
const CHECKED = 2;

/** A result that was downloaded. */
interface Download {
  readonly id: string;
  readonly format: 'csv' | 'ndjson';
  readonly text: string;
}

/** Exports contacts, downloads the result, and cancels some exports. Pages are small, so that an export has several chunks. */
export const exports: Capability = {
  name: 'exports',
  begin(run) {
    const downloads: Download[] = [];
    let nth = 0;
    return {
      actions: [{ name: 'export contacts', weight: 0.6, act: () => exportOnce(run, downloads, `export-${++nth}`) }],
      check: async (final) => {
        const contacts = await plainContacts(final);
        return [...downloads.flatMap((download) => contentProblems(download, contacts, final)), ...(await resultsAreGone(run, downloads))];
      },
    };
  },
};

async function exportOnce(run: Run, downloads: Download[], key: string): Promise<void> {
  const random = run.world.random('exports');
  const format = random.pick(['csv', 'ndjson'] as const);
  const { response } = await run.caller.send('POST', '/v1/contacts/export', { format }, key);
  if (response?.status !== 202) return;
  const { id } = response.body;
  if (random.chance(0.4)) {
    await run.world.sleep(random.duration(100), 'callers');
    await run.caller.send('POST', `/v1/jobs/${id}/cancel`, {});
  }
  for (let reads = 0; reads < MAX_READS; reads++) {
    await run.world.sleep(random.duration(MEAN_PAUSE_MS), 'callers');
    const { status, finished_at } = (await run.caller.send('GET', `/v1/jobs/${id}`)).response?.body ?? {};
    if (!finished_at) continue;
    if (status === 'completed') await download(run, downloads, { id, format });
    return;
  }
}

async function download(run: Run, downloads: Download[], { id, format }: Omit<Download, 'text'>): Promise<void> {
  const { response } = await run.caller.send('GET', `/v1/jobs/${id}/result`);
  if (response?.status === 200) downloads.push({ id, format, text: response.body });
}

const COMPARED = ['email', 'phone', 'first_name', 'last_name'] as const;
/** A contact's values as one text. */
const shownAs = (row: Readonly<Record<string, unknown>>): string => JSON.stringify(COMPARED.map((field) => row[field] || null));

/** A contact that was never merged, deleted or erased, with what it looked like from each of its events on. */
interface Versions {
  readonly id: string;
  readonly versions: readonly { readonly from: string; readonly shown: string }[];
}

async function plainContacts(final: Final): Promise<readonly Versions[]> {
  const plain = [...streamsOf(final, 'contact-')].filter(([id]) => isPlain(final, id));
  const found: Versions[] = [];
  for (const [id, events] of plain) {
    let row: Record<string, unknown> = {};
    const versions: { from: string; shown: string }[] = [];
    for (const { event, position } of (await final.run.log.open(events)) as readonly LogEvent<ContactEvent>[]) {
      if (event.type !== 'ContactCreated' && event.type !== 'ContactUpdated') continue;
      const { values, personal, cleared } = event.data;
      row = { ...row, ...values, ...personal, ...Object.fromEntries(cleared.map((name) => [name, null])) };
      versions.push({ from: position, shown: shownAs(row) });
    }
    found.push({ id, versions });
  }
  return found;
}

function rowsOf({ format, text }: Download): readonly Record<string, unknown>[] {
  if (format === 'csv') return parse(text, { columns: true });
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

/** Each contact that was there when the export was accepted has one row, which is what the contact looked like at some moment until its end. */
function contentProblems(download: Download, contacts: readonly Versions[], { byStream }: Final): string[] {
  const events = byStream.get(`job-${download.id}`) ?? [];
  const positionOf = (type: string): string => events.find(({ event }) => event.type === type)?.position ?? '';
  const [accepted, finished] = [positionOf('JobAccepted'), positionOf('JobFinished')];
  const rows = rowsOf(download);
  return contacts.flatMap(({ id, versions }) => {
    const own = rows.filter((row) => row.id === id);
    const [first] = versions;
    if (!first || own.length > 1) return [`the export ${download.id} has ${own.length} rows of ${id}`];
    const [row] = own;
    if (!row) return isAtMost(first.from, accepted) ? [`the export ${download.id} has no row of ${id}`] : [];
    const possible = versions.filter(({ from }, i) => isAtMost(from, finished) && !isAtMost(versions[i + 1]?.from ?? '9', accepted));
    const shown = shownAs(row);
    return possible.some((version) => version.shown === shown) ? [] : [`the export ${download.id} has ${shown} of ${id}, which it was not then`];
  });
}

/** At rest, the time of all results is over. */
async function resultsAreGone(run: Run, downloads: readonly Download[]): Promise<string[]> {
  const problems: string[] = [];
  for (const { id } of downloads.slice(0, CHECKED)) {
    const { status } = await ask(run, `/v1/jobs/${id}/result`);
    if (status !== 404) problems.push(`the result of the export ${id} is kept for ${EXPORTS.keepMs} ms, and reading it later gives ${status}`);
  }
  return problems;
}
