import { setMaxListeners } from 'node:events';
import { expect } from 'chai';
import type { Carrier } from '../../carriers/runtime/carrier.js';
import { periodOf, rated } from '../../carriers/runtime/rated.js';
import { channelNames } from '../../domain/kernel/channels.js';
import type { SharedRates } from '../../domain/kernel/shared-rates.js';
import { ManualClock } from '../support/manual-clock.js';
import { carrierThat } from './carrier-that.js';
import { textMessage } from './fake-carrier.js';

/** A clock that a sleep moves on. */
function clockFrom(start: number) {
  let now = start;
  return {
    monotonic: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
  };
}

describe('the rate of a carrier', () => {
  it('spaces messages evenly, in their order', async () => {
    const clock = clockFrom(1_000);
    const sent: [string, number][] = [];
    const carrier = carrierThat(({ message_id }) => void sent.push([message_id, clock.monotonic() - 1_000]), { name: 'one', deduplicates: false });
    const slow = rated(carrier, 10, clock);
    const signal = new AbortController().signal;
    for (const message_id of ['a', 'b', 'c']) await slow.send(textMessage({ message_id }), signal);
    expect(sent).to.deep.equal([
      ['a', 0],
      ['b', 100],
      ['c', 200],
    ]);
  });

  it('hands nothing over once the node stops', async () => {
    const stopped = new AbortController();
    stopped.abort();
    const carrier: Carrier = { name: 'one', channels: channelNames, deduplicates: false, send: () => Promise.reject(new Error('called')) };
    const result = await rated(carrier, 10, clockFrom(0)).send(textMessage(), stopped.signal);
    expect(result).to.include({ outcome: 'transient_error', code: 'stopped' });
  });
});

/** Periods in memory, as a store counts them: each begins with its first point. */
class Periods implements SharedRates {
  calls = 0;
  away = false;
  readonly #open = new Map<string, { readonly until: number; used: number }>();
  constructor(private readonly clock: ManualClock) {}

  async take(key: string, wanted: number, { points, ms }: { points: number; ms: number }) {
    this.calls += 1;
    if (this.away) throw new Error('the store is away');
    const now = this.clock.now();
    const known = this.#open.get(key);
    const period = known && known.until > now ? known : { until: now + ms, used: 0 };
    this.#open.set(key, period);
    const taken = Math.min(wanted, points - period.used);
    period.used += taken;
    return { taken, waitMs: taken === wanted ? 0 : period.until - now };
  }
}

describe('the rate of a carrier that nodes share', () => {
  const clock = new ManualClock();
  const started = (nodes: number, perSecond: number) => {
    const rates = new Periods(clock);
    const times: number[] = [];
    const order: string[] = [];
    const carrier = carrierThat(
      ({ message_id }) => {
        times.push(clock.now());
        order.push(message_id);
      },
      { name: 'one', deduplicates: false },
    );
    const ending = new AbortController();
    setMaxListeners(0, ending.signal);
    const carriers = Array.from({ length: nodes }, () => rated(carrier, perSecond, clock, { key: 'one', rates }));
    const send = (count: number) =>
      carriers.flatMap((each, n) => Array.from({ length: count }, (_, i) => each.send(textMessage({ message_id: `${n}/${i}` }), ending.signal)));
    return { rates, times, order, send, ending };
  };
  const pass = async (ms: number) => {
    await clock.advance(0);
    await clock.advance(ms);
  };
  const mostInASecond = (times: readonly number[]): number =>
    Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));

  it('is kept by three nodes together, with a tenth more at most in any second, and one call for each period of a node', async () => {
    const { rates, times, send } = started(3, 200);
    const sent = Promise.all(send(200));
    await pass(4_000);
    await sent;
    expect(times).to.have.length(600);
    expect(mostInASecond(times)).to.be.within(180, 220);
    expect((times.at(-1) as number) - (times[0] as number)).to.be.within(2_700, 3_300);
    expect(rates.calls).to.be.at.most(3 * 35);
  });

  it('keeps low rates, too', async () => {
    const { times, send } = started(2, 3);
    const sent = Promise.all(send(6));
    await pass(5_000);
    await sent;
    expect(mostInASecond(times)).to.be.at.most(4);
    for (const perSecond of [1, 7, 15, 19, 100_000]) {
      const { points, ms } = periodOf(perSecond);
      expect((points * 1_000) / ms, String(perSecond)).to.be.within(perSecond * 0.95, perSecond);
    }
  });

  it('hands over the messages of a node in their order', async () => {
    const { order, send } = started(1, 50);
    const sent = Promise.all(send(20));
    await pass(1_000);
    await sent;
    expect(order).to.deep.equal(Array.from({ length: 20 }, (_, i) => `0/${i}`));
  });

  it('hands nothing over while the store is away, and goes on then', async () => {
    const { rates, times, send } = started(1, 50);
    rates.away = true;
    const sent = Promise.all(send(3));
    await pass(2_500);
    expect([times.length, rates.calls]).to.deep.equal([0, 3]);
    rates.away = false;
    await pass(1_000);
    await sent;
    expect(times).to.have.length(3);
  });

  it('lets those go that wait when the node stops', async () => {
    const { times, send, ending } = started(1, 1);
    const sent = Promise.all(send(5));
    await pass(100);
    ending.abort();
    const results = await sent;
    expect(times).to.have.length(1);
    expect(results.filter(({ outcome }) => outcome === 'transient_error')).to.have.length(4);
  });
});
