import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { OutgoingMessage } from '../../carriers/runtime/carrier.js';
import { behaviorNames, behaviorOf, behaviors } from '../../carriers/sandbox/behaviors.js';
import { SANDBOX, sandbox, scriptOf } from '../../carriers/sandbox/sandbox.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { channelNames } from '../../domain/kernel/channels.js';
import { fold } from '../../domain/kernel/decider.js';
import { type MessageEvent, message, messageStream } from '../../domain/messages/message.js';
import { normalizeEmail, normalizePhone } from '../../formats/contacts/addresses.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { simulateSandboxReceipts } from '../../processes/messages/simulate-sandbox-receipts.js';
import { TestApp } from '../support/test-app.js';

const outgoing = (given: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  message_id: 'msg_1',
  account: 'acc_1',
  channel: 'sms',
  to: '+14155550100',
  from: null,
  category: 'transactional',
  content: { message: 'Hello' },
  attempt: 1,
  ...given,
});
const never = new AbortController().signal;

describe('the sandbox carrier', () => {
  const carrier = sandbox();

  it('accepts messages on every channel, and de-duplicates', () => {
    expect(carrier.channels).to.deep.equal(channelNames);
    expect(carrier.deduplicates).to.equal(true);
  });

  it('gives the same answer to the same message on every dispatch', async () => {
    const [first, second, other] = await Promise.all([
      carrier.send(outgoing(), never),
      carrier.send(outgoing({ attempt: 2 }), never),
      carrier.send(outgoing({ message_id: 'msg_2' }), never),
    ]);
    expect(first.outcome).to.equal('accepted');
    expect(second).to.deep.equal(first);
    expect(other).to.not.deep.equal(first);
  });

  it('rejects an invalid recipient permanently', async () => {
    const answer = await carrier.send(outgoing({ to: '+15005550001' }), never);
    expect(answer).to.include({ outcome: 'permanent_error', reason: 'invalid_recipient' });
  });

  it('is busy twice and then accepts the message', async () => {
    const outcomes = [];
    for (const attempt of [1, 2, 3]) outcomes.push((await carrier.send(outgoing({ to: '+15005550005', attempt }), never)).outcome);
    expect(outcomes).to.deep.equal(['transient_error', 'transient_error', 'accepted']);
  });

  it('writes a line for each dispatch, before its answer, at the end of the file', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'heliograph-sandbox-'));
    try {
      const dispatchLogFile = join(dir, 'hand-overs');
      const [one, another] = [sandbox({ dispatchLogFile }), sandbox({ dispatchLogFile })];
      const answers = [one.send(outgoing(), never), another.send(outgoing({ attempt: 2 }), never), one.send(outgoing({ to: '+15005550001' }), never)];
      expect(readFileSync(dispatchLogFile, 'utf8')).to.equal('msg_1 1\nmsg_1 2\nmsg_1 1\n');
      await Promise.all(answers);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});

describe('the behaviors of the sandbox', () => {
  it('are found by the normalized recipients', () => {
    const recipients = behaviorNames.flatMap((name) => [...behaviors[name].recipients]);
    expect(recipients).to.have.length(13);
    expect(new Set(recipients).size).to.equal(recipients.length);
    for (const to of recipients) expect(to.includes('@') ? normalizeEmail(to) : normalizePhone(to)).to.equal(to);
  });

  it('deliver to all other recipients', () => {
    for (const to of ['+14155550100', 'ada@example.com', 'ada@sandbox.test', 'constructor']) expect(behaviorOf(to)).to.equal('delivered');
  });

  for (const name of behaviorNames) {
    it(`include '${name}' with receipts in order and distinct raw statuses`, () => {
      const script = behaviors[name].receipts;
      const times = script.map(({ after_ms }) => after_ms);
      expect(times).to.deep.equal([...new Set(times)].sort((a, b) => a - b));
      expect(new Set(script.map(({ raw_status }) => raw_status)).size).to.equal(script.length);
    });
  }

  it('are encoded in the sandbox’s message ids, and in no others', async () => {
    for (const name of behaviorNames) {
      const [to] = [...behaviors[name].recipients, '+14155550100'];
      const answer = await sandbox().send(outgoing({ to, attempt: 9 }), never);
      if (answer.outcome === 'accepted') expect(scriptOf(answer.carrier_message_id)).to.equal(behaviors[name].receipts);
    }
    for (const id of ['SM123', 'sbx_', 'sbx_nothing_1', 'sbx_constructor_1', 'xsbx_stop_1']) expect(scriptOf(id)).to.deep.equal([]);
  });
});

