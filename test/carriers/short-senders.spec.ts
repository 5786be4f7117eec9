import { expect } from 'chai';
import { sendMessage } from '../../commands/messages/send-message.js';
import { keepReport, OPERATOR } from '../../commands/webhooks/keep-report.js';
import { type CarrierReport, recordReport } from '../../commands/webhooks/record-report.js';
import { messageStream } from '../../domain/messages/message.js';
import { shortSenderOf } from '../../domain/messages/senders.js';
import { inboundStream } from '../../domain/suppressions/inbound-text.js';
import type { IncomingText } from '../../domain/webhooks/incoming.js';
import { parseTextSender } from '../../formats/contacts/parse-address.js';
import type { AppendCause } from '../../log/runtime/event-log.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { claimReports } from '../../processes/webhooks/claim-reports.js';
import { peers } from '../../projections/messages/message-lookups.js';
import { messages } from '../../projections/messages/projection.js';
import { reportClaims } from '../../projections/webhooks/claim-report.js';
import { bulk } from '../messages/bulk-app.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { carrierThat } from './carrier-that.js';

const NUMBER = '+14155550199';
const PERSON = '+14155550100';

function start() {
  const carrier = carrierThat(async ({ message_id }) => ({ outcome: 'accepted', carrier_message_id: `SM-${message_id}` }), { name: 'twilio' });
  const app = new TestApp([dispatchMessages({ routes: () => carrier })], {
    lookups: { suppressions: { mightContain: () => false, waitUntilReached: async () => true } },
  });
  const textFrom = (from: string, more: Partial<IncomingText> = {}, to: string | null = NUMBER, text = 'Your code is 1234'): IncomingText => ({
    kind: 'text',
    report: { carrier: 'twilio', carrier_message_id: `SM-${from}`, channel: 'sms', from, to, text, answered: false },
    ...more,
  });
  return {
    app,
    textFrom,
    async sent(account: string, from: string | null, more: object = {}) {
      const given = { to: PERSON, channel: 'sms', message: 'Hi', ...(from !== null && { from }) } as const;
      const { id } = (await app.execute(sendMessage, given, { account, ...more })).output;
      await app.clock.advance(1_000);
      await app.run();
      return id;
    },
    async claims(report: CarrierReport) {
      for (const projection of [peers, messages]) await app.documents(projection, projection === peers ? 'peers' : 'messages');
      return reportClaims({ log: app.log, views: app.views, addresses: app.vault })(report);
    },
  };
}

