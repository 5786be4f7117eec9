import { setTimeout as sleep } from 'node:timers/promises';
import type { Leaf } from '../domain/segments/rule.js';
import { call, imported } from './campaign-load.js';
import { figure } from './figures.js';
import { type DataFolder, environmentOf, get, newFolder } from './folders.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { runJob, type Server, startService } from './processes.js';
import { EVENT_NAMES, leafOf } from './segment-load.js';
import type { SegmentTimes, SegmentTimesJob } from './segment-times-job.js';

const PAUSE_MS = 20;
const POLL_MS = 500;
const TIMEOUT_MS = 3_600_000;
const ENTERED_AIM = { of: 'value', at: 'most', is: 1_000 } as const;
const RESTART_AIM = { of: 'value', at: 'most', is: 60 } as const;

/** The whole way of an event from its request into segments, and a start of the service with all of them. */
export const segmentEntries: PartDefinition = { title: 'segments: from the request of an event to the change of memberships, and a start', measure };

async function measure({ quick, messages, parent, say }: BenchContext): Promise<Measurement> {
  const contacts = Math.max(1_000, Math.round(messages / 10));
  const [segments, rate, seconds, warmUp] = quick ? [200, 100, 20, 10] : [1_000, 500, 60, 20];
  const folder = await newFolder(parent);
  const service = await startService(environmentOf(folder));
  try {
    await imported(service, folder, contacts);
    const ids: string[] = [];
    for (let nth = 0; nth < segments; nth++) {
      const rules = { type: 'all', rules: [eventLeaf(2 * nth), { type: 'not', rule: eventLeaf(2 * nth + 1) }] };
      ids.push((await call<{ id: string }>(service, folder, 'POST', '/segments', { name: `Segment ${nth}`, rules })).id);
    }
    const building = performance.now();
    for (const id of ids) await until(async () => (await segmentOf(service, folder, id)).status === 'live');
    say(`  ${segments} segments over ${contacts} contacts are live ${Math.round(performance.now() - building)} ms after the last request`);
    const from = Date.now() + warmUp * 1_000;
    const cpu = service.cpuMs();
    const sent = await eventsAt(service, folder, { rate, seconds: warmUp + seconds, contacts });
    await quiet(service, folder, ids);
    const cpuMs = service.cpuMs() - cpu;
    const memory = service.memory();
    await service.kill();
    const times = await runJob<SegmentTimesJob, SegmentTimes>('./segment-times-job.js', { dir: folder.dir, from });
    say(`  ${times.changes} changes: p50 ${times.p50} ms, p99 ${times.p99} ms`);
    const restart = await restarted(folder, ids[0] as string);
    return {
      dataset: `${contacts.toLocaleString('en-US')} contacts, ${segments.toLocaleString('en-US')} segments of two leaves over events, ${rate} events a second for ${seconds} s after ${warmUp} s that do not count, all roles`,
      figures: [
        figure('from an event to the changes of memberships, p50', times.p50, 'ms'),
        figure('from an event to the changes of memberships, p99', times.p99, 'ms', { bound: ENTERED_AIM }),
        figure('changes of memberships', times.changes / (rate * seconds), 'per event'),
        figure('CPU an event, intake and all read models included', (1_000 * cpuMs) / sent, 'µs'),
        figure('from the start of the program to the members of a segment', restart, 's', { bound: RESTART_AIM }),
        figure('peak memory', memory.peak, 'MB'),
      ],
    };
  } finally {
    await service.kill();
  }
}

/** The events of those leaves that are about events. */
function eventLeaf(nth: number): Leaf {
  const leaf = leafOf(nth);
  return leaf.type === 'event' ? leaf : eventLeaf(nth + 1_003);
}

interface Load {
  readonly rate: number;
  readonly seconds: number;
  readonly contacts: number;
}

/** At a steady rate, whether they are answered or not. */
async function eventsAt(service: Server, folder: DataFolder, { rate, seconds, contacts }: Load): Promise<number> {
  const perRequest = Math.max(1, Math.round((rate * PAUSE_MS) / 1_000));
  const began = performance.now();
  const requests: Promise<unknown>[] = [];
  const count = Math.round((rate * seconds) / perRequest);
  for (let n = 0; n < count; n++) {
    const events = Array.from({ length: perRequest }, (_, i) => {
      const nth = n * perRequest + i;
      const contact = { email: `reader${(nth * 7_919) % contacts}@example.com` };
      return { contact, event: `event_${(nth * 3) % EVENT_NAMES}`, properties: { value: (nth * 7) % 100 } };
    });
    requests.push(call(service, folder, 'POST', '/events/batch', { events }));
    await sleep(Math.max(0, began + ((n + 1) * 1_000 * perRequest) / rate - performance.now()));
  }
  await Promise.all(requests);
  return count * perRequest;
}

/** Waits until the counts of all segments stay as they are. */
async function quiet(service: Server, folder: DataFolder, ids: readonly string[]): Promise<void> {
  const counts = async () => JSON.stringify(await Promise.all(ids.slice(0, 20).map(async (id) => (await segmentOf(service, folder, id)).count)));
  let [before, same] = ['', 0];
  await until(async () => {
    const now = await counts();
    same = now === before ? same + 1 : 0;
    before = now;
    return same >= 6;
  });
}

async function restarted(folder: DataFolder, segment: string): Promise<number> {
  const began = performance.now();
  const service = await startService(environmentOf(folder));
  try {
    await get(service.url, folder.apiKey, `/v1/segments/${segment}/contacts?limit=1`);
    return (performance.now() - began) / 1_000;
  } finally {
    await service.kill();
  }
}

const segmentOf = (service: Server, folder: DataFolder, id: string): Promise<{ status: string; count: number }> =>
  get(service.url, folder.apiKey, `/v1/segments/${id}`);

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + TIMEOUT_MS; !(await isSo()); await sleep(POLL_MS))
    if (performance.now() > end) throw new Error('the segments do not come to rest');
}
