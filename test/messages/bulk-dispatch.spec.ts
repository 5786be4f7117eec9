import { expect } from 'chai';
import { cancelMessage } from '../../commands/messages/cancel-message.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import { messageStream } from '../../domain/messages/message.js';
import { withDispatch } from '../../projections/messages/batch-message.js';
import { type StoredMessage, wholeMessage } from '../../projections/messages/message-doc.js';
import { messages } from '../../projections/messages/projection.js';
import { messageTimeline } from '../../projections/messages/timeline.js';

import { accepted, bulk, performing, SENT, start } from './bulk-app.js';

describe('the dispatch of a bulk', () => {
  it('hands over each message once, in order, and records it with one append', async () => {
    const { app, calls } = start();
    const { batch, ids } = await bulk(app, 250);
    await app.run();
    expect(calls.map(({ id }) => id)).to.deep.equal(ids);
    expect(new Set(calls.map(({ attempt }) => attempt))).to.deep.equal(new Set([1]));
    for (const id of ids) expect(await app.history(messageStream(id))).to.deep.equal(SENT);
    expect(await app.history(`bulk-${batch}`)).to.deep.equal([
      'BulkChunkAccepted',
      'BulkAccepted',
      ...Array(3).fill('BulkDispatchStarted'),
      'BulkDispatchEnded',
    ]);
    expect(await app.todos()).to.deep.equal([]);
  });

  it('takes at most 2.1 appends and 0.05 reads of streams a message', async () => {
    const { app } = start();
    const { events } = app.engine;
    const counts = { appends: 0, reads: 0 };
    const { append, read } = events;
    events.append = (...given) => {
      counts.appends += 1;
      return append.apply(events, given);
    };
    events.read = (...given) => {
      counts.reads += 1;
      return read.apply(events, given);
    };
    const { ids } = await bulk(app, 2_000);
    await app.run();
    expect(await app.history(messageStream(ids.at(-1) as string))).to.deep.equal(SENT);
    // The receipt of each message is one append more.
    expect(counts.appends / 2_000).to.be.below(1.1);
    expect(counts.reads / 2_000).to.be.below(0.05);
  });

  it('retries a message after a transient error by itself', async () => {
    const { app, calls } = start((nth, attempt) =>
      nth === 2 && attempt === 1 ? { outcome: 'transient_error', code: 'busy', error: 'Busy.' } : accepted(nth, 1),
    );
    const { ids } = await bulk(app, 3);
    await app.run();
    expect(calls.map(({ id, attempt }) => [id, attempt])).to.deep.equal([...ids.map((id) => [id, 1]), [ids[1], 2]]);
    expect(await app.history(messageStream(ids[1] as string))).to.deep.equal([
      'MessageQueued',
      'MessageDispatchStarted',
      'MessageDispatchDeferred',
      'MessageDispatchStarted',
      'MessageSent',
    ]);
  });

  it('leaves out a message that is canceled before', async () => {
    const { app, calls } = start();
    const { batch, ids } = await bulk(app, 3);
    const [first, canceled, last] = ids as [string, string, string];
    const { output } = await app.execute(cancelMessage, { id: canceled, batch_id: batch, batch_index: 1 });
    expect(output.status).to.equal('canceled');
    await app.run();
    expect(calls.map(({ id }) => id)).to.deep.equal([first, last]);
    expect(await app.history(messageStream(canceled))).to.deep.equal(['MessageQueued', 'MessageCanceled']);
    expect(await app.todos()).to.deep.equal([]);
  });

  it('refuses to cancel a message that is being dispatched', async () => {
    let whileSending: unknown;
    const { app, calls } = start(async (nth) => {
      const [{ id } = { id: '' }] = calls;
      if (nth === 1) whileSending = await app.execute(cancelMessage, { id, batch_id: sent.batch }).catch((e) => e);
      return accepted(nth, 1);
    });
    const sent = await bulk(app, 2);
    await app.run();
    expect(isDomainError(whileSending) && [whileSending.code, whileSending.details.current]).to.deep.equal(['invalid_state', 'sending']);
    expect(await app.history(messageStream(sent.ids[0] as string))).to.deep.equal(SENT);
  });

  it('shows a message as sending while it is dispatched', async () => {
    const during: unknown[] = [];
    const { app, calls } = start(async (nth) => {
      const [{ id } = { id: '' }] = calls;
      const doc = (await app.documents<StoredMessage>(messages, 'messages')).find((one) => one.id === id) as StoredMessage;
      const shown = await withDispatch(wholeMessage(doc), app.log);
      const timeline = await messageTimeline(wholeMessage(doc), app.log);
      if (nth === 1) during.push(shown.status, shown.attempts, shown.carrier?.name, ...timeline.map(({ type, status }) => `${type}: ${status}`));
      return accepted(nth, 1);
    });
    await bulk(app, 1);
    await app.run();
    expect(during).to.deep.equal(['sending', 1, 'scripted', 'MessageQueued: queued', 'MessageDispatchStarted: sending']);
  });

  it('reads no more of the batch than one chunk and the events after the chunks, to cancel a message', async () => {
    const { app } = start();
    const { batch, ids } = await bulk(app, 1_800);
    const read: string[] = [];
    const { events } = app.engine;
    const readStream = events.read.bind(events);
    events.read = async (stream, options) => {
      const found = await readStream(stream, options);
      if (stream.startsWith('bulk-') && found !== 'not-found') read.push(...found.map(({ type }) => type));
      return found;
    };
    await app.execute(cancelMessage, { id: ids[1_700] as string, batch_id: batch, batch_index: 1_700 });
    expect(read.filter((type) => type === 'BulkChunkAccepted')).to.have.length(1);
  });

  it('finds a message to cancel without knowing its place', async () => {
    const { app } = start();
    const { batch, ids } = await bulk(app, 1_100);
    const { output } = await app.execute(cancelMessage, { id: ids[1_050] as string, batch_id: batch });
    expect(output.status).to.equal('canceled');
  });

  it('ends the messages that are not recorded if it is dropped', async () => {
    const { app, calls, process } = start();
    const { ids } = await bulk(app, 3);
    const [due] = await app.todos();
    await process().drop?.(due?.todo as never, performing(app, 1));
    expect(calls).to.deep.equal([]);
    for (const id of ids) expect(await app.history(messageStream(id))).to.deep.equal(['MessageQueued', 'MessageFailed']);
    expect(await app.todos()).to.deep.equal([]);
  });
});
