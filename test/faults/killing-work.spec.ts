import { expect } from 'chai';
import { systemClock } from '../../ops/system/clock.js';
import { eventually, TIMEOUT_FACTOR } from '../support/eventually.js';
import { Service } from '../support/service.js';
import { Receiver } from '../webhooks/receiver.js';

/** Webhooks in flight together with the one that kills. */
const OTHERS = 40;
const MAX_LIVES = 9;
const WITHIN_MS = 120_000 * TIMEOUT_FACTOR;

describe('a webhook that kills the process whenever it is attempted', function () {
  this.timeout(300_000 * TIMEOUT_FACTOR);
  const service = Service.own();
  const receiver = Receiver.own(async ({ url }) => {
    if (url === '/kills' && kills) {
      killed = service.kill9();
      return 'hang';
    }
    // Still in flight when the process dies.
    if (url.startsWith('/slow')) await systemClock.sleep(500);
    return 200;
  });
  let kills = true;
  let lives = 1;
  let killed: Promise<void> = Promise.resolve();

  const send = async (path: string): Promise<string> => {
    const message = { to: '+14155550100', channel: 'sms', message: 'Hello', webhook_url: receiver.origin + path, webhook_events: ['message.sent'] };
    return (await service.api('POST', '/v1/messages/send', message)).body.id;
  };
  const arrived = (path: string) => receiver.requests.filter(({ url }) => url === path).length;
  const operator = () => ({ 'X-API-Key': '', Authorization: `Bearer ${service.operatorToken}` });
  const parked = async () => (await service.api('GET', '/v1/system/parked', undefined, operator())).body.data;

  it('is found and parked after a few deaths, while all other webhooks are delivered', async () => {
    const others: string[] = [];
    const sendOther = async (path: string) => {
      const id = await send(path).catch(() => undefined);
      if (id !== undefined) others.push(path);
    };
    for (let i = 0; i < OTHERS; i++) await sendOther(`/slow/${i}`);
    await send('/kills');
    for (;;) {
      const isParked = async () => ((await parked().catch(() => []))?.length ?? 0) > 0;
      await eventually('it died, or parked its killer', async () => !service.running || (await isParked()), { within: WITHIN_MS, every: 100 });
      if (await isParked()) break;
      await killed;
      lives += 1;
      expect(lives).to.be.at.most(MAX_LIVES);
      // It may die before it listens.
      await service.restart().catch(() => 0);
      await sendOther(`/life/${lives}`);
    }
    expect((await parked()).map(({ process, error }: { process: string; error: object }) => [process, error])).to.deep.equal([
      ['webhooks/deliver-status', { class: 'ProcessDied', code: null }],
    ]);
    expect(others.length).to.be.above(OTHERS);
    await eventually('all others are delivered', () => others.every((path) => arrived(path) > 0), { within: WITHIN_MS, every: 100 });
    expect(service.running).to.equal(true);
  });

  it('is delivered when it is retried and no longer kills', async () => {
    kills = false;
    const before = arrived('/kills');
    const [{ id }] = await parked();
    expect((await service.api('POST', `/v1/system/parked/${id}/retry`, undefined, operator())).status).to.equal(202);
    await eventually('it arrives', () => arrived('/kills') === before + 1, { within: WITHIN_MS });
    await eventually('nothing is parked', async () => (await parked()).length === 0);
  });
});
