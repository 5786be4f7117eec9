import { expect } from 'chai';
import type { Carrier } from '../../carriers/runtime/carrier.js';
import { sendBulk } from '../../commands/messages/send-bulk.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { channelNames } from '../../domain/kernel/channels.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { TestApp } from '../support/test-app.js';

describe('messages of a test key', () => {
  it('go to the sandbox whatever carrier serves their channel, also after an error and in a bulk', async () => {
    const calls: string[] = [];
    let failing = 1;
    const carrier = (name: string): Carrier => ({
      name,
      channels: channelNames,
      deduplicates: true,
      async send({ message_id }) {
        calls.push(name);
        if (name === 'sandbox' && failing-- > 0) return { outcome: 'transient_error', code: null, error: 'busy' };
        return { outcome: 'accepted', carrier_message_id: `c-${message_id}` };
      },
    });
    const [live, sandbox] = [carrier('live'), carrier('sandbox')];
    const app = new TestApp([dispatchMessages({ routes: (_, test) => (test ? sandbox : live) })]);
    const request = { to: '+14155550100', channel: 'sms', message: 'Hello' };
    const bulk = { received: 2, items: [0, 1].map((index) => ({ index, request })), problems: [], atomic: false };
    await app.execute(sendMessage, request, { test: true });
    await app.execute(sendBulk, bulk, { test: true });
    await app.run();
    expect(calls).to.deep.equal(['sandbox', 'sandbox', 'sandbox', 'sandbox']);
    await app.execute(sendMessage, request);
    await app.execute(sendBulk, bulk);
    await app.run();
    expect(calls.slice(4)).to.deep.equal(['live', 'live', 'live']);
  });
});