describe('a text from a short code or a name', () => {
  it('has its sender as it is', () => {
    const as = { '68849': '68849', '+68849': '68849', ' MyBank ': 'MyBank', 'A-1 Taxi': 'A-1 Taxi', Банк: 'Банк', '+14155550100': PERSON };
    for (const [given, sender] of Object.entries(as)) expect(parseTextSender(given), given).to.equal(sender);
    for (const given of ['', '12', '+', '+1415555010', 'ada@example.com', 'x'.repeat(31), 'a\nb', '-'])
      expect(parseTextSender(given), given).to.equal(null);
    expect(shortSenderOf('4915112345678')).to.equal(null);
  });

  for (const sender of ['68849', 'MyBank'])
    it(`goes to the only account that has sent from the number: ${sender}`, async () => {
      const acme = start();
      await acme.sent('acc_ONE', NUMBER);
      await acme.sent('acc_OTHER', '+14155550177');
      const [claim, ...others] = await acme.claims(acme.textFrom(sender));
      expect([claim, others]).to.deep.equal([{ account: 'acc_ONE', message_id: null }, []]);
      await recordReport(
        acme.textFrom(sender),
        { account: 'acc_ONE', message_id: null },
        (command, input, account) => acme.app.execute(command, input, { account }),
        0,
      );
      const stored = await acme.app.engine.events.readAll('start', 1_000);
      const stream = stored.events.findLast(({ type }) => type === 'InboundTextReceived')?.stream ?? '';
      const [received] = (await acme.app.log.read(stream)) ?? [];
      expect(stream).to.match(new RegExp(`^${inboundStream('')}`));
      expect(received?.event.data).to.include({ from: sender, to: NUMBER, kind: null });
      expect(received?.meta.account).to.equal('acc_ONE');
    });

  it('goes to nobody where several have sent from the number, and to the operator at once', async () => {
    const acme = start();
    await acme.sent('acc_ONE', NUMBER);
    await acme.sent('acc_TWO', '+1 (415) 555-0199'.replace(/[ ()-]/g, ''));
    expect(await acme.claims(acme.textFrom('68849'))).to.deep.equal([]);
    for (const [from, left] of [
      ['68849', true],
      ['MyBank', true],
      [PERSON, false],
    ] as const) {
      const process = claimReports({ claims: acme.claims, destroyKey: async () => {} });
      const kept = new TestApp([process]);
      await kept.execute(keepReport, [acme.textFrom(from, {}, from === PERSON ? '+14155550155' : NUMBER)], { account: OPERATOR });
      const [{ todo } = { todo: null }] = await kept.todos();
      const failed = await kept.run(1_000).catch((e: unknown) => e);
      expect(failed).to.be.an('error').with.property('name', 'Unclaimed');
      expect(process.onError?.(todo as never, 1, failed as Error) === 'park', from).to.equal(left);
    }
  });

  it('goes to nobody where another account sends from whatever number its carrier chooses', async () => {
    const acme = start();
    await acme.sent('acc_ONE', NUMBER);
    await acme.sent('acc_TWO', null);
    expect(await acme.claims(acme.textFrom('68849'))).to.deep.equal([]);
    const alone = start();
    await alone.sent('acc_ONE', null);
    expect(await alone.claims(alone.textFrom('68849'))).to.deep.equal([{ account: 'acc_ONE', message_id: null }]);
  });

  it('goes to nobody where nobody has sent from the number, or the carrier does not say which it was', async () => {
    const acme = start();
    await acme.sent('acc_OTHER', '+14155550177');
    expect(await acme.claims(acme.textFrom('68849'))).to.deep.equal([]);
    expect(await acme.claims(acme.textFrom('68849', {}, null))).to.deep.equal([]);
  });

  it('goes to the account whose own carrier has received it, whoever else sends from there', async () => {
    const acme = start();
    await acme.sent('acc_OTHER', NUMBER);
    expect(await acme.claims(acme.textFrom('MyBank', { account: 'acc_MINE' }))).to.deep.equal([{ account: 'acc_MINE', message_id: null }]);
  });

  it('does not count messages of test keys, and counts those of bulks', async () => {
    const acme = start();
    await bulk(acme.app, 3);
    await acme.app.run();
    await acme.sent('acc_TEST_KEYS', NUMBER, { test: true });
    expect(await acme.claims(acme.textFrom('68849'))).to.deep.equal([{ account: ACCOUNT, message_id: null }]);
  });

  it('counts messages of a version that did not record their senders', async () => {
    const acme = start();
    await acme.sent('acc_NEW', NUMBER);
    const id = await acme.sent('acc_OLD', '+14155550177');
    const { revision = 0, meta } = (await acme.app.log.read(messageStream(id)))?.at(-1) ?? {};
    const cause = { ...meta, invocation: 'old' } as unknown as AppendCause;
    const old = { type: 'MessageSent', data: { carrier: 'twilio', carrier_message_id: 'SM-old', sender_key: null, at: '2026-01-15T10:00:00.000Z' } };
    await acme.app.log.append(messageStream(id), revision, [old], cause);
    expect(await acme.claims(acme.textFrom('68849'))).to.deep.equal([]);
  });

  it('is no opt-out, whatever it says', async () => {
    const acme = start();
    await acme.sent('acc_ONE', NUMBER);
    const report = acme.textFrom('MyBank', {}, NUMBER, 'STOP');
    const [owner] = await acme.claims(report);
    await recordReport(
      report,
      owner ?? { account: '', message_id: null },
      (command, input, account) => acme.app.execute(command, input, { account }),
      0,
    );
    const { events } = await acme.app.engine.events.readAll('start', 1_000);
    expect(events.map(({ type }) => type))
      .to.include('InboundTextReceived')
      .and.not.to.include('AddressSuppressed');
  });
});
