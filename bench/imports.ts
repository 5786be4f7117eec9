import { randomInt } from 'node:crypto';
import { Readable } from 'node:stream';
import { parse } from 'csv-parse';
import { echoPrice } from './echo-price.js';
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

/** Imports of CSV files with few and with 30 columns, and previews of a file of 30 MB. */
export const importPart: PartDefinition = { title: 'import of contacts with 6 and with 30 columns, and previews of 30 MB', measure };

async function measure({ quick, parent, say }: BenchContext): Promise<Measurement> {
  const [rounds, rows] = quick ? [1, 10_000] : [3, 50_000];
  const folder = await newFolder(parent);
  const echo = await echoPrice();
  const service = await startService(environmentOf(folder));
  const taken = {
    read: [] as number[],
    narrow: [] as number[],
    wide: [] as number[],
    rate: [] as number[],
    utf8: [] as number[],
    latin: [] as number[],
    preview: [] as number[],
  };
  /** Microseconds of CPU a row, from the request to the end of the job, and rows a second. */
  const imported = async (csv: string): Promise<{ readonly cpu: number; readonly rate: number }> => {
    const from = service.cpuMs();
    const took = await seconds(() => importCsv(service, folder, csv));
    return { cpu: (1_000 * (service.cpuMs() - from)) / rows, rate: rows / took };
  };
  try {
    for (const field of custom) await post(service, folder, '/v1/custom-fields', JSON.stringify(field));
    const large = largeFile();
    // The first round is not counted: it compiles code and creates files.
    for (let round = 0; round <= rounds; round++) {
      const csv = csvOf(rows);
      await echo.again();
      const read = rows / (await seconds(() => readByCsvParse(csv)));
      const narrow = await imported(narrowCsv(rows));
      const wide = await imported(csv);
      const idle = service.cpuMs();
      const utf8 = await preview(service, folder, Buffer.from(large));
      const latin = await preview(service, folder, Buffer.from(large, 'latin1'));
      const ofPreview = (service.cpuMs() - idle) / 2;
      await echo.again();
      say(
        `  round ${round}: ${Math.round(narrow.cpu)} µs a row, with 30 columns ${Math.round(wide.cpu)} µs, ${Math.round(narrow.rate)} rows a second`,
      );
      if (round === 0) continue;
      const found = { read, narrow: narrow.cpu, wide: wide.cpu, rate: narrow.rate, utf8, latin, preview: ofPreview };
      for (const name of Object.keys(taken) as (keyof typeof taken)[]) taken[name].push(found[name]);
    }
  } finally {
    await Promise.all([service.kill(), echo.end()]);
  }
  const { reference } = echo;
  return {
    dataset: `all roles, CSV of ${rows.toLocaleString('en-US')} new contacts, and of 30 MB; medians of ${rounds} alternating rounds`,
    figures: [
      figure('import, a row', medianOf(taken.narrow), 'µs', { reference, bound: { of: 'value', at: 'most', is: 250 } }),
      figure('import, a row with 30 columns', medianOf(taken.wide), 'µs', { reference }),
      figure('import, from the request to the end of the job', medianOf(taken.rate), 'rows/s', { bound: { of: 'value', at: 'least', is: 5_000 } }),
      figure('csv-parse alone, 30 columns', medianOf(taken.read), 'rows/s'),
      figure('preview of 30 MB in UTF-8', medianOf(taken.utf8), 'ms', { bound: PREVIEW_BOUND }),
      figure('preview of 30 MB in Windows-1252', medianOf(taken.latin), 'ms', { bound: PREVIEW_BOUND }),
      figure('CPU of a preview of 30 MB', medianOf(taken.preview), 'ms'),
    ],
  };
}

/** Of typical fields of a customer. */
function narrowCsv(rows: number): string {
  const lines = Array.from({ length: rows }, () => {
    const { email, first_name, last_name, locale, timezone, tags } = sampleContact();
    return [email, first_name, last_name, locale, timezone, tags.join(';')].join(',');
  });
  return ['email,first_name,last_name,locale,timezone,tags', ...lines].join('\n');
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
