import { type Figure, figure, medianOf } from './figures.js';
import { type DataFolder, environmentOf, newFolder } from './folders.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { startService } from './processes.js';
import { sampleContact } from './samples.js';

/** Changes of which the median is taken. */
const SAMPLES = 50;
const FLAT = { of: 'ratio', at: 'most', is: 2 } as const;

/** How long a change takes with so many changes behind it. */
export const growingStreams: PartDefinition = { title: 'changes of a contact and of the keys of an account, with many changes behind them', measure };

async function measure({ quick, parent, say }: BenchContext): Promise<Measurement> {
  const lengths = quick ? [100, 1_000] : [100, 1_000, 10_000];
  const folder = await newFolder(parent);
  const figures = [
    ...(await grow('PATCH of a contact', folder, lengths, patches, say)),
    ...(await grow('key issued and revoked', folder, lengths, keys, say)),
  ];
  return {
    dataset: `one connection, medians of ${SAMPLES} changes in sequence; after a start: the first change, which reads from the last snapshot on`,
    figures,
  };
}

type Call = (method: string, path: string, body?: object) => Promise<{ readonly id: string }>;
/** `make` makes the nth change; `events` is the number of events that it appends. */
type Change = { readonly events: number; readonly make: (nth: number) => Promise<void> };

async function patches(call: Call): Promise<Change> {
  const { id } = await call('POST', '/v1/contacts', sampleContact());
  return { events: 1, make: async (nth) => void (await call('PATCH', `/v1/contacts/${id}`, { first_name: `Name ${nth}` })) };
}

const keys = async (call: Call): Promise<Change> => ({
  events: 2,
  make: async (nth) => {
    const { id } = await call('POST', '/v1/api-keys', { name: `key ${nth}` });
    await call('DELETE', `/v1/api-keys/${id}`);
  },
});

async function grow(
  name: string,
  folder: DataFolder,
  lengths: readonly number[],
  prepare: (call: Call) => Promise<Change>,
  say: BenchContext['say'],
): Promise<Figure[]> {
  let service = await startService(environmentOf(folder));
  const call: Call = (method, path, body) => request(service.url, folder, method, path, body);
  const figures: Figure[] = [];
  try {
    const { events, make } = await prepare(call);
    let reference: { readonly name: string; readonly value: number } | undefined;
    let times: number[] = [];
    for (let nth = 1; nth * events <= (lengths.at(-1) as number); nth++) {
      const began = performance.now();
      await make(nth);
      times.push(performance.now() - began);
      if (!lengths.includes(nth * events)) continue;
      const value = medianOf(times.slice(-SAMPLES));
      const behind = `${(nth * events).toLocaleString('en-US')} events behind it`;
      figures.push(figure(`${name}, ${behind}`, value, 'ms', reference && { reference, bound: FLAT }));
      reference ??= { name: behind, value };
      times = [];
      say(`  ${name}, ${behind}: ${value.toFixed(2)} ms`);
    }
    await service.stop();
    service = await startService(environmentOf(folder));
    const began = performance.now();
    await make(0);
    figures.push(figure(`${name}, the first after a start`, performance.now() - began, 'ms'));
  } finally {
    await service.kill();
  }
  return figures;
}

async function request(url: string, { apiKey }: DataFolder, method: string, path: string, body?: object): Promise<{ id: string }> {
  const headers = { 'x-api-key': apiKey, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as { id: string };
}
