import { randomInt } from 'node:crypto';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { figure, medianOf } from './figures.js';
import { type DataFolder, environmentOf, get, newFolder, untilDone } from './folders.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { type Server, startService } from './processes.js';
import { randomPhone, sampleContact } from './samples.js';

const MB = 1_000_000;
const PREVIEW_BYTES = 30 * MB;
const PREVIEW_BOUND = { of: 'value', at: 'most', is: 1_000 } as const;

/** Columns of custom fields by type. With those of every contact there are 30. */
const CUSTOM_COLUMNS = { string: 12, number: 5, date: 3, boolean: 3 } as const;
type Type = keyof typeof CUSTOM_COLUMNS;
const cells: Readonly<Record<Type, () => string>> = {
  string: () => `value ${randomInt(1_000_000).toString(36)}`,
  number: () => String(randomInt(100_000)),
  date: () => `20${randomInt(10, 26)}-0${randomInt(1, 10)}-1${randomInt(0, 10)}`,
  boolean: () => (randomInt(2) === 0 ? 'true' : 'false'),
};
const custom = (Object.keys(cells) as Type[]).flatMap((type) =>
  Array.from({ length: CUSTOM_COLUMNS[type] }, (_, i) => ({ key: `${type}_${i}`, label: `${type} ${i}`, type })),
);
const HEADER = ['email', 'phone', 'first_name', 'last_name', 'locale', 'timezone', 'tags', ...custom.map(({ key }) => key)].join(',');

function row(): string {
  const { email, first_name, last_name, locale, timezone, tags } = sampleContact();
  return [email, randomPhone(), first_name, last_name, locale, timezone, tags.join(';'), ...custom.map(({ type }) => cells[type]())].join(',');
}

const csvOf = (rows: number): string => [HEADER, ...Array.from({ length: rows }, row)].join('\n');

/** Imports of CSV files with 30 columns beside a mere reading of the same file, and previews of a file of 30 MB. */
export const wideImports: PartDefinition = { title: 'CSV files with 30 columns: imports, and previews of 30 MB', measure };

async function measure({ quick, parent, say }: BenchContext): Promise<Measurement> {
  const [rounds, rows] = quick ? [2, 5_000] : [3, 100_000];
  const folder = await newFolder(parent);
  const service = await startService(environmentOf(folder));
  const taken = {
    read: [] as number[],
    imported: [] as number[],
    cpu: [] as number[],
    utf8: [] as number[],
    latin: [] as number[],
    cpuOfPreview: [] as number[],
  };
  try {
    for (const field of custom) await post(service, folder, '/v1/custom-fields', JSON.stringify(field));
    const large = largeFile();
    // The first round is not counted: it compiles code and creates files.
    for (let round = -1; round < rounds; round++) {
      const csv = csvOf(rows);
      const read = rows / (await seconds(() => readByCsvParse(csv)));
      const before = service.cpuMs();
      const imported = rows / (await seconds(() => importCsv(service, folder, csv)));
      const cpu = (1_000 * (service.cpuMs() - before)) / rows;
      const idle = service.cpuMs();
      const utf8 = await preview(service, folder, Buffer.from(large));
      const latin = await preview(service, folder, Buffer.from(large, 'latin1'));
      const cpuOfPreview = (service.cpuMs() - idle) / 2;
      say(
        `  round ${round + 1}: ${Math.round(imported)} rows a second, ${Math.round(cpu)} µs of CPU a row, previews ${Math.round(utf8)} and ${Math.round(latin)} ms with ${Math.round(cpuOfPreview)} ms of CPU`,
      );
      if (round < 0) continue;
      for (const [name, value] of Object.entries({ read, imported, cpu, utf8, latin, cpuOfPreview })) taken[name as keyof typeof taken].push(value);
    }
  } finally {
    await service.kill();
  }
  const reading = { name: 'csv-parse, which only reads the file', value: medianOf(taken.read) };
  return {
    dataset: `all roles, CSV of ${rows.toLocaleString('en-US')} new contacts with 30 columns, and of 30 MB; medians of ${rounds} alternating rounds`,
    figures: [
      figure('csv-parse alone', reading.value, 'rows/s'),
      figure('import, from the request to the end of the job', medianOf(taken.imported), 'rows/s', { reference: reading }),
      figure('CPU of the service, from the request to the end of the job', medianOf(taken.cpu), 'µs/row'),
      figure('preview of 30 MB in UTF-8', medianOf(taken.utf8), 'ms', { bound: PREVIEW_BOUND }),
      figure('preview of 30 MB in Windows-1252', medianOf(taken.latin), 'ms', { bound: PREVIEW_BOUND }),
      figure('CPU of the service for a preview of 30 MB', medianOf(taken.cpuOfPreview), 'ms'),
    ],
  };
}

/** Rows with letters beyond ASCII, of which Windows-1252 has each in one byte, and UTF-8 in two. */
function largeFile(): string {
  const some = Array.from({ length: 1_000 }, () => row().replace('Lovelace', 'Müller-Öztürk'));
  const text = `${some.join('\n')}\n`;
  return `${HEADER}\n${text.repeat(Math.ceil(PREVIEW_BYTES / text.length))}`.slice(0, PREVIEW_BYTES);
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

async function readByCsvParse(csv: string): Promise<void> {
  for await (const _ of Readable.from([Buffer.from(csv)]).pipe(parse({ columns: true })));
}

async function importCsv(service: Server, folder: DataFolder, csv: string): Promise<void> {
  const { id } = await post<{ id: string }>(service, folder, '/v1/contacts/import', formOf(Buffer.from(csv)));
  await untilDone(async () => {
    const { status, error_count } = await get<{ status: string; error_count: number }>(service.url, folder.apiKey, `/v1/contacts/imports/${id}`);
    if (error_count > 0) throw new Error(`${error_count} rows of an import were wrong`);
    return status === 'completed';
  });
}

/** Milliseconds until the answer. */
async function preview(service: Server, folder: DataFolder, file: Buffer): Promise<number> {
  const form = formOf(file);
  const began = performance.now();
  const { rows } = await post<{ rows: { would: string }[] }>(service, folder, '/v1/contacts/import/preview', form);
  const ms = performance.now() - began;
  if (rows.length !== 100 || rows.some(({ would }) => would === 'fail')) throw new Error(`a preview had ${rows.length} rows, or rows that fail`);
  return ms;
}

function formOf(file: Buffer): FormData {
  const form = new FormData();
  form.append('options', '{}');
  form.append('file', new Blob([new Uint8Array(file)], { type: 'text/csv' }), 'contacts.csv');
  return form;
}

async function post<Body>({ url }: Server, { apiKey }: DataFolder, path: string, body: string | FormData): Promise<Body> {
  const headers = { 'x-api-key': apiKey, ...(typeof body === 'string' && { 'content-type': 'application/json' }) };
  const answer = await fetch(url + path, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`POST ${path} was answered with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Body;
}
