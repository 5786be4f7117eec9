import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import type { OutgoingMessage } from '../../carriers/runtime/carrier.js';
import { type BulkInput, sendBulk } from '../../commands/messages/send-bulk.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { type NewEvent, type RecordedEvent, StoreUnavailable } from '../../domain/kernel/ports.js';
import { startOf } from '../../domain/messages/content.js';
import { messageStream } from '../../domain/messages/message.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import type { MessageDoc } from '../../projections/messages/message-doc.js';
import { messages } from '../../projections/messages/projection.js';
import { MessageQueries } from '../../projections/messages/queries.js';
import { carrierThat } from '../carriers/carrier-that.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { withAppend } from '../support/with-append.js';

/** What an append may take: the limit of the architecture for parts, with the event around them. */
const MAX_APPEND_BYTES = 420_000;

const EMAIL = {
  to: 'ann@example.com',
  channel: 'email',
  subject: 'News',
  message: `${'Ünïcode "quoted"\n'.repeat(40_000)}😀`,
  html: `<p>${'x'.repeat(700_000)}</p>`,
} as const;

describe('a large content', () => {
  let app: TestApp;
  let dispatched: OutgoingMessage[];
  beforeEach(() => {
    dispatched = [];
    const carrier = carrierThat((message) => void dispatched.push(message));
    app = new TestApp([dispatchMessages({ routes: () => carrier })]);
  });

  const log = async (): Promise<readonly RecordedEvent[]> => (await app.engine.events.readAll('start', 10_000, Number.POSITIVE_INFINITY)).events;
  const parts = async (): Promise<readonly RecordedEvent[]> => (await log()).filter(({ stream }) => stream.startsWith('content-'));
  const sentContents = () => dispatched.map(({ content: { message, html } }) => ({ message, html }));
  const bulkOf = (...requests: (typeof EMAIL & { idempotency_key?: string })[]): BulkInput => ({
    received: requests.length,
    items: requests.map((request, index) => ({ index, request })),
    problems: [],
    atomic: false,
  });

  it('of a single send is dispatched whole', async () => {
    await app.execute(sendMessage, EMAIL);
    await app.run();
    expect(sentContents()).to.deep.equal([{ message: EMAIL.message, html: EMAIL.html }]);
  });

  it('of a bulk is dispatched whole, to each its own', async () => {
    const other = { ...EMAIL, to: 'bob@example.com', html: 'y'.repeat(800_000) } as const;
    await app.execute(sendBulk, bulkOf(EMAIL, other as unknown as typeof EMAIL));
    await app.run();
    expect(new Set(sentContents().map(({ html }) => html))).to.deep.equal(new Set([EMAIL.html, other.html]));
  });

  it('is stored before the event that names it, in events of at most 400 kB, and nowhere else', async () => {
    const { output } = await app.execute(sendMessage, EMAIL);
    await app.execute(sendBulk, bulkOf(EMAIL, EMAIL));
    await app.run();
    const all = await log();
    expect(Math.max(...all.map(({ data }) => data.length))).to.be.below(MAX_APPEND_BYTES);
    for (const { stream, data } of all) if (!stream.startsWith('content-')) expect(data.length, stream).to.be.below(20_000);
    expect(all.findIndex(({ stream }) => stream === messageStream(output.id))).to.be.above(
      all.findIndex(({ stream }) => stream.startsWith('content-')),
    );
    expect(all.filter(({ stream }) => stream === messageStream(output.id)).length).to.equal(3);
  });

  it('is sealed, so that its erasure leaves nothing to read and nothing to send', async () => {
    await app.execute(sendMessage, EMAIL);
    const stored = await parts();
    expect(stored.length).to.be.above(1);
    for (const { data } of stored) expect(data).to.not.contain('x'.repeat(20)).and.not.contain('quoted');
    await app.vault.erase(app.vault.key(ACCOUNT, EMAIL.to));
    await app.run();
    expect(dispatched).to.deep.equal([]);
  });

  it('has parts that fit even where every character takes the most bytes', async () => {
    const message = '\u0001'.repeat(300_000);
    await app.execute(sendMessage, { ...EMAIL, message });
    for (const { data } of await parts()) expect(data.length).to.be.below(MAX_APPEND_BYTES);
    await app.run();
    expect(dispatched[0]?.content.message).to.equal(message);
  });

  it('is read again while the store is away, within the same attempt of the message', async () => {
    await app.execute(sendMessage, EMAIL);
    const { events } = app.engine;
    const read = events.read.bind(events);
    let failures = 12;
    events.read = async (stream, options) => {
      if (stream.startsWith('content-') && failures-- > 0) throw new StoreUnavailable('away');
      return read(stream, options);
    };
    let running = true;
    const run = app.run().finally(() => {
      running = false;
    });
    while (running) {
      await app.clock.advance(1_000);
      await setImmediate();
    }
    await run;
    expect(failures).to.be.below(1);
    expect(dispatched.map(({ attempt, content }) => [attempt, content.html === EMAIL.html])).to.deep.equal([[1, true]]);
  });

  it('is stored once by a request that is repeated', async () => {
    const cause = { key: 'one', fingerprint: 'same' };
    const { output } = await app.execute(sendMessage, EMAIL, cause);
    const before = (await log()).length;
    const again = await app.execute(sendMessage, EMAIL, cause);
    expect(again.output.id).to.equal(output.id);
    expect((await log()).length).to.equal(before);
  });

  for (const [what, send] of [
    ['single send', (node: Pick<TestApp, 'execute'>, cause: object) => node.execute(sendMessage, EMAIL, cause)],
    ['bulk', (node: Pick<TestApp, 'execute'>, cause: object) => node.execute(sendBulk, bulkOf(EMAIL), cause)],
  ] as const) {
    it(`is completed by the repeat of a ${what} that broke off after any append`, async () => {
      for (let after = 1; after <= 4; after++) {
        let left = after;
        const breaking = app.nodeOver(
          withAppend(app.engine.events, async (stream, expected, events: readonly NewEvent[]) => {
            if (left-- <= 0) throw new StoreUnavailable('away');
            return app.engine.events.append(stream, expected, events);
          }),
        );
        const cause = { key: `${what} ${after}`, fingerprint: 'same' };
        await send(breaking, cause).then(
          () => expect.fail('the run went on'),
          (e) => expect(e).to.be.instanceOf(StoreUnavailable),
        );
        await send(app, cause);
        await app.run();
        expect(sentContents()).to.deep.equal(Array.from({ length: after }, () => ({ message: EMAIL.message, html: EMAIL.html })));
      }
    });
  }

  it('is not mixed with that of another request under the same key', async () => {
    let left = 2;
    const breaking = app.nodeOver(
      withAppend(app.engine.events, async (stream, expected, events) => {
        if (left-- <= 0) throw new StoreUnavailable('away');
        return app.engine.events.append(stream, expected, events);
      }),
    );
    await app.execute(sendMessage, EMAIL, {}).catch(() => {});
    await breaking.execute(sendMessage, EMAIL, { key: 'one', fingerprint: 'first' }).catch(() => {});
    const html = 'z'.repeat(700_000);
    await app.execute(sendMessage, { ...EMAIL, html }, { key: 'one', fingerprint: 'second' });
    await app.run();
    expect(sentContents().map((content) => content.html)).to.deep.equal([EMAIL.html, html]);
  });

  it('is shown whole in the message, and by its start in lists', async () => {
    const { output } = await app.execute(sendMessage, EMAIL);
    const [doc] = await app.documents<MessageDoc>(messages, 'messages');
    const history = new MessageQueries(app.views, app.log);
    expect(doc?.id).to.equal(output.id);
    const [row] = await history.show([doc as MessageDoc]);
    expect(row).to.include({ message: startOf(EMAIL.message), message_truncated: true, subject: 'News' });
    const whole = await history.showWhole(doc as MessageDoc);
    expect(whole.message).to.equal(EMAIL.message);
    expect(whole).to.not.have.property('message_truncated');
    expect(whole).to.not.have.property('content_ref');
  });

  it('that is only the HTML of a short text is shown as it is', async () => {
    await app.execute(sendMessage, { ...EMAIL, message: 'short' });
    const [doc] = await app.documents<MessageDoc>(messages, 'messages');
    const [row] = await new MessageQueries(app.views, app.log).show([doc as MessageDoc]);
    expect(row?.message).to.equal('short');
    expect(row).to.not.have.property('message_truncated');
  });
});

describe('a long text that its event holds whole', () => {
  it('is shown by its start in lists, without half of a character', async () => {
    const app = new TestApp();
    const message = `${'a'.repeat(999)}${'😀'.repeat(3_000)}`;
    await app.execute(sendMessage, { ...EMAIL, message, html: undefined } as never);
    expect((await app.engine.events.readAll('start', 100)).events.map(({ type }) => type)).to.deep.equal(['MessageQueued']);
    const [doc] = await app.documents<MessageDoc>(messages, 'messages');
    const history = new MessageQueries(app.views, app.log);
    const [row] = await history.show([doc as MessageDoc]);
    expect(row).to.include({ message: 'a'.repeat(999), message_truncated: true });
    expect((await history.showWhole(doc as MessageDoc)).message).to.equal(message);
  });
});
