import { expect } from 'chai';
import { recordReceipt } from '../../commands/messages/record-receipt.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { messageStream } from '../../domain/messages/message.js';
import { peerKey } from '../../log/vault/address-keys.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { peerLookup, peers } from '../../projections/messages/message-lookups.js';
import { messages } from '../../projections/messages/projection.js';
import { reportClaims } from '../../projections/webhooks/claim-report.js';
import { bulk } from '../messages/bulk-app.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { carrierThat } from './carrier-that.js';

const PERSON = '+14155550100';
const SENDER = '+14155550199';

describe('the accounts that a text may belong to', () => {
  let app: TestApp;
  let outcome: 'accepted' | 'no answer' | 'a receipt and no answer' = 'accepted';
  const carrier = carrierThat(
    async ({ message_id }) => {
      if (outcome === 'a receipt and no answer') {
        const at = new Date(app.clock.now()).toISOString();
        const receipt = {
          carrier: 'twilio',
          carrier_message_id: `SM-${message_id}`,
          kind: 'delivered',
          raw_status: 'delivered',
          code: null,
          at,
        } as const;
        await app.execute(recordReceipt, { id: message_id, receipt });
      }
      if (outcome !== 'accepted') throw new Error(outcome);
      return { outcome, carrier_message_id: `SM-${message_id}` };
    },
    { name: 'twilio' },
  );
  beforeEach(() => {
    outcome = 'accepted';
    app = new TestApp([dispatchMessages({ routes: () => carrier })], {
      lookups: { suppressions: { mightContain: () => false, waitUntilReached: async () => true } },
    });
  });

  const sentBy = async (account: string, to = PERSON): Promise<string> => {
    const { id } = (await app.execute(sendMessage, { to, channel: 'sms', message: 'Hi', from: SENDER }, { account })).output;
    await app.clock.advance(1_000);
    await app.run();
    return id;
  };
  const followed = async () => {
    for (const projection of [peers, messages]) await app.documents(projection, projection === peers ? 'peers' : 'messages');
  };
  const claimsOf = async (text: string, from = PERSON) => {
    await followed();
    const report = { carrier: 'twilio', carrier_message_id: 'SM-in', channel: 'sms', from, to: SENDER, text, answered: false } as const;
    return reportClaims({ log: app.log, views: app.views, addresses: app.vault })({ kind: 'text', report });
  };
  const mayHaveWritten = async (address: string): Promise<string[]> => {
    const found = new Set<string>();
    for await (const page of peerLookup(app.views)(peerKey(app.vault, address))) for (const account of page) found.add(account);
    return [...found];
  };

  it('are those that have written to its sender, whatever the number of the others', async () => {
    for (let n = 0; n < 40; n++) await sentBy(`acc_OTHER${n}`, `+1415555${String(2_000 + n)}`);
    const one = await sentBy('acc_ONE');
    const two = await sentBy('acc_TWO');
    expect(await claimsOf('Hello')).to.deep.equal([{ account: 'acc_TWO', message_id: two }]);
    expect(await claimsOf('STOP')).to.deep.equal([
      { account: 'acc_TWO', message_id: two },
      { account: 'acc_ONE', message_id: one },
    ]);
    expect(await claimsOf('Hello', '+14155559999')).to.deep.equal([]);
    expect(await mayHaveWritten(PERSON)).to.deep.equal(['acc_ONE', 'acc_TWO']);
  });

  it('include those that have written to the other spelling of its number', async () => {
    const id = await sentBy('acc_MX', '+525512340001');
    await sentBy('acc_US');
    for (const text of ['Hola', 'STOP']) expect(await claimsOf(text, '+5215512340001'), text).to.deep.equal([{ account: 'acc_MX', message_id: id }]);
    const newer = await sentBy('acc_MX2', '+5215512340001');
    expect(await claimsOf('Hola', '+525512340001')).to.deep.equal([{ account: 'acc_MX2', message_id: newer }]);
    expect((await claimsOf('STOP', '+525512340001')).map(({ account }) => account)).to.deep.equal(['acc_MX2', 'acc_MX']);
  });

  it('include those of bulks, each once', async () => {
    await bulk(app, 5);
    await app.run();
    await bulk(app, 5);
    await app.run();
    await followed();
    expect(await mayHaveWritten('+14155550002')).to.deep.equal([ACCOUNT]);
    // Five people, and the carrier that chose the sender.
    expect(await app.documents(peers, 'peers')).to.have.length(6);
  });

  it('include those that do not know whether their message went out', async () => {
    outcome = 'no answer';
    const id = await sentBy('acc_UNSURE');
    outcome = 'accepted';
    await sentBy('acc_OTHER', '+14155550111');
    await followed();
    expect(await mayHaveWritten(PERSON)).to.deep.equal(['acc_UNSURE']);
    expect(await claimsOf('STOP')).to.deep.equal([{ account: 'acc_UNSURE', message_id: id }]);
  });

  it('include those whose message was delivered while the answer of the carrier was lost', async () => {
    outcome = 'a receipt and no answer';
    const id = await sentBy('acc_DELIVERED');
    expect(await app.history(messageStream(id))).to.deep.equal(['MessageQueued', 'MessageDispatchStarted', 'MessageDelivered']);
    expect(await claimsOf('STOP')).to.deep.equal([{ account: 'acc_DELIVERED', message_id: id }]);
  });

  it('include all accounts with messages from before addresses were recorded', async () => {
    const now = new Date(app.clock.now()).toISOString();
    const old = { type: 'MessageSent', data: { carrier: 'twilio', carrier_message_id: 'SM-1', at: now } } as const;
    const id = await sentBy('acc_NEW', '+14155550111');
    const { revision = 0 } = (await app.log.read(messageStream(id)))?.at(-1) ?? {};
    const cause = { account: 'acc_OLD', actor: { kind: 'key', id: 'key_1' }, $correlationId: 'old', $causationId: 'old', occurredAt: now } as const;
    await app.log.append(messageStream(id), revision, [old], { ...cause, invocation: 'old' });
    await followed();
    expect(await mayHaveWritten(PERSON)).to.deep.equal(['acc_OLD']);
  });
});
