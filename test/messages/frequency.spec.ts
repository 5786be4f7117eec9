import { expect } from 'chai';
import fc from 'fast-check';
import { sendMessage } from '../../commands/messages/send-message.js';
import { startDispatch } from '../../commands/messages/start-dispatch.js';
import { defaultSettings } from '../../domain/accounts/settings.js';
import {
  type FrequencyCap,
  type FrequencyEvent,
  type FrequencySlots,
  frequency,
  frequencyStream,
  settingsDurationMs,
} from '../../domain/messages/frequency.js';
import { specification } from '../given.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const { given } = specification(frequency);
const subject = 'con_1';
const at = (minute: number) => new Date(Date.parse('2026-01-15T10:00:00.000Z') + minute * 60_000).toISOString();
const taken = (message_id: string, minute: number, channel: 'sms' | 'email' = 'email'): FrequencyEvent => ({
  type: 'FrequencyPlaceTaken',
  data: { subject, message_id, channel, at: at(minute) },
});
const released = (message_id: string, minute: number): FrequencyEvent => ({
  type: 'FrequencyPlaceReleased',
  data: { subject, message_id, at: at(minute) },
});
const hourly = (max: number, channel: FrequencyCap['channel'] = 'any'): FrequencyCap => ({ channel, max, per: 'PT1H', perMs: 3_600_000 });
const take = (message_id: string, minute: number, caps: readonly FrequencyCap[], otherSlots: FrequencySlots = []) =>
  ({ type: 'ReserveSlot', subject, message_id, channel: 'email', caps, otherSlots, now: at(minute) }) as const;

describe('a slot under a frequency cap', () => {
  it('is taken while there is one', () =>
    given(taken('a', 0))
      .when(take('b', 30, [hourly(2)]))
      .then(taken('b', 30)));
  it('is refused if all are taken', () =>
    given(taken('a', 0), taken('b', 10))
      .when(take('c', 59, [hourly(2)]))
      .thenNothing());
  it('is free again exactly when its window has passed', () =>
    given(taken('a', 0), taken('b', 10))
      .when(take('c', 60, [hourly(2)]))
      .then(taken('c', 60)));
  it('is taken once by a message', () =>
    given(taken('a', 0))
      .when(take('a', 5, [hourly(5)]))
      .thenNothing());
  it('can be taken again after its release', () =>
    given(taken('a', 0), released('a', 5))
      .when(take('b', 6, [hourly(1)]))
      .then(taken('b', 6)));
  it('is released once, and only by the message that has it', () => {
    given(taken('a', 0))
      .when({ type: 'Release', subject, message_id: 'a', now: at(5) })
      .then(released('a', 5));
    given(taken('a', 0))
      .when({ type: 'Release', subject, message_id: 'b', now: at(5) })
      .thenNothing();
  });
  it('counts for the channel of the cap, or for all channels', () => {
    given(taken('a', 0, 'sms'))
      .when(take('b', 5, [hourly(1, 'email')]))
      .then(taken('b', 5));
    given(taken('a', 0, 'sms'))
      .when(take('b', 5, [hourly(1, 'any')]))
      .thenNothing();
    given(taken('a', 0, 'email'))
      .when(take('b', 5, [hourly(9, 'any'), hourly(1, 'email')]))
      .thenNothing();
  });
  it('counts slots of the same recipient in other streams', () =>
    given()
      .when(take('b', 5, [hourly(1)], [{ message_id: 'a', channel: 'sms', at: at(0) }]))
      .thenNothing());
  it('never has an earlier time than the slot before it, for any clock', () =>
    given(taken('a', 10))
      .when(take('b', 9, [hourly(2)]))
      .then(taken('b', 10)));

  it('never exceeds the cap in any window, and is never refused while there is room', () => {
    const tries = fc.array(fc.record({ gap: fc.integer({ min: 0, max: 40 }), release: fc.boolean() }), { maxLength: 60 });
    fc.assert(
      fc.property(tries, fc.integer({ min: 1, max: 4 }), (steps, max) => {
        let places: FrequencySlots = [];
        let minute = 0;
        for (const [nth, { gap, release }] of steps.entries()) {
          minute += gap;
          const within = places.filter((place) => place.at > at(minute - 60)).length;
          const events = frequency.decide(take(`m${nth}`, minute, [hourly(max)]), places);
          expect(events).to.have.length(within < max ? 1 : 0);
          places = events.reduce(frequency.evolve, places);
          if (release)
            for (const event of frequency.decide({ type: 'Release', subject, message_id: `m${nth}`, now: at(minute) }, places))
              places = frequency.evolve(places, event);
        }
      }),
    );
  });

  it('has a window of the given ISO 8601 duration', () => {
    const lengths = { P7D: 7 * 86_400_000, P2W: 14 * 86_400_000, PT30M: 1_800_000, P1DT12H: 129_600_000, PT1H1M1S: 3_661_000 };
    for (const [text, ms] of Object.entries(lengths)) expect(settingsDurationMs(text), text).to.equal(ms);
  });
});

