import { expect } from 'chai';
import { cancelMessage } from '../../commands/messages/cancel-message.js';
import { startDispatch } from '../../commands/messages/start-dispatch.js';
import { StoreUnavailable } from '../../domain/kernel/ports.js';
import { type MessageEvent, messageStream } from '../../domain/messages/message.js';
import { openItems } from '../../log/aggregates/messages/load-batch.js';
import type { DispatchTodo } from '../../processes/messages/dispatch-message.js';
import { ACCOUNT, type TestApp } from '../support/test-app.js';

import { accepted, bulk, performAs, SENT, start } from './bulk-app.js';

describe('a bulk of an older log', () => {
  /** Writes the chunks of batches as version 2, which has no `alone`. */
  function writeVersion2({ engine: { events } }: TestApp): void {
    const append = events.append.bind(events);
    events.append = (stream, expected, written) =>
      append(
        stream,
        expected,
        written.map((event) => {
          if (event.type !== 'BulkChunkAccepted') return event;
          const { alone: _, ...data } = JSON.parse(event.data);
          return { ...event, data: JSON.stringify(data), metadata: JSON.stringify({ ...JSON.parse(event.metadata), schemaVersion: 2 }) };
        }),
      );
  }

  it('goes on message by message, by the streams of its messages alone', async () => {
    const { app, calls } = start();
    writeVersion2(app);
    const { batch, ids } = await bulk(app, 5);
    const [first, canceled] = ids as [string, string];
    const toKey = app.vault.key(ACCOUNT, '+14155550000');
    const taken = (await app.todos()).find(({ todo }) => todo.id === first)?.todo as DispatchTodo;
    const [item] = await openItems(app.log, [taken.item as never]);
    const take = { id: first, toKey, channel: 'sms', category: 'transactional', item, hasStream: false, carrier: 'scripted' } as const;
    await app.execute(startDispatch, { ...take, epoch: 0, on_unknown_outcome: 'retry' });
    expect((await app.execute(cancelMessage, { id: canceled, batch_id: batch, batch_index: 1 })).output.status).to.equal('canceled');
    await app.run();
    expect(await app.history(`bulk-${batch}`)).to.deep.equal(['BulkChunkAccepted', 'BulkAccepted']);
    expect(calls.map(({ id }) => id)).to.have.members(ids.filter((id) => id !== canceled));
    expect(await app.history(messageStream(first))).to.deep.equal([
      'MessageQueued',
      'MessageDispatchStarted',
      'MessageDispatchStarted',
      'MessageSent',
    ]);
    expect(await app.history(messageStream(canceled))).to.deep.equal(['MessageQueued', 'MessageCanceled']);
    expect(await app.todos()).to.deep.equal([]);
  });
});

describe('a bulk whose records fail', () => {
  it('is recorded later, without another call of the carrier', async () => {
    const { app, calls } = start();
    const { ids } = await bulk(app, 120);
    const { events } = app.engine;
    const appendAll = events.appendAll.bind(events);
    let failures = 3;
    events.appendAll = async (chains) => {
      if (failures-- > 0) throw new StoreUnavailable('away');
      return appendAll(chains);
    };
    for (let tries = 0; tries < 3; tries++) expect(await performAs(app, 1)).to.be.instanceOf(StoreUnavailable);
    expect(calls.length, 'calls without a record').to.be.at.most(32);
    await app.run();
    expect(calls.map(({ id }) => id)).to.deep.equal(ids);
    for (const id of ids) expect(await app.history(messageStream(id))).to.deep.equal(SENT);
  });
});

describe('a bulk whose dispatcher has died', () => {
  /** The dispatcher of epoch 1 calls the carrier for so many messages that never end. */
  async function died(size: number, options: { onUnknownOutcome: 'retry' | 'fail' }) {
    let dead = false;
    const { app, calls, process, suppress } = start((nth) => (dead ? accepted(nth, 1) : new Promise(() => {})), options);
    const { ids } = await bulk(app, size);
    void performAs(app, 1);
    while (calls.length < 28) await new Promise((resolve) => setImmediate(resolve));
    const called = calls.splice(0).map(({ id }) => id);
    dead = true;
    return { app, calls, called, ids, suppress, next: process() };
  }

  it('hands over those that were not called, whatever the account chose, and fails those that may have been', async () => {
    const { app, calls, called, ids, next } = await died(250, { onUnknownOutcome: 'fail' });
    expect(await performAs(app, 2, next)).to.equal(undefined);
    const failed: string[] = [];
    for (const id of ids) if ((await app.history(messageStream(id))).includes('MessageFailed')) failed.push(id);
    expect(failed).to.have.length(32);
    expect(failed).to.include.members(called);
    expect(calls.map(({ id }) => id)).to.deep.equal(ids.filter((id) => !failed.includes(id)));
    expect(await app.todos()).to.deep.equal([]);
  });

  it('hands over again those that may have been called, if the account chose so', async () => {
    const { app, calls, ids, next } = await died(250, { onUnknownOutcome: 'retry' });
    expect(await performAs(app, 2, next)).to.equal(undefined);
    expect(calls.map(({ id }) => id)).to.deep.equal(ids);
    expect(calls.filter(({ attempt }) => attempt === 2)).to.have.length(32);
    const repeated = [...SENT];
    repeated.splice(1, 0, 'MessageDispatchStarted');
    expect(await app.history(messageStream(ids[0] as string))).to.deep.equal(repeated);
    expect(await app.history(messageStream(ids.at(-1) as string))).to.deep.equal(SENT);
  });

  it('does not hand over again to whom a gate refuses now', async () => {
    const { app, calls, ids, next, suppress } = await died(50, { onUnknownOutcome: 'retry' });
    await suppress('+14155550003');
    expect(await performAs(app, 2, next)).to.equal(undefined);
    expect(calls.map(({ id }) => id)).to.deep.equal(ids.filter((id) => id !== ids[3]));
    const [, , end] = (await app.log.read<MessageEvent>(messageStream(ids[3] as string))) ?? [];
    expect(end?.event.data).to.include({ reason: 'unknown_outcome' });
    expect(await app.history(messageStream(ids[3] as string))).to.deep.equal(['MessageQueued', 'MessageDispatchStarted', 'MessageFailed']);
  });

  it('stops where another dispatcher has taken over', async () => {
    const { app, calls, next } = await died(50, { onUnknownOutcome: 'fail' });
    await performAs(app, 2, next);
    const before = calls.length;
    await performAs(app, 1, next);
    expect(calls).to.have.length(before);
  });
});

describe('a bulk whose dispatcher stops', () => {
  it('leaves no message with an unknown outcome', async () => {
    const stop = new AbortController();
    const { app, calls, process } = start(
      (nth) => {
        if (nth === 20) stop.abort();
        return accepted(nth, 1);
      },
      { onUnknownOutcome: 'fail' },
    );
    const { ids } = await bulk(app, 120);
    await performAs(app, 1, process(), stop.signal);
    expect(calls.length).to.be.below(120);
    await performAs(app, 2, process());
    expect(calls.map(({ id }) => id)).to.deep.equal(ids);
    for (const id of ids) expect(await app.history(messageStream(id))).to.deep.equal(SENT);
  });
});
