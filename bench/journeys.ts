import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { journeyMessageId } from '../commands/journeys/send-node.js';
import { hashId } from '../log/runtime/ids.js';
import { type Figure, figure, percentile } from './figures.js';
import { type DataFolder, environmentOf, get, newFolder } from './folders.js';
import { DispatchLog } from './one-time-codes.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { type Server, startService } from './processes.js';

/** Events a second; one in ten starts a journey. */
const EVENTS = 1_000;
const STARTING = 10;
/** Between two requests. */
const PAUSE_MS = 20;
/** Events of one request while contacts enter a journey in which they wait. */
const AT_ONCE = 500;
const POLL_MS = 250;
const TIMEOUT_MS = 3_600_000;
/** Contacts that wait, of each thousand of the full store. */
const WAITING_SHARE = 0.1;
const TIMERS_AIM = { of: 'value', at: 'least', is: 3_000 } as const;
const SENDS_AIM = { of: 'value', at: 'least', is: 1_000 } as const;
const FIRST_SEND = { of: 'value', at: 'most', is: 1_000 } as const;

/** The work of journeys: from an event to the first message, timers that are due at once, and the memory of contacts that wait. */
export const journeysPart: PartDefinition = {
  title: 'journeys: from an event to the first message, timers due at once, contacts that wait',
  measure,
};

interface Setting {
  readonly service: Server;
  readonly folder: DataFolder;
  readonly dispatchLog: DispatchLog;
  readonly say: BenchContext['say'];
}
interface Stats {
  readonly started: number;
  readonly active: number;
}

async function measure({ quick, messages, parent, say }: BenchContext): Promise<Measurement> {
  const waiting = Math.max(1_000, Math.round(messages * WAITING_SHARE));
  const [seconds, warmUp] = quick ? [10, 5] : [30, 20];
  const folder = await newFolder(parent);
  const dispatchLogFile = join(folder.dir, 'hand-overs.log');
  const service = await startService({ ...environmentOf(folder), HELIOGRAPH_SANDBOX_LOG: dispatchLogFile });
  const dispatchLog = new DispatchLog(dispatchLogFile);
  const setting: Setting = { service, folder, dispatchLog, say };
  try {
    const first = await firstSends(setting, seconds, warmUp);
    const timers = await burst(setting, 'timers', waiting, null);
    const sends = await burst(setting, 'timers with a message', waiting, 'send');
    return {
      dataset: `${seconds} s of ${EVENTS.toLocaleString('en-US')} events a second, of which one in ${STARTING} starts a journey, after ${warmUp} s of them that do not count; then ${waiting.toLocaleString('en-US')} contacts that wait for one time; all roles; the carrier is the sandbox`,
      figures: [...first, ...timers, ...sends, figure('peak memory', service.memory().peak, 'MB')],
    };
  } finally {
    dispatchLog.close();
    await service.kill();
  }
}

const trigger = (event: string, next: string) => ({ id: 't', kind: 'trigger', on: { type: 'event', event }, next });
const mail = { id: 'send', kind: 'send', channel: 'email', category: 'transactional', subject: 'Hi', message: 'Hi {{ contact.email }}', next: null };

/** From the request with an event until the carrier has the message that it starts. */
async function firstSends(setting: Setting, seconds: number, warmUp: number): Promise<Figure[]> {
  const journey = await published(setting, [trigger('go', 'send'), mail]);
  const times: Promise<number>[] = [];
  const perRequest = (EVENTS * PAUSE_MS) / 1_000;
  const began = performance.now();
  const requests: Promise<void>[] = [];
  for (let n = 0; n < ((warmUp + seconds) * 1_000) / PAUSE_MS; n++) {
    const from = performance.now();
    const events = Array.from({ length: perRequest }, (_, i) => ({
      contact: { email: `first${n * perRequest + i}@example.com` },
      event: i % STARTING === 0 ? 'go' : 'look',
    }));
    requests.push(
      recorded(setting, events).then((answers) => {
        for (const [i, { id, contact_id }] of answers.entries()) {
          if (events[i]?.event !== 'go' || from - began < warmUp * 1_000) continue;
          const enrollment = hashId('enr', journey, contact_id, id);
          times.push(setting.dispatchLog.of(journeyMessageId(enrollment, 'send', 1)).then((at) => at - from));
        }
      }),
    );
    await sleep(Math.max(0, began + (n + 1) * PAUSE_MS - performance.now()));
  }
  const offered = performance.now() - began;
  await Promise.all(requests);
  const all = await Promise.all(times);
  setting.say(`  ${all.length} journeys started within ${Math.round(offered)} ms`);
  return [
    figure('from an event to the first message, p50', percentile(all, 0.5), 'ms'),
    figure('from an event to the first message, p99', percentile(all, 0.99), 'ms', { bound: FIRST_SEND }),
  ];
}

