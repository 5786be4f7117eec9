import { expect } from 'chai';
import fc from 'fast-check';
import { cancelMessage } from '../../commands/messages/cancel-message.js';
import { sendBulk } from '../../commands/messages/send-bulk.js';
import { messageStream } from '../../domain/messages/message.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { carrierThat } from '../carriers/carrier-that.js';
import { racingLog, racingNode, rethrowUnless, settleAll } from '../support/racing.js';
import { TestApp } from '../support/test-app.js';

const RUNS = Number(process.env.PROPERTY_RUNS ?? 40);
const SIZE = 12;

/** A bulk that one node dispatches, in ranges of `range` messages, while others cancel some of its messages. */
async function race(
  range: number,
  cancels: readonly { readonly index: number; readonly node: Parameters<typeof racingLog>[1] }[],
  dispatcher: Parameters<typeof racingLog>[1],
) {
  const sent: string[] = [];
  const carrier = carrierThat(({ message_id }) => void sent.push(message_id));
  const tuning = { calls: { deduplicating: 4, other: 4 }, range, ranges: 2, records: 3 };
  const process = () => dispatchMessages({ routes: () => carrier, tuning });
  const app: TestApp = new TestApp([process()]);
  const items = Array.from({ length: SIZE }, (_, index) => ({
    index,
    request: { to: `+1415555010${index % 10}`, channel: 'sms', message: `${index}` } as never,
  }));
  const { output } = await app.execute(sendBulk, { received: SIZE, items, problems: [], atomic: false });
  const ids = output.messages.map(({ id }) => id);
  const [due] = await app.todos();
  const node = app.nodeOver(racingLog(app.engine.events, dispatcher));
  const dispatching = process().perform([due?.todo as never], {
    log: app.log,
    clock: app.clock,
    epoch: 1,
    tenure: { since: 1, ended: new AbortController().signal },
    signal: new AbortController().signal,
    caughtUp: async () => true,
    execute: (command, input, { about, account, correlation }) =>
      node.execute(command, input, { account, correlation, invocation: `dispatch/${about}` }),
  });
  const canceled: string[] = [];
  const canceling = cancels.map(async ({ index, node: pace }) => {
    const id = ids[index] as string;
    const input = { id, batch_id: output.batch_id, batch_index: index };
    const answer = await app.nodeOver(racingLog(app.engine.events, pace)).execute(cancelMessage, input).catch(rethrowUnless('invalid_state'));
    if (answer?.output.status === 'canceled') canceled.push(id);
  });
  await settleAll([dispatching, ...canceling]);
  await app.run();
  return { app, ids, sent, canceled };
}

describe('cancels and the dispatch of a bulk, run concurrently', () => {
  const cancel = fc.record({ index: fc.nat({ max: SIZE - 1 }), node: racingNode });

  it('hand over no message whose cancel was answered, and all others', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: SIZE }), fc.array(cancel, { maxLength: 8 }), racingNode, async (range, cancels, dispatcher) => {
        const { app, ids, sent, canceled } = await race(range, cancels, { ...dispatcher, killedAt: null });
        expect(sent.filter((id) => canceled.includes(id))).to.deep.equal([]);
        const ends = await Promise.all(ids.map(async (id) => (await app.history(messageStream(id))).at(-1)));
        for (const [i, id] of ids.entries()) {
          if (canceled.includes(id)) expect(ends[i]).to.equal('MessageCanceled');
          else expect(ends[i]).to.be.oneOf(['MessageSent', 'MessageCanceled']);
          expect(sent.filter((one) => one === id)).to.have.length(ends[i] === 'MessageSent' ? 1 : 0);
        }
      }),
      { numRuns: RUNS },
    ));

  it('hand over no message whose cancel was answered where the dispatcher dies halfway', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: SIZE }), fc.array(cancel, { maxLength: 8 }), racingNode, async (range, cancels, dispatcher) => {
        const { app, ids, sent, canceled } = await race(range, cancels, dispatcher);
        expect(sent.filter((id) => canceled.includes(id))).to.deep.equal([]);
        const ends = await Promise.all(ids.map(async (id) => (await app.history(messageStream(id))).at(-1)));
        for (const [i, id] of ids.entries())
          expect(ends[i]).to.be.oneOf(canceled.includes(id) ? ['MessageCanceled'] : ['MessageSent', 'MessageCanceled']);
      }),
      { numRuns: RUNS },
    ));
});
