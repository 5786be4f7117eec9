import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { type Bound, type Figure, figure } from './figures.js';
import { type DataFolder, environmentOf, newFolder, waitUntilDelivered } from './folders.js';
import type { BenchContext, Measurement, PartDefinition } from './part.js';
import { type Server, startService } from './processes.js';
import { insertRows, LOG } from './raw-inserts.js';
import { randomPhone } from './samples.js';

const PUBLIC_URL = 'https://hooks.example.com';
const TOKEN = 'token-of-the-benchmark';
const BASIC = `Basic ${Buffer.from('user:password').toString('base64')}`;
const CONNECTIONS = 16;
const BATCH = 500;
const IN_BATCHES: Bound = { of: 'value', at: 'least', is: 3_000 };
const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** Receipts that carriers report, by the path that they come in at. */
export const receipts: PartDefinition = { title: 'receipts of carriers: how many a second are recorded, on each path', measure };

/** A signed request with receipts of these messages. */
interface ReceiptRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Path {
  readonly name: string;
  /** Receipts of a request. */
  readonly batch: number;
  readonly request: (ids: readonly string[], run: string) => ReceiptRequest;
}

const json = { 'content-type': 'application/json' };
const paths: readonly Path[] = [
  {
    name: 'sendgrid, in batches',
    batch: BATCH,
    request: (ids, run) => {
      const timestamp = Math.floor(Date.now() / 1_000);
      const events = ids.map((message_id) => ({ event: 'open', timestamp, sg_event_id: `${run}-${message_id}`, email: 'a@example.com', message_id }));
      const body = JSON.stringify(events);
      const signature = sign('sha256', Buffer.from(timestamp + body), keys.privateKey).toString('base64');
      const signed = { 'x-twilio-email-event-webhook-timestamp': String(timestamp), 'x-twilio-email-event-webhook-signature': signature };
      return { path: '/v1/webhooks/sendgrid', headers: { ...json, ...signed }, body };
    },
  },
  {
    name: 'postmark',
    batch: 1,
    request: ([message_id], run) => {
      const record = { RecordType: 'Open', MessageID: `pm-${message_id}`, FirstOpen: true, ReceivedAt: new Date().toISOString(), Tag: run };
      return {
        path: '/v1/webhooks/postmark',
        headers: { ...json, authorization: BASIC },
        body: JSON.stringify({ ...record, Metadata: { message_id } }),
      };
    },
  },
  {
    name: 'twilio',
    batch: 1,
    request: ([id], run) => {
      const path = `/v1/webhooks/twilio?message_id=${id}`;
      const fields = { MessageSid: `SM-${run}-${id}`, MessageStatus: 'read' };
      const signed = `${PUBLIC_URL}${path}MessageSid${fields.MessageSid}MessageStatusread`;
      const signature = createHmac('sha1', TOKEN).update(signed).digest('base64');
      const type = 'application/x-www-form-urlencoded';
      return { path, headers: { 'content-type': type, 'x-twilio-signature': signature }, body: new URLSearchParams(fields).toString() };
    },
  },
  {
    name: 'vonage',
    batch: 1,
    request: ([client_ref], run) => {
      const status = { message_uuid: `${run}-${client_ref}`, status: 'read', timestamp: new Date().toISOString(), channel: 'whatsapp' };
      const body = JSON.stringify({ ...status, client_ref });
      const payload_hash = createHash('sha256').update(body).digest('hex');
      const token = jwt.sign({ iss: 'Vonage', payload_hash }, TOKEN);
      return { path: '/v1/webhooks/vonage', headers: { ...json, authorization: `Bearer ${token}` }, body };
    },
  },
];

const settings = {
  HELIOGRAPH_PUBLIC_URL: PUBLIC_URL,
  ...{ TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: TOKEN },
  ...{ VONAGE_API_KEY: 'key', VONAGE_API_SECRET: 'secret', VONAGE_SIGNATURE_SECRET: TOKEN },
  ...{ SENDGRID_API_KEY: 'key', SENDGRID_WEBHOOK_PUBLIC_KEY: keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64') },
  ...{ POSTMARK_SERVER_TOKEN: 'token', POSTMARK_WEBHOOK_USER: 'user', POSTMARK_WEBHOOK_PASSWORD: 'password' },
};

async function measure({ quick, parent, say }: BenchContext): Promise<Measurement> {
  const count = quick ? 5_000 : 20_000;
  const folder = await newFolder(parent);
  const service = await startService({ ...environmentOf(folder), ...settings });
  const figures: Figure[] = [];
  try {
    const ids = await sendAll(service, folder, count);
    await waitUntilDelivered(service.url, folder);
    for (const path of paths) {
      const some = path.batch === 1 ? ids.slice(0, Math.floor(count / 4)) : ids;
      await post(service, path, ids.slice(0, 500), 'before');
      const cpu = service.cpuMs();
      const rate = (some.length * 1_000) / (await post(service, path, some, 'measured'));
      const cpuEach = ((service.cpuMs() - cpu) * 1_000) / some.length;
      const reference = appends(parent, some, path.batch);
      figures.push(figure(`receipts a second, ${path.name}`, rate, '/s', { reference, ...(path.batch > 1 && { bound: IN_BATCHES }) }));
      figures.push(figure(`CPU of a receipt, ${path.name}`, cpuEach, 'µs'));
      say(`  ${path.name}: ${Math.round(rate)} a second, ${Math.round(cpuEach)} µs of CPU each`);
    }
  } finally {
    await service.kill();
  }
  return { dataset: `${count.toLocaleString('en-US')} messages, batches of ${BATCH}, ${CONNECTIONS} requests at a time, all roles`, figures };
}

/** The rows of as many events in a plain table, with those of a request in one durable transaction. */
function appends(parent: string, ids: readonly string[], together: number): { name: string; value: number } {
  const rows = ids.map((id) => ({ id, data: JSON.stringify({ id, kind: 'opened', filler: 'x'.repeat(400) }) }));
  return { name: 'plain inserts', value: (rows.length * 1_000) / insertRows(join(parent, 'receipts.db'), LOG, rows, together) };
}

async function sendAll({ url }: Server, { apiKey }: DataFolder, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const messages = Array.from({ length: Math.min(5_000, count - ids.length) }, () => ({ to: randomPhone(), channel: 'sms', message: 'Hello' }));
    const headers = { ...json, 'x-api-key': apiKey };
    const answer = await fetch(`${url}/v1/messages/bulk`, { method: 'POST', headers, body: JSON.stringify({ messages }) });
    const body = (await answer.json()) as { readonly messages: readonly { readonly id: string }[] };
    if (answer.status !== 202) throw new Error(`a bulk was answered with ${answer.status}`);
    ids.push(...body.messages.map(({ id }) => id));
  }
  return ids;
}

/** Milliseconds until all receipts are answered, and so recorded. */
async function post({ url }: Server, { batch, request }: Path, ids: readonly string[], run: string): Promise<number> {
  const requests = Array.from({ length: Math.ceil(ids.length / batch) }, (_, n) => request(ids.slice(n * batch, (n + 1) * batch), run));
  const next = requests.values();
  const began = performance.now();
  const connection = async (): Promise<void> => {
    for (const { path, headers, body } of next) {
      const answer = await fetch(url + path, { method: 'POST', headers, body });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${text.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, connection));
  return performance.now() - began;
}