describe('the last slot', () => {
  const to = 'ada@example.com';
  const rules = (per: string, max: number) => ({ ...defaultSettings('Acme', 'UTC'), frequency_caps: [{ channel: 'any' as const, max, per }] });
  const about = (app: TestApp, id: string) =>
    ({
      id,
      toKey: app.vault.key(ACCOUNT, to),
      channel: 'email',
      category: 'marketing',
      hasStream: true,
      carrier: 'recorder',
      epoch: 1,
      on_unknown_outcome: 'retry',
    }) as const;

  it('is taken by one of several nodes under concurrent takes', async () => {
    for (let round = 0; round < 5; round++) {
      const app = new TestApp([], { messages: { marketingRules: () => rules('P1D', 2) } });
      const sent = await Promise.all(
        Array.from(
          { length: 8 },
          async () => (await app.execute(sendMessage, { to, channel: 'email', message: 'Hi', category: 'marketing' })).output.id,
        ),
      );
      const nodes = sent.map(() => app.nodeOver(app.engine.events));
      const states = await Promise.all(
        sent.map(async (id, nth) => {
          const node = nodes[nth] as Pick<TestApp, 'execute'>;
          return (await node.execute(startDispatch, about(app, id), { invocation: `take/${id}` })).output.state.status;
        }),
      );
      expect(states.sort()).to.deep.equal([...Array(2).fill('sending'), ...Array(6).fill('suppressed')]);
    }
  });

  it('stays with the message whose node was killed, and no other gets it', async () => {
    const app = new TestApp([], { messages: { marketingRules: () => rules('P1D', 1) } });
    const send = async () => (await app.execute(sendMessage, { to, channel: 'email', message: 'Hi', category: 'marketing' })).output.id;
    const [first, second] = [await send(), await send()];
    const append = app.engine.events.append.bind(app.engine.events);
    app.engine.events.append = (stream, ...rest) => (stream.startsWith('message-') ? Promise.reject(new Error('killed')) : append(stream, ...rest));
    await app.execute(startDispatch, about(app, first), { invocation: 'take/first' }).catch(() => {});
    app.engine.events.append = append;
    const status = async (id: string, invocation: string) => (await app.execute(startDispatch, about(app, id), { invocation })).output.state.status;
    expect(await status(second, 'take/second')).to.equal('suppressed');
    expect(await status(first, 'take/first')).to.equal('sending');
    expect(await app.history(frequencyStream(app.vault.key(ACCOUNT, to)))).to.deep.equal(['FrequencyPlaceTaken']);
  });

  it('is found without reading events older than every window', async () => {
    const app = new TestApp([], { messages: { marketingRules: () => rules('PT1H', 3) } });
    const stream = frequencyStream(app.vault.key(ACCOUNT, to));
    const read = app.engine.events.read.bind(app.engine.events);
    let most = 0;
    app.engine.events.read = async (name, options) => {
      const found = await read(name, options);
      if (name === stream && found !== 'not-found') most = Math.max(most, found.length);
      return found;
    };
    for (let nth = 0; nth < 120; nth++) {
      const { output } = await app.execute(sendMessage, { to, channel: 'email', message: 'Hi', category: 'marketing' });
      await app.execute(startDispatch, about(app, output.id), { invocation: `take/${nth}` });
      await app.clock.advance(21 * 60_000);
    }
    expect(await app.history(stream)).to.have.length(120);
    most = 0;
    const { output } = await app.execute(sendMessage, { to, channel: 'email', message: 'Hi', category: 'marketing' });
    expect(output.status).to.equal('queued');
    expect(most).to.be.within(1, 50);
  });
});