interface Scenario {
  readonly to: string;
  readonly events: readonly string[];
  /** Milliseconds from the acceptance by the API to the last event. */
  readonly after: number;
  readonly status: string;
}

const DISPATCHED = ['MessageQueued', 'MessageDispatchStarted', 'MessageSent'];
const scenarios: readonly Scenario[] = [
  { to: '+14155550100', events: [...DISPATCHED, 'MessageDelivered'], after: 150, status: 'delivered' },
  { to: '+15005550001', events: ['MessageQueued', 'MessageDispatchStarted', 'MessageFailed'], after: 0, status: 'failed' },
  { to: '+15005550002', events: [...DISPATCHED, 'MessageUndelivered'], after: 150, status: 'undelivered' },
  { to: '+15005550003', events: [...DISPATCHED, 'MessageDelivered'], after: 5_000, status: 'delivered' },
  { to: '+15005550004', events: DISPATCHED, after: 0, status: 'sent' },
  {
    to: '+15005550005',
    events: [
      ...['MessageQueued', 'MessageDispatchStarted', 'MessageDispatchDeferred', 'MessageDispatchStarted', 'MessageDispatchDeferred'],
      ...['MessageDispatchStarted', 'MessageSent', 'MessageDelivered'],
    ],
    after: 6_150,
    status: 'delivered',
  },
  { to: '+15005550006', events: [...DISPATCHED, 'MessageDelivered', 'MessageReplied'], after: 300, status: 'delivered' },
  { to: 'bounce@sandbox.test', events: [...DISPATCHED, 'MessageBounced'], after: 150, status: 'bounced' },
  { to: 'softbounce@sandbox.test', events: [...DISPATCHED, 'MessageDeferred', 'MessageDelivered'], after: 300, status: 'delivered' },
  { to: 'complaint@sandbox.test', events: [...DISPATCHED, 'MessageDelivered', 'MessageComplained'], after: 300, status: 'delivered' },
  { to: 'reply@sandbox.test', events: [...DISPATCHED, 'MessageDelivered', 'MessageReplied'], after: 300, status: 'delivered' },
  { to: 'unsubscribe@sandbox.test', events: [...DISPATCHED, 'MessageDelivered', 'MessageUnsubscribed'], after: 300, status: 'delivered' },
  { to: 'opens+1@sandbox.test', events: [...DISPATCHED, 'MessageDelivered', 'MessageOpened'], after: 300, status: 'delivered' },
  { to: 'clicks+1@sandbox.test', events: [...DISPATCHED, 'MessageDelivered', 'MessageOpened', 'MessageClicked'], after: 450, status: 'delivered' },
];

