import { expect } from 'chai';
import { type Carrier, NO_SENDER } from '../../carriers/runtime/carrier.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import type { Dispatcher } from '../../commands/runtime/command.js';
import { type ChannelName, channelNames } from '../../domain/kernel/channels.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { runProcesses } from '../../processes/runtime/runner.js';
import { TODOS, todoList } from '../../processes/runtime/todo-list.js';
import { runProjections } from '../../projections/runtime/runner.js';
import { TestApp } from '../support/test-app.js';
import { uncontendedLeases } from '../support/uncontended-leases.js';

/** More than the to-dos of an account that may wait after errors. */
const WAITING = process.env.PROPERTY_RUNS === undefined ? 1_200 : 3_000;
const wrong: SendResult = { outcome: 'misconfigured', code: '401', error: 'The carrier answered with status 401.' };
const senderless: SendResult = { outcome: 'misconfigured', code: NO_SENDER, error: 'There is no sender.' };

/** The dispatch of one node over stores in memory, with a route for text messages that is corrected later. */
class Dispatching {
  answer: SendResult | null = null;
  calls = 0;
  readonly sent = new Map<string, number>();
  #texts = this.#carrier('texts');
  readonly #emails = this.#carrier('emails');
  readonly #process = dispatchMessages({ routes: (channel: ChannelName) => (channel === 'sms' ? this.#texts : this.#emails) });
  readonly app = new TestApp([this.#process], {
    lookups: { suppressions: { mightContain: () => false, waitUntilReached: async () => true } },
  });
  readonly #ending = new AbortController();
  readonly #running: Promise<unknown>;

  constructor() {
    const { app } = this;
    const dispatcher = { execute: app.execute.bind(app) } as unknown as Dispatcher;
    const { leases } = uncontendedLeases();
    this.#running = Promise.all([
      runProjections([todoList(this.#process)], { log: app.log, views: app.views, ...uncontendedLeases() }, this.#ending.signal),
      runProcesses([this.#process], { log: app.log, views: app.views, leases, dispatcher, clock: app.clock }, this.#ending.signal),
    ]);
  }

  /** As after a change of the account's settings: another carrier of the same name. */
  correct(): void {
    this.answer = null;
    this.#texts = this.#carrier('texts');
  }

  send(more: object): Promise<string> {
    return this.app.execute(sendMessage, { channel: 'sms', message: 'Hello', ...more } as never).then(({ output }) => output.id);
  }

  /** Until this many were dispatched, while the clock goes on. */
  async untilSent(count: number): Promise<void> {
    while (this.sent.size < count) await this.#step();
  }

  /** Until this many wait on the list. */
  async untilWaiting(count: number): Promise<void> {
    const list = this.app.views.docs(todoList(this.#process), TODOS);
    for (let waiting = 0; waiting < count; waiting = (await list.find({ where: {}, range: { field: 'awaits', gt: '' }, limit: count })).length)
      await this.#step();
  }

  /** The clock goes on, no faster than the dispatch works. */
  async pass(ms: number): Promise<void> {
    const until = this.app.clock.now() + ms;
    while (this.app.clock.now() < until) await this.#step();
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  /** Lets the dispatch work until it sleeps. */
  async #step(): Promise<void> {
    const before = this.sent.size + this.calls;
    for (let n = 0; n < 200 && this.sent.size + this.calls === before; n++) await new Promise((resolve) => setImmediate(resolve));
    if (this.sent.size + this.calls === before) await this.app.clock.advance(250);
  }

  #carrier(name: string): Carrier {
    return {
      ...{ name, channels: channelNames, deduplicates: false, own: true },
      send: async ({ message_id: id, channel }) => {
        this.calls += 1;
        if (channel === 'sms' && this.answer) return this.answer;
        this.sent.set(id, (this.sent.get(id) ?? 0) + 1);
        return { outcome: 'accepted', carrier_message_id: `x-${id}` };
      },
    };
  }
}

describe('messages that wait for corrected settings', () => {
  let dispatching: Dispatching;
  beforeEach(() => {
    dispatching = new Dispatching();
  });
  afterEach(() => dispatching.stop());

  const number = (n: number): string => `+1415${5_550_000 + n}`;

  it('delay no other message of their account, however many they are, and all go out once after the correction', async () => {
    dispatching.answer = wrong;
    const ids: string[] = [];
    for (let n = 0; n < WAITING; n++) ids.push(await dispatching.send({ to: number(n) }));
    await dispatching.untilWaiting(WAITING);
    expect(dispatching.calls).to.be.at.most(200);
    // All of them are due for another attempt.
    await dispatching.app.clock.advance(61_000);
    await dispatching.app.clock.advance(20_000);
    const email = await dispatching.send({ to: 'ada@example.com', channel: 'email', subject: 'Hello' });
    await dispatching.untilSent(1);
    expect([...dispatching.sent.keys()]).to.deep.equal([email]);
    dispatching.correct();
    await dispatching.untilSent(WAITING + 1);
    await dispatching.app.clock.advance(120_000);
    expect([...dispatching.sent.keys()].sort()).to.deep.equal([...ids, email].sort());
    expect([...dispatching.sent.values()].every((count) => count === 1)).to.equal(true);
  }).timeout(60_000);

  it('are tried one at a time where no event reports the correction', async () => {
    dispatching.answer = senderless;
    for (let n = 0; n < 40; n++) await dispatching.send({ to: number(n) });
    await dispatching.untilWaiting(40);
    const { calls } = dispatching;
    await dispatching.pass(600_000);
    expect(dispatching.calls - calls).to.be.within(5, 11);
    dispatching.answer = null;
    await dispatching.untilSent(40);
    expect([...dispatching.sent.values()].every((count) => count === 1)).to.equal(true);
  }).timeout(60_000);
});
