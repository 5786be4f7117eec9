import { expect } from 'chai';
import type { Carrier, OutgoingMessage } from '../../carriers/runtime/carrier.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { channelNames } from '../../domain/kernel/channels.js';
import { type MessageEvent, messageStream } from '../../domain/messages/message.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { TestApp } from '../support/test-app.js';
import { bulk, performAs } from './bulk-app.js';

type Answer = (message: OutgoingMessage) => SendResult;

const accepted: Answer = ({ message_id }) => ({ outcome: 'accepted', carrier_message_id: `x-${message_id}` });
const down: Answer = () => ({ outcome: 'transient_error', code: 'ECONNREFUSED', error: 'There was no connection.' });
const misconfigured: Answer = () => ({ outcome: 'misconfigured', code: '401', error: 'Twilio answered with status 401.' });
const broken: Answer = () => {
  throw new Error('connection lost');
};

/** A carrier that counts what it was handed and what it took, by message. */
class Counting implements Carrier {
  readonly channels = channelNames;
  readonly deduplicates = false;
  called = 0;
  readonly taken = new Map<string, number>();
  constructor(
    readonly name: string,
    public answer: Answer,
  ) {}

  async send(message: OutgoingMessage): Promise<SendResult> {
    this.called += 1;
    const result = this.answer(message);
    if (result.outcome === 'accepted') this.taken.set(message.message_id, (this.taken.get(message.message_id) ?? 0) + 1);
    return result;
  }
}

function start(first: Answer, second?: Answer) {
  const one = new Counting('one', first);
  const two = new Counting('two', second ?? accepted);
  const found: [string, boolean][] = [];
  const routes = () => (second ? ([one, two] as const) : one);
  const process = dispatchMessages({ routes, onMisconfigured: (...args) => void found.push(args) });
  const app = new TestApp([process], { lookups: { suppressions: { mightContain: () => false, waitUntilReached: async () => true } } });
  return { app, one, two, found };
}

const sendOne = async (app: TestApp, more: object = {}): Promise<string> =>
  (await app.execute(sendMessage, { to: '+14155550100', channel: 'sms', message: 'Hello', ...more })).output.id;
const eventsOf = async (app: TestApp, id: string): Promise<MessageEvent[]> =>
  ((await app.log.read<MessageEvent>(messageStream(id))) ?? []).map(({ event }) => event);
const startsOf = (events: readonly MessageEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'MessageDispatchStarted' ? [event.data.carrier] : []));

