import { expect } from 'chai';
import { sandbox } from '../../carriers/sandbox/sandbox.js';
import { type ReceiptPart, recordReceipt, recordReceipts } from '../../commands/messages/record-receipt.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { internalCommand } from '../../commands/runtime/command.js';
import { createDispatcher } from '../../commands/runtime/dispatcher.js';
import { fold } from '../../domain/kernel/decider.js';
import { type KnownMessage, type MessageEvent, message, messageStream } from '../../domain/messages/message.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { failureOf } from '../contract/helpers.js';
import { system } from '../support/system.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

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
