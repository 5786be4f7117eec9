import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { OutgoingMessage } from '../../carriers/runtime/carrier.js';
import { behaviorNames, behaviorOf, behaviors } from '../../carriers/sandbox/behaviors.js';
import { SANDBOX, sandbox, scriptOf } from '../../carriers/sandbox/sandbox.js';
import { type ReceiptPart, recordReceipt, recordReceipts } from '../../commands/messages/record-receipt.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { internalCommand } from '../../commands/runtime/command.js';
import { createDispatcher } from '../../commands/runtime/dispatcher.js';
import { channelNames } from '../../domain/kernel/channels.js';
import { fold } from '../../domain/kernel/decider.js';
import { type KnownMessage, type MessageEvent, message, messageStream } from '../../domain/messages/message.js';
import { normalizeEmail, normalizePhone } from '../../formats/contacts/addresses.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { simulateSandboxReceipts } from '../../processes/messages/simulate-sandbox-receipts.js';
import { failureOf } from '../contract/helpers.js';
import { system } from '../support/system.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

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
    expect(recipients).to.have.length(11);
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

describe('recording receipts together', () => {
  const receiptAt = (second: number) => ({
    ...{ kind: 'delivered', carrier: 'twilio', carrier_message_id: 'SM1', raw_status: 'delivered', code: null },
    at: `2026-01-15T10:00:0${second}.000Z`,
  });
  const parts = (ids: readonly string[], second: number) =>
    ids.map((id) => ({ id, receipt: receiptAt(second) as ReceiptPart['receipt'], invocation: `received/${id}/${second}` }));

  /** Sent messages, and a node that caches what it has decided. */
  async function start(messages: number) {
    const app = new TestApp([dispatchMessages({ routes: () => ({ ...sandbox(), name: 'twilio' }) })]);
    const ids: string[] = [];
    for (let i = 0; i < messages; i++)
      ids.push((await app.execute(sendMessage, { to: `+1415555010${i}`, channel: 'sms', message: 'Hello' })).output.id);
    await app.run();
    const { log, vault: addresses, clock } = app;
    const stateCache = new Map<string, never>();
    const node = createDispatcher({ log, addresses, ports: app.ports, clock, entropy: system.entropy, secretKey: Buffer.alloc(32, 1), stateCache });
    let runs = 0;
    const record = (receipts: readonly ReceiptPart[]) => {
      runs += 1;
      const cause = { account: ACCOUNT, actor: { kind: 'process', id: 'receipts' }, invocation: `run/${runs}`, correlation: 'req_1' } as const;
      return node.execute(recordReceipts, { receipts }, cause);
    };
    return { app, ids, record, node };
  }

  it('records each of them once, whether the state of its message is cached or not', async () => {
    const { app, ids, record } = await start(3);
    for (const second of [1, 2]) {
      expect((await record(parts(ids, second))).output).to.deep.equal([true, true, true]);
      expect(await record(parts(ids, second))).to.deep.include({ output: [false, false, false], position: 'start' });
    }
    for (const id of ids)
      expect(((await app.log.read(messageStream(id))) ?? []).slice(3).map(({ meta }) => meta.$causationId)).to.deep.equal(
        [1, 2].map((n) => `received/${id}/${n}`),
      );
  });

  it('decides again on a message that another node has changed', async () => {
    const { app, ids, record } = await start(2);
    await record(parts(ids, 1));
    const [changed] = parts(ids, 2);
    await app.execute(recordReceipt, changed as ReceiptPart);
    expect((await record(parts(ids, 2))).output).to.deep.equal([false, true]);
    expect((await record(parts(ids, 3))).output).to.deep.equal([true, true]);
  });

  it('leaves the content to a later decision that reads it, although receipts are decided without', async () => {
    const { ids, record, node } = await start(1);
    const [id = ''] = ids;
    await record(parts(ids, 1));
    const [last] = parts(ids, 2);
    const receipt = { ...(last as ReceiptPart).receipt, received_at: '2026-01-15T10:00:05.000Z', receipt_key: 'key', keyword: null };
    const reading = internalCommand({
      name: 'Read',
      handle: (_: object, context) => context.decide(message, messageStream(id), { type: 'RecordReceipt', receipt }, { cached: true }),
    });
    const cause = { account: ACCOUNT, actor: { kind: 'process', id: 'reads' }, invocation: 'run/read', correlation: 'req_1' } as const;
    const { output } = await node.execute(reading, {}, cause);
    expect((output.state as KnownMessage).accepted.content).to.include({ message: 'Hello' });
  });

  it('fails only for a message that does not exist', async () => {
    const { ids, record } = await start(1);
    const [missing, recorded] = (await record(parts(['msg_0', ...ids], 1))).output;
    expect(missing).to.include({ name: 'DomainError', code: 'not_found' });
    expect(recorded).to.equal(true);
  });
});

describe('recording a receipt', () => {
  const receipt = { kind: 'delivered', carrier: 'twilio', carrier_message_id: 'SM1', raw_status: 'delivered', code: null } as const;
  const at = '2026-01-15T10:00:01.000Z';
  const sent = async () => {
    const app = new TestApp([dispatchMessages({ routes: () => ({ ...sandbox(), name: 'twilio' }) })]);
    const { output } = await app.execute(sendMessage, { to: '+14155550100', channel: 'sms', message: 'Hello' });
    await app.run();
    return { app, id: output.id };
  };

  it('changes the status once, in whatever format the time is', async () => {
    const { app, id } = await sent();
    const first = await app.execute(recordReceipt, { id, receipt: { ...receipt, at } });
    expect(first.output).to.deep.equal({ id, status: 'delivered' });
    const second = await app.execute(recordReceipt, { id, receipt: { ...receipt, at: '2026-01-15T12:00:01+02:00' } });
    expect(second.position).to.equal('start');
  });

  it('stores receipts that differ in carrier, id, raw status or time', async () => {
    const { app, id } = await sent();
    const others = [{ carrier: 'vonage' }, { carrier_message_id: 'SM2' }, { raw_status: 'DELIVRD' }, { at: '2026-01-15T10:00:02.000Z' }];
    for (const other of [{}, ...others]) await app.execute(recordReceipt, { id, receipt: { ...receipt, at, ...other } });
    expect((await app.history(messageStream(id))).slice(3)).to.deep.equal(['MessageDelivered', ...others.map(() => 'ReceiptIgnored')]);
    const state = fold(
      message,
      ((await app.log.read<MessageEvent>(messageStream(id))) ?? []).map(({ event }) => event),
    );
    expect(new Set((state as KnownMessage).receipts).size).to.equal(5);
  });

  it('uses the carrier’s keyword of a reply', async () => {
    const { app, id } = await sent();
    const reply = { ...receipt, kind: 'replied', raw_status: 'received', at, text: 'No more please', keyword: 'stop' } as const;
    await app.execute(recordReceipt, { id, receipt: reply });
    expect((await app.log.readSealed(messageStream(id)))?.at(-1)?.event.data).to.include({ keyword: 'stop' });
  });

  it('is rejected for an unknown message', async () => {
    const error = await failureOf(new TestApp().execute(recordReceipt, { id: 'msg_0', receipt: { ...receipt, at } }));
    expect(error).to.include({ name: 'DomainError', code: 'not_found' });
  });
});