describe('a route of two carriers', () => {
  it('goes on with the second where the first is down, and records which one took the message', async () => {
    const { app, one, two } = start(down, accepted);
    const id = await sendOne(app);
    await app.run();
    const events = await eventsOf(app, id);
    expect(startsOf(events)).to.deep.equal(['one', 'two']);
    expect(events.at(-1)).to.deep.include({ type: 'MessageSent' });
    expect(events.at(-1)?.data).to.include({ carrier: 'two', carrier_message_id: `x-${id}` });
    expect([one.called, two.called]).to.deep.equal([1, 1]);
  });

  it('does not call the first any more after some failures, until a time is over', async () => {
    const { app, one, two } = start(down, accepted);
    for (let n = 0; n < 12; n++) await sendOne(app, { to: `+141555501${10 + n}` });
    await app.run();
    expect(one.called).to.be.at.least(5);
    const called = one.called;
    await sendOne(app, { to: '+14155550150' });
    await app.run();
    expect([one.called, two.taken.size]).to.deep.equal([called, 13]);
    one.answer = accepted;
    await app.clock.advance(30_000);
    await sendOne(app, { to: '+14155550151' });
    await app.run();
    expect([one.taken.size, two.taken.size]).to.deep.equal([1, 13]);
  });

  it('goes on with the second where the first is misconfigured', async () => {
    const { app, two, found } = start(misconfigured, accepted);
    const id = await sendOne(app);
    await app.run();
    expect(two.taken).to.deep.equal(new Map([[id, 1]]));
    expect(found).to.deep.equal([['one', true]]);
  });

  it('never calls the second after an unknown outcome of the first', async () => {
    const { app, one, two } = start(broken, accepted);
    const id = await sendOne(app);
    await app.run();
    const events = await eventsOf(app, id);
    expect(two.called).to.equal(0);
    expect(startsOf(events)).to.deep.equal(['one', 'one', 'one', 'one', 'one', 'one']);
    expect(events.at(-1)?.type).to.equal('MessageFailed');
    expect(one.called).to.equal(6);
  });

  it('stays with the first after an unknown outcome even if it then says that it is down', async () => {
    const { app, one, two } = start(broken, accepted);
    const id = await sendOne(app);
    let calls = 0;
    one.answer = (message) => {
      calls += 1;
      return calls === 1 ? broken(message) : calls < 4 ? down(message) : accepted(message);
    };
    await app.run();
    expect([startsOf(await eventsOf(app, id)), two.called]).to.deep.equal([['one', 'one', 'one', 'one'], 0]);
  });

  it('sends every message of a batch once', async () => {
    const { app, one, two } = start(down, accepted);
    await bulk(app, 300);
    await app.run();
    expect([one.taken.size, two.taken.size]).to.deep.equal([0, 300]);
    expect([...two.taken.values()].every((count) => count === 1)).to.equal(true);
  });
});

describe('a carrier that refuses its settings', () => {
  it('leaves the message waiting with the reason and no attempt used, and takes it once it is corrected', async () => {
    const { app, one, found } = start(misconfigured);
    const id = await sendOne(app);
    await app.run(0);
    const last = (await eventsOf(app, id)).at(-1);
    expect(last?.type).to.equal('MessageDispatchDeferred');
    expect(last?.data).to.deep.include({ attempt: 1, code: '401' });
    expect(last?.data).to.have.nested.property('waits.reason', 'carrier_misconfigured');
    one.answer = accepted;
    await app.run();
    const events = await eventsOf(app, id);
    expect(events.at(-1)?.type).to.equal('MessageSent');
    expect(events.flatMap((event) => (event.type === 'MessageDispatchStarted' ? [event.data.attempt] : []))).to.deep.equal([1, 1]);
    expect(found).to.deep.equal([
      ['one', true],
      ['one', false],
    ]);
  });

  it('is called once a minute at most, until the message expires after 72 hours', async () => {
    const { app, one } = start(misconfigured);
    const id = await sendOne(app);
    const began = app.clock.now();
    await app.run(600_000);
    expect(one.called).to.equal(11);
    one.answer = () => misconfigured({} as OutgoingMessage);
    await app.clock.advance(72 * 3_600_000);
    await app.run();
    const events = await eventsOf(app, id);
    expect(events.at(-1)?.type).to.equal('MessageExpired');
    expect(app.clock.now() - began).to.be.at.least(72 * 3_600_000);
  });

  it('stops a batch, loses nothing of it, and takes all of it once it is corrected', async () => {
    const { app, one } = start(misconfigured);
    const { ids } = await bulk(app, 300);
    await performed(app);
    // Those whose calls were made, or were about to be.
    expect(one.called).to.be.at.most(32);
    const waiting = await Promise.all(ids.map(async (id) => (await eventsOf(app, id)).at(-1)?.type));
    expect(waiting.filter((type) => type === undefined)).to.have.length(200);
    expect(waiting.filter((type) => type === 'MessageDispatchDeferred')).to.have.length(100);
    one.answer = accepted;
    await app.clock.advance(60_000);
    await app.run();
    expect(one.taken.size).to.equal(300);
    expect([...one.taken.values()].every((count) => count === 1)).to.equal(true);
  });
});

/** Performs the to-dos of a list once; they may record nothing. */
const performed = (app: TestApp) => performAs(app, 1);
