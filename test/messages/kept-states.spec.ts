import { expect } from 'chai';
import { recordBulkSendResults } from '../../commands/messages/record-bulk-send-results.js';
import { recordReceipts } from '../../commands/messages/record-receipt.js';
import { startDispatch } from '../../commands/messages/start-dispatch.js';
import type { KnownState } from '../../commands/runtime/command.js';
import { createDispatcher } from '../../commands/runtime/dispatcher.js';
import type { StateCache } from '../../commands/runtime/dispatcher-options.js';
import type { SealedDecider } from '../../domain/kernel/sealed-state.js';
import type { SealedBatchItem } from '../../domain/messages/batch.js';
import {
  type KnownMessage,
  type Message,
  type MessageCommand,
  type MessageEvent,
  type message,
  messageStream,
  type SealedMessage,
} from '../../domain/messages/message.js';
import { loadChunk } from '../../log/aggregates/messages/load-batch.js';
import { system } from '../support/system.js';
import { ACCOUNT } from '../support/test-app.js';
import { bulk, start } from './bulk-app.js';

const CAUSE = { account: ACCOUNT, actor: { kind: 'process', id: 'messages/dispatch' }, correlation: 'req_1' } as const;
const TAKE = { carrier: 'scripted', epoch: 2, on_unknown_outcome: 'retry', hasStream: true } as const;
const RECEIPT = {
  kind: 'delivered',
  carrier: 'scripted',
  carrier_message_id: 'c-1',
  raw_status: 'ok',
  code: null,
  at: '2026-01-15T10:00:01.000Z',
} as const;

/** A node that has recorded the dispatch of a message of a bulk, and keeps the state of that. */
async function dispatched() {
  const { app } = start();
  const { batch, ids } = await bulk(app, 1);
  const [item] = (await loadChunk(app.log, batch, 0)).event.data.items as [SealedBatchItem];
  const states = new Map<string, ReturnType<StateCache['get']>>();
  const dispatcher = createDispatcher({
    log: app.log,
    addresses: app.vault,
    ports: app.ports,
    clock: app.clock,
    entropy: system.entropy,
    secretKey: Buffer.alloc(32, 1),
    stateCache: states,
  });
  const at = '2026-01-15T10:00:00.000Z';
  const starts = [{ type: 'MessageDispatchStarted', data: { attempt: 1, epoch: 1, carrier: 'scripted', repeat: false, at } } as const];
  const result = { outcome: 'accepted', carrier_message_id: 'c-1' } as const;
  const sendResults = [{ item, to: '+14155550000', starts, carrier: 'scripted', result }];
  expect((await dispatcher.execute(recordBulkSendResults, { sendResults }, { ...CAUSE, invocation: 'run/1' })).output).to.deep.equal([true]);
  const id = ids[0] as string;
  const { to_key: toKey, channel, category } = item;
  const take = () => dispatcher.execute(startDispatch, { ...TAKE, id, toKey, channel, category }, { ...CAUSE, invocation: 'run/2' });
  return { app, id, dispatcher, take, states };
}

describe('the kept state of a message that was dispatched in a bulk', () => {
  it('is not what a dispatch reads that takes the message once more', async () => {
    const { take, states, id } = await dispatched();
    expect(states.get(messageStream(id))).to.deep.include({ sealed: true, revision: 2 });
    const { state } = (await take()).output;
    expect(state.status).to.equal('sent');
    expect((state as KnownMessage).accepted).to.include({ to: '+14155550000' });
  });

  it('is what its receipts are decided on, and is sealed after them', async () => {
    const { app, dispatcher, states, id, take } = await dispatched();
    const reads: string[] = [];
    const { read } = app.engine.events;
    app.engine.events.read = (stream, options) => {
      reads.push(stream);
      return read.call(app.engine.events, stream, options);
    };
    const receipts = [{ id, receipt: RECEIPT, invocation: 'received/1' }];
    expect((await dispatcher.execute(recordReceipts, { receipts }, { ...CAUSE, invocation: 'run/3' })).output).to.deep.equal([true]);
    expect(reads).to.not.include(messageStream(id));
    expect(states.get(messageStream(id))).to.deep.include({ sealed: true, revision: 3 });
    expect((await take()).output.state.status).to.equal('delivered');
  });

  it('is of a type without personal fields, which nothing takes for an opened one', () => {
    type Accepted = Extract<SealedMessage, { status: 'sent' }>['accepted'];
    // These do not compile where a sealed state has a personal field, or is enough where an opened one is read.
    const personal: Extract<keyof Accepted, 'to' | 'content' | 'metadata' | 'from' | 'webhook_url'>[] = [];
    const isOpened: SealedMessage extends Message ? true : false = false;
    const isKept: { state: SealedMessage; revision: number } extends KnownState<Message, MessageEvent> ? true : false = false;
    const decides: typeof message extends SealedDecider<Message, MessageCommand, MessageEvent> ? true : false = false;
    expect([personal, isOpened, isKept, decides]).to.deep.equal([[], false, false, false]);
  });
});