/** Contacts that wait until one time. */
async function burst(setting: Setting, name: string, count: number, next: 'send' | null): Promise<Figure[]> {
  const { service, say } = setting;
  const before = service.memory().now;
  const event = next ?? 'wait';
  const at = new Date(Date.now() + Math.max(30_000, count * 8));
  const delay = { id: 'd', kind: 'delay', mode: 'until', at: at.toISOString(), next };
  const journey = await published(setting, [trigger(event, 'd'), delay, ...(next === null ? [] : [mail])]);
  const from = performance.now();
  const cpuFrom = service.cpuMs();
  for (let n = 0; n < count; n += AT_ONCE)
    await recorded(
      setting,
      Array.from({ length: Math.min(AT_ONCE, count - n) }, (_, i) => ({ contact: { email: `burst${n + i}@example.com` }, event })),
    );
  await until(setting, journey, ({ active }) => active === count);
  const entered = performance.now() - from;
  const cpuEntered = service.cpuMs() - cpuFrom;
  if (Date.now() > at.getTime()) throw new Error(`${count} contacts were not in the journey before ${at.toISOString()}`);
  const waiting = service.memory().now;
  say(`  ${count} contacts entered within ${Math.round(entered)} ms, ${Math.round(waiting)} MB`);
  await sleep(at.getTime() - Date.now());
  const due = performance.now();
  const cpuDue = service.cpuMs();
  await until(setting, journey, ({ started, active }) => started === count && active === 0);
  const drained = performance.now() - due;
  const cpuDrained = service.cpuMs() - cpuDue;
  say(`  ${name}: drained within ${Math.round(drained)} ms`);
  return [
    figure(`${name}: contacts a second that enter`, (1_000 * count) / entered, '/s'),
    figure(`${name}: CPU of an entry, with its event`, (1_000 * cpuEntered) / count, 'µs'),
    figure(`${name}: memory before`, before, 'MB'),
    figure(`${name}: memory while ${count.toLocaleString('en-US')} wait`, waiting, 'MB'),
    figure(`${name}: due a second`, (1_000 * count) / drained, '/s', { bound: next === null ? TIMERS_AIM : SENDS_AIM }),
    figure(`${name}: CPU of each`, (1_000 * cpuDrained) / count, 'µs'),
  ];
}

async function published(setting: Setting, nodes: readonly object[]): Promise<string> {
  const { id } = await call<{ id: string }>(setting, '/journeys', { name: 'Bench', nodes, settings: { reentry: { mode: 'always' } } });
  await call(setting, `/journeys/${id}/publish`, {});
  return id;
}

const recorded = async (setting: Setting, events: readonly object[]) =>
  (await call<{ events: { id: string; contact_id: string }[] }>(setting, '/events/batch', { events })).events;

async function until({ service, folder }: Setting, journey: string, isSo: (stats: Stats) => boolean): Promise<void> {
  const stats = () => get<Stats>(service.url, folder.apiKey, `/v1/journeys/${journey}/stats`);
  for (const end = performance.now() + TIMEOUT_MS; !isSo(await stats()); await sleep(POLL_MS))
    if (performance.now() > end) throw new Error(`the journey is not done: ${JSON.stringify(await stats())}`);
}

async function call<Body>({ service, folder }: Setting, path: string, body: object): Promise<Body> {
  const headers = { 'x-api-key': folder.apiKey, 'content-type': 'application/json' };
  const answer = await fetch(`${service.url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`POST ${path} was answered with ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Body;
}
