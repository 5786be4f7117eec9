import { expect } from 'chai';
import { recordReceipt } from '../../commands/messages/record-receipt.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { startDispatch } from '../../commands/messages/start-dispatch.js';
import { type MessageEvent, messageStream, type SealedMessageEvent } from '../../domain/messages/message.js';
import { DISPATCH_RETRY_DELAYS_MS } from '../../domain/messages/retries.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { messageDocAfter } from '../../projections/messages/projection.js';
import { carrierThat } from '../carriers/carrier-that.js';
import { TestApp } from '../support/test-app.js';

type SendFunction = (attempt: number) => SendResult;
const TO = '+14155550100';

/** A carrier that answers with this function and records the times of its calls. */
function startApp(
  send: SendFunction,
  { deduplicates = false, onUnknownOutcome }: { deduplicates?: boolean; onUnknownOutcome?: 'retry' | 'fail' } = {},
) {
  const calls: number[] = [];
  const carrier = carrierThat(
    ({ attempt }) => {
      calls.push(app.clock.now());
      return send(attempt);
    },
    { name: 'scripted', deduplicates },
  );
  const chosen = onUnknownOutcome && { onUnknownOutcome: async () => onUnknownOutcome };
  const app = new TestApp([dispatchMessages({ routes: () => carrier, ...chosen })]);
  return { app, calls };
}

const accepted: SendResult = { outcome: 'accepted', carrier_message_id: 'carrier-1' };
const sendOne = async (app: TestApp): Promise<string> => (await app.execute(sendMessage, { to: TO, channel: 'sms', message: 'Hello' })).output.id;
const statusOf = async (app: TestApp, id: string) => messageDocAfter((await app.log.readSealed(messageStream(id))) as LogEvent<SealedMessageEvent>[]);
const lastEvent = async (app: TestApp, id: string): Promise<MessageEvent | undefined> =>
  (await app.log.read<MessageEvent>(messageStream(id)))?.at(-1)?.event;

describe('a carrier that throws', () => {
  const throwsOnce: SendFunction = (attempt) => {
    if (attempt === 1) throw new Error('connection lost');
    return accepted;
  };

  it('is called again after the first retry delay', async () => {
    const { app, calls } = startApp(throwsOnce);
    const id = await sendOne(app);
    await app.run();
    expect(calls).to.have.length(2);
    expect((calls[1] ?? 0) - (calls[0] ?? 0)).to.equal(DISPATCH_RETRY_DELAYS_MS[0]);
    expect(await app.history(messageStream(id))).to.deep.equal([
      'MessageQueued',
      'MessageDispatchStarted',
      'MessageDispatchDeferred',
      'MessageDispatchStarted',
      'MessageSent',
    ]);
  });

  it('is not called again if the account chose to fail on an unknown outcome', async () => {
    const { app, calls } = startApp(throwsOnce, { onUnknownOutcome: 'fail' });
    const id = await sendOne(app);
    await app.run();
    expect(calls).to.have.length(1);
    expect((await lastEvent(app, id))?.type).to.equal('MessageFailed');
    expect((await lastEvent(app, id))?.data).to.deep.include({ reason: 'unknown_outcome', error: 'connection lost' });
    expect(await app.todos()).to.deep.equal([]);
  });

  it('is called again whatever the account chose if the carrier de-duplicates', async () => {
    const { app, calls } = startApp(throwsOnce, { onUnknownOutcome: 'fail', deduplicates: true });
    const id = await sendOne(app);
    await app.run();
    expect(calls).to.have.length(2);
    expect((await lastEvent(app, id))?.type).to.equal('MessageSent');
  });
});

describe('a carrier that takes a message and loses its answer', () => {
  const losesItsAnswer: SendFunction = () => {
    throw new Error('connection lost');
  };
  const report = (kind: 'delivered' | 'opened') => ({
    ...{ kind, carrier: 'scripted', carrier_message_id: 'carrier-1', raw_status: kind, code: null, at: '2026-01-15T10:00:00.000Z' },
  });

  for (const [kind, status] of [
    ['delivered', 'delivered'],
    ['opened', 'sent'],
  ] as const)
    it(`is not called again after it reported '${kind}'`, async () => {
      const { app, calls } = startApp(losesItsAnswer);
      const id = await sendOne(app);
      await app.run(500);
      expect(await statusOf(app, id)).to.include({ status: 'queued' });
      await app.execute(recordReceipt, { id, receipt: report(kind) });
      await app.run();
      expect(calls).to.have.length(1);
      expect(await statusOf(app, id)).to.include({ status });
      expect(await app.todos()).to.deep.equal([]);
    });

  it('corrects a message that failed, and its read model, when it reports later', async () => {
    const { app, calls } = startApp(losesItsAnswer, { onUnknownOutcome: 'fail' });
    const id = await sendOne(app);
    await app.run();
    expect(await statusOf(app, id)).to.include({ status: 'failed', status_reason: 'unknown_outcome' });
    await app.execute(recordReceipt, { id, receipt: report('opened') });
    expect(await statusOf(app, id)).to.include({ status: 'sent', status_reason: null, failed_at: null });
    await app.execute(recordReceipt, { id, receipt: report('delivered') });
    expect(await statusOf(app, id)).to.deep.include({ status: 'delivered', carrier: { name: 'scripted', message_id: 'carrier-1', code: null } });
    expect(calls).to.have.length(1);
  });
});

describe('a carrier that is busy', () => {
  it('is called after each retry delay, and then the message fails', async () => {
    const { app, calls } = startApp(() => ({ outcome: 'transient_error', code: 'busy', error: 'Busy.' }));
    const id = await sendOne(app);
    await app.run();
    expect(calls.slice(1).map((at, i) => at - (calls[i] ?? 0))).to.deep.equal([...DISPATCH_RETRY_DELAYS_MS]);
    expect((await lastEvent(app, id))?.type).to.equal('MessageFailed');
    expect((await lastEvent(app, id))?.data).to.deep.include({ reason: 'carrier_unavailable', code: 'busy', error: 'Busy.' });
    expect(await app.todos()).to.deep.equal([]);
  });
});

describe('a dispatch that another lease holder started and did not record', () => {
  const startedEarlier = async (app: TestApp): Promise<string> => {
    const id = await sendOne(app);
    const take = {
      id,
      toKey: app.vault.key('acc_TEST', TO),
      channel: 'sms',
      category: 'transactional',
      hasStream: true,
      carrier: 'scripted',
    } as const;
    await app.execute(startDispatch, { ...take, epoch: 0, on_unknown_outcome: 'retry' });
    return id;
  };

  it('is repeated if the account chose to retry on an unknown outcome', async () => {
    const { app, calls } = startApp(() => accepted, { onUnknownOutcome: 'retry' });
    const id = await startedEarlier(app);
    await app.run();
    expect(calls).to.have.length(1);
    expect(await app.history(messageStream(id))).to.deep.equal(['MessageQueued', 'MessageDispatchStarted', 'MessageDispatchStarted', 'MessageSent']);
  });

  it('fails the message without a call if the account chose to fail', async () => {
    const { app, calls } = startApp(() => accepted, { onUnknownOutcome: 'fail' });
    const id = await startedEarlier(app);
    await app.run();
    expect(calls).to.deep.equal([]);
    expect(await app.history(messageStream(id))).to.deep.equal(['MessageQueued', 'MessageDispatchStarted', 'MessageFailed']);
    expect((await lastEvent(app, id))?.data).to.deep.include({ reason: 'unknown_outcome', code: null });
    expect(await app.todos()).to.deep.equal([]);
  });
});
