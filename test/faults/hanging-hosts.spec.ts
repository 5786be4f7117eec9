import { createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { systemClock } from '../../ops/system/clock.js';
import { EMBEDDED } from '../support/engines.js';
import { eventually, TIMEOUT_FACTOR } from '../support/eventually.js';
import { PeakMemory } from '../support/peak-memory.js';
import { percentile } from '../support/percentile.js';
import { Service } from '../support/service.js';
import { Receiver } from '../webhooks/receiver.js';
import { sizeOf } from './sizes.js';

const HOSTS = sizeOf('FAULTS_HANGING_HOSTS');
const KILLS = sizeOf('FAULTS_HANGING_KILLS');
/** Between two kills, and after the last one, in milliseconds. */
const PERIOD_MS = 8_000;
const MAX_RSS = 1_500_000_000;
const P99_MS = 1_000 * TIMEOUT_FACTOR;
const BULK = 10_000;
/** Between two sends of the other account. */
const PAUSE_MS = 50;
const SETTLE_MS = 300_000 * TIMEOUT_FACTOR;

/** A server that accepts connections on all loopback addresses and never answers. */
class HangingHosts {
  open = 0;
  mostOpen = 0;
  readonly #sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {}

  static async start(): Promise<HangingHosts> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    const hosts = new HangingHosts(server, (server.address() as { port: number }).port);
    server.on('connection', (socket) => hosts.#accept(socket));
    return hosts;
  }

  /** One of 16 million hosts. */
  url(nth: number): string {
    return `http://127.${1 + (nth >> 16)}.${(nth >> 8) & 255}.${nth & 255}:${this.port}/`;
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    this.mostOpen = Math.max(this.mostOpen, ++this.open);
    socket.resume();
    socket.on('error', () => {});
    socket.on('close', () => {
      this.open -= 1;
      this.#sockets.delete(socket);
    });
  }
}

/** A send of the other account. Times by performance.now(). */
interface Send {
  readonly began: number;
  /** Of the service when it was sent, from 0. */
  readonly life: number;
  readonly answeredMs: number;
}

describe(`${HOSTS} hosts of one account that never answer its webhooks, and ${KILLS} kills`, () => {
  let service: Service;
  let hosts: HangingHosts;
  let receiver: Receiver;
  let otherKey: string;
  let life = 0;
  const accepted: string[] = [];
  const sends = new Map<string, Send>();
  /** From the send to the webhook, where the service was not killed in between. */
  const webhookMs: number[] = [];
  const arrived = new Set<string>();
  const memory = new PeakMemory();
  const ending = new AbortController();
  before(async () => {
    hosts = await HangingHosts.start();
    receiver = await Receiver.start(systemClock, ({ body }) => {
      const { message_id: id } = JSON.parse(body);
      const sent = sends.get(id);
      if (sent && sent.life === life && !arrived.has(id)) webhookMs.push(performance.now() - sent.began);
      arrived.add(id);
      return 200;
    });
    service = await Service.start({}, EMBEDDED);
    otherKey = (await service.createAccount('quiet@example.com')).key;
  });
  after(async () => {
    ending.abort();
    await service?.close();
    await receiver?.close();
    await hosts?.close();
  });

  /** Repeats the request until it is answered: kills interrupt it. */
  async function acceptedBulk(first: number): Promise<void> {
    const messages = Array.from({ length: Math.min(BULK, HOSTS - first) }, (_, i) => ({
      to: `+1415${String(5_000_000 + first + i)}`,
      channel: 'sms',
      message: 'Hello',
      webhook_url: hosts.url(first + i),
      webhook_events: ['message.sent'],
    }));
    for (;;) {
      const reply = await service.api('POST', '/v1/messages/bulk', { messages }, { 'Idempotency-Key': `hosts-${first}` }).catch(() => null);
      if (reply?.status === 202) return void accepted.push(...reply.body.messages.map(({ id }: { id: string }) => id));
      if (reply) expect(reply.status, reply.text).to.be.oneOf([409, 429, 503]);
      await sleep(500);
    }
  }

  async function sendOthers(): Promise<void> {
    const body = { to: '+14155550100', channel: 'sms', message: 'Code 1234', webhook_url: `${receiver.origin}/`, webhook_events: ['message.sent'] };
    while (!ending.signal.aborted) {
      const [began, ofLife] = [performance.now(), life];
      const reply = await service.api('POST', '/v1/messages/send', body, { 'X-API-Key': otherKey }).catch(() => null);
      if (reply?.status === 202) sends.set(reply.body.id, { began, life: ofLife, answeredMs: performance.now() - began });
      await sleep(PAUSE_MS);
    }
  }

  it('keep the service within its memory, and the other account’s webhooks and sends at their pace', async () => {
    const watching = memory.watch(() => service.pid, ending.signal);
    for (let first = 0; first < HOSTS; first += BULK) await acceptedBulk(first);
    await eventually('webhooks hang', () => hosts.open > 0, { within: SETTLE_MS });
    const others = sendOthers();
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(PERIOD_MS);
      life += 1;
      await service.kill9();
      await service.restart();
    }
    await sleep(PERIOD_MS);
    ending.abort();
    await Promise.all([watching, others]);
    const answers = [...sends.values()].map(({ answeredMs }) => answeredMs);
    const p99 = { answer: percentile(answers, 0.99), webhook: percentile(webhookMs, 0.99) };
    console.log(
      `    ${accepted.length} webhooks to hanging hosts, at most ${hosts.mostOpen} connections; ${sends.size} other sends: answered p99 ${p99.answer.toFixed(0)} ms, ` +
        `webhook p50 ${percentile(webhookMs, 0.5).toFixed(0)} ms, p99 ${p99.webhook.toFixed(0)} ms (of ${webhookMs.length}); at most ${(memory.peak / 1e6).toFixed(0)} MB`,
    );
    expect(hosts.mostOpen).to.be.above(100);
    expect(memory.peak, 'resident memory').to.be.below(MAX_RSS);
    expect(p99.answer, 'p99 of the other account’s answers').to.be.below(P99_MS);
    expect(p99.webhook, 'p99 of the other account’s webhooks').to.be.below(P99_MS);
  });

  it('lose no message of either account, nor a webhook', async () => {
    await eventually('each webhook of the other account arrived', () => [...sends.keys()].every((id) => arrived.has(id)), { within: SETTLE_MS });
    await eventually('all messages are delivered', async () => (await delivered()).size === HOSTS, { within: SETTLE_MS, every: 5_000 });
    const known = await delivered();
    expect(accepted.filter((id) => !known.has(id))).to.deep.equal([]);
    await eventually('each hanging webhook waits for its next attempt', async () => (await waitingWebhooks()) === HOSTS, {
      within: SETTLE_MS,
      every: 1_000,
    });
  });

  async function delivered(): Promise<ReadonlySet<string>> {
    const ids = new Set<string>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await service.api('GET', `/v1/messages?limit=100&status=delivered${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`);
      for (const { id } of page.body.data) ids.add(id);
      cursor = page.body.next_cursor ?? null;
    }
    return ids;
  }

  async function waitingWebhooks(): Promise<number> {
    const { text } = await service.api('GET', '/metrics');
    return Number(/^heliograph_todos_waiting\{process="webhooks\/deliver-status"\} (\d+)/m.exec(text)?.[1]);
  }
});
