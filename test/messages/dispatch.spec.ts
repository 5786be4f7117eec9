import { expect } from 'chai';
import { sendMessage } from '../../commands/messages/send-message.js';
import { OutcomeUnknown, StoreUnavailable } from '../../domain/kernel/ports.js';
import { messageStream } from '../../domain/messages/message.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { carrierThat } from '../carriers/carrier-that.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

describe('a dispatch whose record fails', () => {
  let dispatched: number[];
  let app: TestApp;
  let id: string;
  beforeEach(async () => {
    dispatched = [];
    const carrier = carrierThat(
      ({ attempt }) => {
        dispatched.push(attempt);
        return { outcome: 'accepted', carrier_message_id: `carrier-${attempt}` };
      },
      { deduplicates: false },
    );
    app = new TestApp([dispatchMessages({ routes: () => carrier })]);
    const { output } = await app.execute(sendMessage, { to: '+14155550100', channel: 'sms', message: 'Hello' });
    id = output.id;
  });

  /** Makes so many appends that record a dispatch fail, before or after they are carried out. */
  function failing(times: number, carriedOut: boolean): void {
    const { events } = app.engine;
    const append = events.append.bind(events);
    let left = times;
    events.append = async (stream, expected, written) => {
      if (written[0]?.type !== 'MessageSent' || left-- <= 0) return append(stream, expected, written);
      if (!carriedOut) throw new StoreUnavailable('away');
      await append(stream, expected, written);
      throw new OutcomeUnknown('away');
    };
  }

  const APPEND_TRIES = 5;

  for (const [how, times, carriedOut] of [
    ['the log is unavailable', 1, false],
    ['the append succeeded, the answer was lost', APPEND_TRIES, true],
  ] as const) {
    it(`is recorded later, without another call of the carrier: ${how}`, async () => {
      failing(times, carriedOut);
      const failure = await app.run().catch((e) => e);
      expect(failure).to.be.instanceOf(carriedOut ? OutcomeUnknown : StoreUnavailable);
      await app.run();
      expect(dispatched).to.deep.equal([1]);
      expect(await app.history(messageStream(id))).to.deep.equal(['MessageQueued', 'MessageDispatchStarted', 'MessageSent']);
    });
  }

  it('is repeated by the next lease holder, unless the dispatch has ended', async () => {
    failing(1, false);
    await app.run().catch(() => {});
    const [due] = await app.todos();
    const { signal: ended } = new AbortController();
    const as = (epoch: number, since = epoch) =>
      due?.process.perform([due.todo], {
        log: app.log,
        clock: app.clock,
        epoch,
        tenure: { since, ended },
        signal: new AbortController().signal,
        caughtUp: async () => true,
        execute: (command, input, { about }) => app.execute(command, input, { account: ACCOUNT, invocation: `dispatch/${about}` }),
      });
    await as(2);
    expect(dispatched).to.deep.equal([1, 2]);
    await as(1);
    expect(dispatched).to.deep.equal([1, 2]);
    expect(await app.history(messageStream(id))).to.deep.equal(['MessageQueued', 'MessageDispatchStarted', 'MessageDispatchStarted', 'MessageSent']);
  });
});
