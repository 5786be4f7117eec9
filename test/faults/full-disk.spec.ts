import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { LEASE_TIMING } from '../../projections/runtime/leases.js';
import { FakeCarrier } from '../carriers/fake-carrier.js';
import { embedded } from '../support/engines.js';
import { eventually, TIMEOUT_FACTOR } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { SmallDisk } from '../support/small-disk.js';
import { type Ledger, readLedger } from './ledger.js';
import { sizeOf } from './sizes.js';
import { allDispatched, callsByText, overTwilio, queued } from './texts.js';

const MESSAGES = sizeOf('FAULTS_DISK_MESSAGES');
const FILLS = sizeOf('FAULTS_DISK_FILLS');
const SETTLE_MS = 90_000;
/** Of the carrier, so that calls are in flight when the disk becomes full. */
const ANSWER_MS = 20;
/** So long that the process cannot renew its leases, loses them and acquires them again. */
const FULL_MS = 2 * LEASE_TIMING.ttlMs;

describe(`messages to a carrier that cannot recognise repeats, over a disk that becomes full ${2 * FILLS} times`, () => {
  let service: Service;
  let disk: SmallDisk | null = null;
  let carrier: FakeCarrier;
  let ledger: Ledger;
  before(async function () {
    if (!embedded) this.skip();
    carrier = await FakeCarrier.start(async () => {
      await sleep(ANSWER_MS);
      return queued(carrier);
    });
    service = Service.node(overTwilio(carrier));
    disk = SmallDisk.mount(service.dir, 256);
    if (!disk) {
      console.log('      skipped: this user may not mount a file system');
      this.skip();
    }
    await service.restart();
    service.account = await service.createAccount('owner@example.com');
  });
  after(async () => {
    await service?.kill9();
    disk?.unmount();
    await service?.close();
    await carrier?.stop();
  });

  const isFull = async () => {
    disk?.fill();
    return (await service.ask('GET', '/readyz')).status === 503;
  };

  it('are all dispatched once there is space', async () => {
    for (const on of ['retry', 'fail'] as const) {
      const settings = await service.api('PATCH', '/v1/account/settings', { on_unknown_outcome: { transactional: on } });
      expect(settings.status, settings.text).to.equal(200);
      for (let fill = 0; fill < FILLS; fill++) {
        const text = (kind: string, n: number) => `${kind} ${on} ${fill} ${n}`;
        const message = (kind: string, n: number) => ({ to: `+1415${2_000_000 + n}`, message: text(kind, n), tags: [text(kind, n)] });
        const numbers = Array.from({ length: MESSAGES }, (_, n) => n);
        const bulk = { defaults: { channel: 'sms' }, messages: numbers.map((n) => message('bulk', n)) };
        expect((await service.api('POST', '/v1/messages/bulk', bulk)).status).to.equal(202);
        for (const n of numbers.slice(0, MESSAGES / 5)) {
          const { status } = await service.api('POST', '/v1/messages/send', { channel: 'sms', ...message('single', n) });
          expect(status).to.equal(202);
        }
        await eventually('the disk is full', isFull, { within: SETTLE_MS, every: 10 });
        await sleep(FULL_MS);
        disk?.free();
        await allDispatched(service, SETTLE_MS);
      }
    }
    ledger = await readLedger(service);
    expect(ledger.histories.size).to.equal(2 * FILLS * (MESSAGES + MESSAGES / 5));
  });

  it('are dispatched once: their carrier is not called again until its answers are on record', () => {
    const counted = callsByText(carrier);
    const all = [...ledger.histories.values()];
    const repeated = all.filter(({ tag }) => counted.get(tag) !== 1);
    const unknown = all.filter(({ types }) => types.includes('MessageFailed'));
    console.log(`      ${carrier.requests.length} calls; ${repeated.length} of ${all.length} messages repeated, ${unknown.length} unknown outcomes`);
    expect(repeated).to.deep.equal([]);
    expect(unknown).to.deep.equal([]);
  });
}).timeout(300_000 * TIMEOUT_FACTOR);
