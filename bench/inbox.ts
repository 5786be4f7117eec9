import { figure, percentile } from './figures.js';
import { environmentOf, newFolder } from './folders.js';
import type { BrowsersJob, BrowsersResult, Reader } from './inbox-browsers.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { runJob, startService } from './processes.js';

const SHARED_BROWSERS = 100;
const OTHER_BROWSERS = 1_000;
const RATE = 20;
const CONCURRENCY = 16;
const AIM_MS = 1_000;

/** How soon a message is in the browsers of its contact, while many are connected. */
export const inboxPart: PartDefinition = {
  title: `inboxes: from an accepted message to its event, ${SHARED_BROWSERS} browsers on one contact and ${OTHER_BROWSERS.toLocaleString('en-US')} on others`,
  measure,
};

async function measure({ quick, parent, say }: BenchContext): Promise<Measurement> {
  const seconds = quick ? 10 : 30;
  const folder = await newFolder(parent);
  const service = await startService(environmentOf(folder));
  try {
    const [first, ...others] = await readersOf(service.url, folder.apiKey, 1 + OTHER_BROWSERS);
    const shared = { ...(first as Reader), browsers: SHARED_BROWSERS };
    const task: BrowsersJob = { url: service.url, apiKey: folder.apiKey, pid: service.pid, shared, others, seconds, rate: RATE };
    const result = await runJob<BrowsersJob, BrowsersResult>('./inbox-browsers.js', task);
    const p99 = percentile([...result.shared, ...result.others], 0.99);
    const messages = seconds * (RATE + 1);
    const { atRest, busy } = result;
    const restCpu = atRest.cpuMs / atRest.seconds;
    const messageCpu = (1_000 * (busy.cpuMs - restCpu * busy.seconds)) / messages;
    say(`  ${Math.round(p99)} ms at p99, CPU ${Math.round(restCpu)} ms a second at rest, and ${Math.round(messageCpu)} µs a message`);
    return {
      dataset: `${messages} messages in ${seconds} s, ${seconds} of them to the contact with ${SHARED_BROWSERS} browsers; the browsers are another process`,
      figures: [
        figure('event at a browser, all, p99', p99, 'ms', { bound: { of: 'value', at: 'most', is: AIM_MS } }),
        figure(`the contact with ${SHARED_BROWSERS} browsers, p50`, percentile(result.shared, 0.5), 'ms'),
        figure(`the contact with ${SHARED_BROWSERS} browsers, p99`, percentile(result.shared, 0.99), 'ms'),
        figure('the others, p50', percentile(result.others, 0.5), 'ms'),
        figure('the others, p99', percentile(result.others, 0.99), 'ms'),
        figure('CPU at rest, all streams open', restCpu, 'ms/s'),
        figure('CPU, whole life of a message with its events', messageCpu, 'µs'),
      ],
    };
  } finally {
    await service.kill();
  }
}

/** New contacts, each with a token for its browsers. */
async function readersOf(url: string, apiKey: string, count: number): Promise<Reader[]> {
  const ask = async <Body>(path: string, body: object): Promise<Body> => {
    const answer = await fetch(`${url}/v1/${path}`, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (answer.status !== 201) throw new Error(`POST ${path} was answered with ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Body;
  };
  const readers: Reader[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let nth = next++; nth < count; nth = next++) {
      const { id: contact_id } = await ask<{ id: string }>('contacts', { email: `reader${nth}@example.com` });
      const { token } = await ask<{ token: string }>('inbox/tokens', { contact_id, ttl_seconds: 86_400 });
      readers.push({ contact_id, token });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return readers;
}
