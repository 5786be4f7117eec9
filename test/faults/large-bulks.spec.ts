import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { EMBEDDED } from '../support/engines.js';
import { eventually, TIMEOUT_FACTOR } from '../support/eventually.js';
import { PeakMemory } from '../support/peak-memory.js';
import { percentile } from '../support/percentile.js';
import { type Reply, Service } from '../support/service.js';
import { sizeOf } from './sizes.js';

const BULKS = sizeOf('FAULTS_LARGE_BULKS');
const EMAILS = sizeOf('FAULTS_LARGE_EMAILS');
const TEXT_BYTES = sizeOf('FAULTS_LARGE_BYTES');
const KILLS = sizeOf('FAULTS_LARGE_KILLS');
/** `eventstoredb`: over the fake server. */
const LOG = process.env.FAULTS_LARGE_LOG === 'eventstoredb' ? 'eventstoredb' : 'sqlite';
const MAX_RSS = 1_500_000_000;
const P99_MS = 1_000 * TIMEOUT_FACTOR;
/** Between two sends of the other account. */
const PAUSE_MS = 20;

describe(`${BULKS} bulks of ${EMAILS} emails of ${TEXT_BYTES} bytes of text and as much HTML, and ${KILLS} kills`, () => {
  let service: Service;
  let otherKey: string;
  before(async () => {
    service = await Service.start({}, { ...EMBEDDED, log: LOG });
    otherKey = (await service.createAccount('quiet@example.com')).key;
  });
  const ending = new AbortController();
  after(() => {
    ending.abort();
    return service.close();
  });

  const memory = new PeakMemory();
  const accepted: string[] = [];
  const ofOther: string[] = [];
  const waits: number[] = [];

  const filler = 'Lorem ipsum dolor sit amet. '.repeat(Math.ceil(TEXT_BYTES / 28)).slice(0, TEXT_BYTES);
  const bulk = (nth: number): Promise<Reply> => {
    const messages = Array.from({ length: EMAILS }, (_, i) => ({
      to: `reader${nth}-${i}@example.com`,
      channel: 'email',
      message: `${nth}/${i} ${filler}`,
      html: `<p>${nth}/${i} ${filler}</p>`,
    }));
    return service.api('POST', '/v1/messages/bulk', { messages }, { 'Idempotency-Key': `large-${nth}` });
  };

  /** Repeats the request until it is answered: kills interrupt it, and a service without room refuses it. */
  async function acceptedBulk(nth: number): Promise<void> {
    for (;;) {
      const reply = await bulk(nth).catch(() => null);
      if (reply?.status === 202) {
        accepted.push(...reply.body.messages.map(({ id }: { id: string }) => id));
        return;
      }
      if (reply) expect(reply.status, reply.text).to.be.oneOf([409, 429, 503]);
      await sleep(500);
    }
  }

  /** Sends of the other account, measured while the service runs. */
  async function sendOthers(ending: AbortSignal): Promise<void> {
    while (!ending.aborted) {
      const began = performance.now();
      const body = { to: '+14155550100', channel: 'sms', message: 'Code 1234' };
      const reply = await service.api('POST', '/v1/messages/send', body, { 'X-API-Key': otherKey }).catch(() => null);
      if (reply?.status === 202) {
        waits.push(performance.now() - began);
        ofOther.push(reply.body.id);
      }
      await sleep(PAUSE_MS);
    }
  }

  it('keep the service within its memory, every answered message, and the other account’s pace', async () => {
    const watching = memory.watch(() => service.pid, ending.signal);
    const others = sendOthers(ending.signal);
    const bulks = (async () => {
      const next = Array.from({ length: BULKS }, (_, nth) => nth);
      const caller = async () => {
        for (let nth = next.shift(); nth !== undefined; nth = next.shift()) await acceptedBulk(nth);
      };
      await Promise.all([caller(), caller(), caller(), caller()]);
    })();
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(3_000 * TIMEOUT_FACTOR);
      await service.kill9();
      await restarted();
    }
    await bulks;
    await everyMessage(accepted, service.key);
    ending.abort();
    await Promise.all([watching, others]);
    await everyMessage(ofOther, otherKey);
    const p99 = percentile(waits, 0.99);
    console.log(`    ${accepted.length} emails, ${waits.length} other sends: p99 ${p99.toFixed(0)} ms; at most ${(memory.peak / 1e6).toFixed(0)} MB`);
    expect(memory.peak, 'resident memory').to.be.below(MAX_RSS);
    expect(p99, 'p99 of the other account’s sends').to.be.below(P99_MS);
  });

  /** A start needs the log at once: where the fake server, which shares this process, is late, it is started again. */
  async function restarted(): Promise<void> {
    for (let left = 4; ; left--) {
      try {
        await service.restart();
        return;
      } catch (e) {
        if (left === 0) throw e;
      }
    }
  }

  /** Each is in the history, and delivered at the end. */
  async function everyMessage(ids: readonly string[], key: string): Promise<void> {
    for (const id of ids) {
      await eventually(
        `${id} is delivered`,
        async () => {
          const { status, body } = await service.api('GET', `/v1/messages/${id}/events`, undefined, { 'X-API-Key': key });
          return status === 200 && body.data.at(-1)?.status === 'delivered';
        },
        { within: 120_000 * TIMEOUT_FACTOR, every: 100 },
      );
    }
  }
});
