import { expect } from 'chai';
import { recordReceipt } from '../../commands/messages/record-receipt.js';
import { recordSendResult } from '../../commands/messages/record-send-result.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { startDispatch } from '../../commands/messages/start-dispatch.js';
import { lastDelivery } from '../../projections/messages/last-delivery.js';
import { messages } from '../../projections/messages/projection.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const HOUR = 3_600_000;
const TO = 'ada@example.org';

describe('the last delivery to an address', () => {
  const start = () => {
    const app = new TestApp([]);
    const sent = async (name: string): Promise<string> => {
      const { output } = await app.execute(sendMessage, { to: TO, channel: 'email', message: 'Hi', subject: 'Hi' });
      const about = { id: output.id, carrier: 'smtp' } as const;
      const dispatch = { toKey: 'x', channel: 'email', category: 'transactional', hasStream: true, epoch: 1, on_unknown_outcome: 'retry' } as const;
      const taken = await app.execute(startDispatch, { ...about, ...dispatch });
      await app.execute(recordSendResult, { ...about, known: taken.output, result: { outcome: 'accepted', carrier_message_id: name } });
      return output.id;
    };
    const report = (id: string, kind: 'delivered' | 'bounced') =>
      app.execute(recordReceipt, { id, receipt: { kind, carrier: 'smtp', carrier_message_id: id, raw_status: kind, code: null, at: timeOf(app) } });
    const last = async (before = timeOf(app, HOUR)) => {
      await app.documents(messages, 'history');
      return lastDelivery({ log: app.log, views: app.views, clock: app.clock })(ACCOUNT, app.vault.key(ACCOUNT, TO), before);
    };
    return { app, sent, report, last };
  };
  const timeOf = (app: TestApp, laterMs = 0) => new Date(app.clock.now() + laterMs).toISOString();

  it('is that of a message with a receipt, or of one that is sent for a day without a bounce', async () => {
    const { app, sent, report, last } = start();
    expect(await last()).to.equal(null);
    const first = await sent('one');
    const at = timeOf(app);
    expect(await last(), 'it may still bounce').to.equal(null);
    await app.clock.advance(23 * HOUR);
    expect(await last()).to.equal(null);
    await app.clock.advance(HOUR);
    expect(await last()).to.equal(at);
    await report(first, 'bounced');
    expect(await last()).to.equal(null);
    await app.clock.advance(HOUR);
    await report(await sent('two'), 'delivered');
    const delivered = timeOf(app);
    expect(await last()).to.equal(delivered);
    expect(await last(delivered), 'before this time').to.equal(null);
  });
});
