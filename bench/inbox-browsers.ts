import http from 'node:http';
import { answerJob } from './job-entry.js';
import { cpuOf } from './processes.js';

/** Opens streams of inboxes and sends messages to them, in a process of its own. */
export interface BrowsersJob {
  readonly url: string;
  readonly apiKey: string;
  /** Of the service, whose CPU is measured. */
  readonly pid: number;
  /** The contact that all browsers of `shared` follow, with its token. */
  readonly shared: Reader & { readonly browsers: number };
  /** Contacts with one browser each. */
  readonly others: readonly Reader[];
  readonly seconds: number;
  /** Messages a second to some of the others. One a second goes to the shared contact. */
  readonly rate: number;
}

export interface Reader {
  readonly contact_id: string;
  readonly token: string;
}

export interface BrowsersResult {
  /** Milliseconds from the answer to a send to the event in a browser. */
  readonly shared: readonly number[];
  readonly others: readonly number[];
  /** CPU of the service: while nothing happens, and while messages are sent. */
  readonly atRest: CpuUse;
  readonly busy: CpuUse;
}

interface CpuUse {
  readonly cpuMs: number;
  readonly seconds: number;
}

const CONCURRENCY = 16;
const IDLE_MS = 5_000;
const ARRIVAL_MS = 60_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function run({ url, apiKey, pid, shared, others, seconds, rate }: BrowsersJob): Promise<BrowsersResult> {
  /** By message: when each of its browsers had it. */
  const arrived = new Map<string, number[]>();
  const note = (id: string): void => {
    const times = arrived.get(id) ?? [];
    times.push(performance.now());
    arrived.set(id, times);
  };
  const readers = [...Array.from({ length: shared.browsers }, () => shared), ...others];
  let next = 0;
  const open = async (): Promise<void> => {
    for (let reader = readers[next++]; reader; reader = readers[next++]) await follow(url, reader, note);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, open));

  const cpuOver = async (work: () => Promise<unknown>): Promise<CpuUse> => {
    const [cpu, at] = [cpuOf(pid), performance.now()];
    await work();
    return { cpuMs: cpuOf(pid) - cpu, seconds: (performance.now() - at) / 1_000 };
  };
  const atRest = await cpuOver(() => pause(IDLE_MS));

  const sent: { id: string; at: number; to: Reader }[] = [];
  const send = async (to: Reader): Promise<void> => {
    const id = await post(url, apiKey, to.contact_id);
    sent.push({ id, at: performance.now(), to });
  };
  const expected = (to: Reader): number => (to === shared ? shared.browsers : 1);
  const busy = await cpuOver(async () => {
    const sends: Promise<void>[] = [];
    for (let nth = 0; nth < seconds * rate; nth++) {
      if (nth % rate === 0) sends.push(send(shared));
      sends.push(send(others[(nth * 7) % others.length] as Reader));
      await pause(1_000 / rate);
    }
    await Promise.all(sends);
    const deadline = performance.now() + ARRIVAL_MS;
    while (sent.some(({ id, to }) => (arrived.get(id)?.length ?? 0) < expected(to))) {
      if (performance.now() > deadline) throw new Error('messages have not arrived');
      await pause(10);
    }
  });
  const lags = (of: (to: Reader) => boolean): number[] =>
    sent.filter(({ to }) => of(to)).flatMap(({ id, at }) => (arrived.get(id) ?? []).map((time) => Math.max(0, time - at)));
  for (const { id, to } of sent)
    if (arrived.get(id)?.length !== expected(to)) throw new Error(`the message ${id} arrived ${arrived.get(id)?.length} times`);
  return { shared: lags((to) => to === shared), others: lags((to) => to !== shared), atRest, busy };
}

/** Resolves once the stream has begun. */
function follow(url: string, { token }: Reader, note: (id: string) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.get(`${url}/v1/inbox/stream?token=${token}`, { agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`a stream was answered with ${response.statusCode}`));
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const parts = (text + chunk).split('\n\n');
        text = parts.pop() ?? '';
        for (const part of parts) {
          const [, event, data = ''] = /event: (\w+)\ndata: (.*)/.exec(part) ?? [];
          if (event === 'message') note((JSON.parse(data) as { message_id: string }).message_id);
          else if (event === 'counts') resolve();
        }
      });
    });
    request.on('error', reject);
  });
}

const agent = new http.Agent({ keepAlive: true, maxSockets: CONCURRENCY });

/** Sends a message; resolves with its id. */
function post(url: string, apiKey: string, to: string): Promise<string> {
  const body = JSON.stringify({ to, channel: 'in_app', title: 'Shop', message: 'Your order is here.' });
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': apiKey, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const request = http.request(`${url}/v1/messages/send`, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response
        .setEncoding('utf8')
        .on('data', (chunk: string) => {
          text += chunk;
        })
        .on('end', () => {
          if (response.statusCode === 202) resolve((JSON.parse(text) as { id: string }).id);
          else reject(new Error(`a send was answered with ${response.statusCode}: ${text}`));
        });
    });
    request.on('error', reject).end(body);
  });
}

answerJob(run);