describe('a message through the sandbox', () => {
  const start = () => new TestApp([dispatchMessages({ routes: () => sandbox() }), simulateSandboxReceipts({ name: SANDBOX, scriptOf })]);
  const send = async (app: TestApp, to: string) => {
    const channel = to.includes('@') ? 'email' : 'sms';
    return (await app.execute(sendMessage, { to, channel, message: 'Hello', subject: 'Hello' })).output.id;
  };
  const history = async (app: TestApp, id: string) => (await app.log.read<MessageEvent>(messageStream(id))) ?? [];

  for (const { to, events, after, status } of scenarios) {
    it(`to ${to} ends ${status} after ${after} ms`, async () => {
      const app = start();
      const began = app.clock.now();
      const id = await send(app, to);
      await app.run();
      const happened = await history(app, id);
      expect(happened.map(({ event }) => event.type)).to.deep.equal(events);
      expect(Date.parse(happened.at(-1)?.meta.occurredAt ?? '') - began).to.equal(after);
      const state = fold(
        message,
        happened.map(({ event }) => event),
      );
      expect(state.status).to.equal(status);
      expect(await app.todos()).to.deep.equal([]);
    });
  }

  it('records an answer once as an inbound message, by email and by text, with the keyword of a text', async () => {
    const app = start();
    const stop = await send(app, '+15005550006');
    const reply = await send(app, 'reply@sandbox.test');
    await app.run();
    const inbound = (await app.log.readAll('start', 100)).events.filter(({ stream }) => stream.startsWith('inbound-'));
    const opened = (await app.log.open(inbound)).map(({ event: { type, data } }) => ({ type, ...(data as object) }));
    expect(opened).to.have.length(2);
    const text = { type: 'InboundTextReceived', from: '+15005550006', text: 'STOP', kind: 'stop', keyword: 'STOP', message_id: stop, answered: true };
    expect(opened.find(({ type }) => type === 'InboundTextReceived')).to.include(text);
    const email = { type: 'InboundEmailReceived', from: 'reply@sandbox.test', text: 'Thank you, I got it.', message_id: reply, automatic: false };
    expect(opened.find(({ type }) => type === 'InboundEmailReceived')).to.include(email);
  });

  it('is clicked at the first link of its HTML, else of its text, but not at one to unsubscribe', async () => {
    const app = start();
    const to = 'clicks@sandbox.test';
    const html = '<p><a href="https://a.test/v1/public/preferences/x">Preferences</a> <a href="https://shop.test/?a=1&amp;b=2">Shop</a></p>';
    const sent = await Promise.all(
      [{ html }, { message: 'See https://text.test/x.' }, { message: 'Nothing to see' }].map(
        async (content) => (await app.execute(sendMessage, { to, channel: 'email', subject: 'Hello', ...content })).output.id,
      ),
    );
    await app.run();
    const clicked = await Promise.all(sent.map(async (id) => (await history(app, id)).at(-1)?.event));
    expect(clicked.map((event) => event?.type === 'MessageClicked' && event.data.url)).to.deep.equal([
      'https://shop.test/?a=1&b=2',
      'https://text.test/x',
      null,
    ]);
  });

  it('keeps the keyword of an answer readable, and the answer itself sealed', async () => {
    const app = start();
    const [stop, reply] = [await send(app, '+15005550006'), await send(app, 'reply@sandbox.test')];
    await app.run();
    const answerTo = async (id: string) => (await app.log.readSealed(messageStream(id)))?.at(-1)?.event.data;
    expect(await answerTo(stop))
      .to.include({ keyword: 'stop', channel: 'sms' })
      .and.not.have.property('text');
    expect(await answerTo(reply))
      .to.include({ keyword: null, channel: 'email' })
      .and.not.have.property('text');
    expect((await history(app, stop)).at(-1)?.event.data).to.include({ text: 'STOP' });
  });

  it('gets a receipt at its planned time although it is simulated late, and gets it once', async () => {
    const app = start();
    const id = await send(app, 'complaint@sandbox.test');
    await app.run(1);
    const sentAt = app.clock.now() - 1;
    const [late] = await app.todos();
    await app.clock.advance(60_000);
    await app.run();
    const receipts = (await history(app, id)).slice(3).map(({ event }) => event.data as Extract<MessageEvent, { type: 'MessageDelivered' }>['data']);
    expect(receipts.map(({ at }) => Date.parse(at) - sentAt)).to.deep.equal([150, 300]);
    expect(receipts.map(({ received_at }) => Date.parse(received_at) - sentAt)).to.deep.equal([60_001, 60_001]);

    // As after a takeover, by a process that does not have the record.
    const again = await late?.process.perform([late.todo], {
      log: app.log,
      clock: app.clock,
      epoch: 2,
      tenure: { since: 2, ended: never },
      signal: never,
      caughtUp: async () => true,
      execute: (command, input, { about, ...cause }) => app.execute(command, input, { ...cause, invocation: `other/${about}` }),
    });
    expect(again).to.deep.equal(['start']);
    expect(await history(app, id)).to.have.length(5);
  });

  it('is left alone if another carrier has it', async () => {
    const app = new TestApp([
      dispatchMessages({ routes: () => ({ ...sandbox(), name: 'other' }) }),
      simulateSandboxReceipts({ name: SANDBOX, scriptOf }),
    ]);
    const id = await send(app, '+14155550100');
    await app.run();
    expect(await app.history(messageStream(id))).to.deep.equal(DISPATCHED);
  });
});
