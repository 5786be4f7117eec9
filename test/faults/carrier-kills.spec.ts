import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { CHUNK_ITEMS } from '../../commands/messages/send-bulk.js';
import { DISPATCH_TUNING } from '../../processes/messages/dispatch-tuning.js';
import { FakeCarrier } from '../carriers/fake-carrier.js';
import { eventually, TIMEOUT_FACTOR } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { type Ledger, readLedger } from './ledger.js';
import { between, chosenSeed, seeded } from './random.js';
import { sizeOf } from './sizes.js';
import { allDispatched, callsByText, overTwilio, queued } from './texts.js';

const KILLS = sizeOf('FAULTS_CARRIER_KILLS');
const MESSAGES = sizeOf('FAULTS_CARRIER_MESSAGES');
const SETTLE_MS = 60_000;
/** Of the carrier, so that calls are in flight at a kill. */
const ANSWER_MS = 20;

describe(`messages to a carrier that cannot recognise repeats, from a service that is killed ${KILLS} times`, () => {
  const seed = chosenSeed();
  const random = seeded(seed);
  const carrier = FakeCarrier.own(async () => {
    await isOpen;
    await sleep(ANSWER_MS);
    return queued(carrier);
  });
  const service = Service.own(() => overTwilio(carrier));
  let ledger: Ledger;
  /** The carrier answers nobody before. */
  let isOpen = Promise.resolve();

  after(() => {
    console.log(`    seed ${seed} (FAULTS_SEED=${seed} repeats the choices)`);
  });

  const textOf = (group: string, n: number): string => `${group} ${n}`;
  const numbers = Array.from({ length: MESSAGES }, (_, n) => n);
  const message = (group: string, n: number) => ({ to: `+1415${2_000_000 + n}`, message: textOf(group, n), tags: [textOf(group, n)] });

  it('are all dispatched', async () => {
    for (const on of ['retry', 'fail'] as const) {
      const settings = await service.api('PATCH', '/v1/account/settings', { on_unknown_outcome: { transactional: on } });
      expect(settings.status, settings.text).to.equal(200);
      let open = () => {};
      isOpen = new Promise((resolve) => (open = resolve));
      const bulk = { defaults: { channel: 'sms' }, messages: numbers.map((n) => message(`bulk ${on}`, n)) };
      expect((await service.api('POST', '/v1/messages/bulk', bulk)).status).to.equal(202);
      for (const n of numbers.slice(0, MESSAGES / 5)) {
        const { status } = await service.api('POST', '/v1/messages/send', { channel: 'sms', ...message(`single ${on}`, n) });
        expect(status).to.equal(202);
      }
      open();
      for (let kill = 0; kill < KILLS / 2; kill++) {
        const until = carrier.requests.length + between(random, 1, MESSAGES / KILLS);
        await eventually('some more calls were made', () => carrier.requests.length >= until, { within: SETTLE_MS, every: 1 });
        await service.kill9();
        await service.restart();
      }
      await allDispatched(service, SETTLE_MS);
    }
    ledger = await readLedger(service);
    expect(ledger.histories.size).to.equal(2 * (MESSAGES + MESSAGES / 5));
  });

  it('are dispatched twice only where the outcome was unknown and the account wants a repeat', () => {
    const counted = callsByText(carrier);
    const wrong = [...ledger.histories.values()].flatMap(({ tag, types, dispatches }) => {
      const times = counted.get(tag) ?? 0;
      const repeats = dispatches.filter(({ repeat }) => repeat).length;
      const isUnknown = types.includes('MessageFailed');
      const most = tag.includes('retry') ? 1 + repeats : 1;
      return times > most || (times === 0 && !isUnknown) || (tag.includes('fail') && repeats > 0) ? [`${tag}: ${times} calls, ${types}`] : [];
    });
    expect(wrong).to.deep.equal([]);
  });

  it('are called twice at most as often as calls were open at the kills, and few are left unknown', () => {
    const counted = callsByText(carrier);
    const doubled = [...counted.values()].reduce((sum, times) => sum + times - 1, 0);
    const unknown = [...ledger.histories.values()].filter(({ types }) => types.includes('MessageFailed')).length;
    const repeated = [...ledger.histories.values()].flatMap(({ dispatches }) => dispatches.filter(({ repeat }) => repeat)).length;
    console.log(`    ${carrier.requests.length} calls, ${doubled} of them repeats; ${repeated} repeated starts, ${unknown} unknown outcomes`);
    const window = DISPATCH_TUNING.calls.other * (KILLS / 2);
    expect(doubled).to.be.at.most(window);
    // The first ones of each chunk of the bulk that are not on record may have been called, and so may as many single ones.
    const groups = 1 + Math.ceil(MESSAGES / CHUNK_ITEMS);
    expect(repeated).to.be.at.most(groups * window);
    expect(unknown).to.be.at.most(groups * window);
    expect(service.logged('error')).to.deep.equal([]);
  });
}).timeout(120_000 * TIMEOUT_FACTOR);
