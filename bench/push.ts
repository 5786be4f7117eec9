import { createECDH, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { postBulk } from './bulks.js';
import { figure } from './figures.js';
import { type DataFolder, environmentOf, newFolder, untilDone } from './folders.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { type Server, startService } from './processes.js';

const SUBSCRIPTIONS = 10_000;
const CONCURRENCY = 32;
const POLL_MS = 1_000;

/** CPU of the service for each browser that a message is encrypted for and handed to, beside the life of the message itself. */
export const push: PartDefinition = { title: 'push messages to browsers: CPU a subscription and a hand-over', measure };

async function measure({ quick, parent, say }: BenchContext): Promise<Measurement> {
  const count = quick ? SUBSCRIPTIONS / 5 : SUBSCRIPTIONS;
  const folder = await newFolder(parent);
  const pushService = await startPushService();
  const own = {
    ...environmentOf(folder),
    HELIOGRAPH_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    HELIOGRAPH_RATE_LIMITS: JSON.stringify({ public: 1_000_000, general: 1_000_000 }),
  };
  let service = await startService(own);
  try {
    const subscribed = await subscribeAll(service, folder, pushService.origin, count);
    const sandbox = await sendToAll(service, { apiKey: await testKeyOf(service, folder) }, count, 'delivered');
    await service.stop();
    service = await startService({ ...own, HELIOGRAPH_ROUTES: '{"push":["webpush"]}' });
    const whole = await sendToAll(service, folder, count, 'sent');
    say(`  ${Math.round(subscribed)} µs a subscription, ${Math.round(whole)} µs a message to a browser, ${Math.round(sandbox)} µs to the sandbox`);
    if (pushService.received() !== count) throw new Error(`${pushService.received()} of ${count} messages arrived`);
    return {
      dataset: `${count.toLocaleString('en-US')} contacts with a browser each, one bulk to all; all roles of one process; the push service is another process`,
      figures: [
        figure('CPU, subscription with its contact', subscribed, 'µs'),
        figure('CPU, whole life of a message to the sandbox', sandbox, 'µs'),
        figure('CPU, whole life of a message to a browser', whole, 'µs'),
        figure('CPU, hand-over to a browser beside that life', whole - sandbox, 'µs', { bound: { of: 'value', at: 'most', is: 1_000 } }),
      ],
    };
  } finally {
    await service.kill();
    await pushService.stop();
  }
}

const emailOf = (nth: number): string => `reader${nth}@example.com`;

/** Microseconds of CPU a subscription. */
async function subscribeAll(service: Server, { account }: DataFolder, origin: string, count: number): Promise<number> {
  const keys = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: randomBytes(16).toString('base64url') };
  const from = service.cpuMs();
  let next = 0;
  const worker = async () => {
    for (let nth = next++; nth < count; nth = next++) {
      const body = { account_id: account, platform: 'web', contact: { email: emailOf(nth) }, subscription: { endpoint: `${origin}/${nth}`, keys } };
      const answer = await fetch(`${service.url}/v1/push/subscribe`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (answer.status !== 201) throw new Error(`a subscription was answered with ${answer.status}: ${await answer.text()}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return (1_000 * (service.cpuMs() - from)) / count;
}

/** Messages of a test key end at the sandbox, which looks at no device: what is measured with one is the life of a message alone. */
async function testKeyOf({ url }: Server, { apiKey }: DataFolder): Promise<string> {
  const answer = await fetch(`${url}/v1/api-keys`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
    body: JSON.stringify({ name: 'Bench', scopes: null, mode: 'test' }),
  });
  if (answer.status !== 201) throw new Error(`a test key was answered with ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { key: string }).key;
}

/** Microseconds of CPU a message, from the bulk until all have a status. */
async function sendToAll(service: Server, { apiKey }: Pick<DataFolder, 'apiKey'>, count: number, status: 'sent' | 'delivered'): Promise<number> {
  const messages = Array.from({ length: count }, (_, nth) => ({ to: emailOf(nth), message: `Hello ${nth}` }));
  const from = service.cpuMs();
  const { batch_id } = await postBulk(service.url, apiKey, JSON.stringify({ messages, defaults: { channel: 'push', title: 'News' } }));
  await untilDone(async () => {
    const answer = await fetch(`${service.url}/v1/messages/bulk/${batch_id}`, { headers: { 'x-api-key': apiKey } });
    const { counts } = (await answer.json()) as { counts?: Readonly<Record<string, number>> };
    if (counts?.[status] === count) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    return false;
  });
  return (1_000 * (service.cpuMs() - from)) / count;
}

/** A push service that takes everything. */
async function startPushService(): Promise<{ origin: string; received: () => number; stop: () => Promise<void> }> {
  let received = 0;
  const server: HttpServer = createServer((request, response) => {
    request.resume().once('end', () => {
      received += 1;
      response.writeHead(201).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
