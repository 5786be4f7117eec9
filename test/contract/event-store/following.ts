import { expect } from 'chai';
import type { Checkpoint, EventPage, EventStore, RecordedEvent } from '../../../domain/kernel/ports.js';
import { everythingAfter, newEvents, newStream, within } from '../helpers.js';

/** Shorter than any polling interval: requires a notification. */
const PROMPT_MS = 100;

/** A subscriber that collects events and can wait for more. */
class Subscriber {
  readonly seen: RecordedEvent[] = [];
  readonly pages: EventPage[] = [];
  readonly ended: Promise<void>;
  readonly #abort = new AbortController();
  #watchers: (() => void)[] = [];

  /** `pause` is awaited after each page, like a consumer that still processes it. */
  constructor(
    store: EventStore,
    after: Checkpoint,
    options: { limit?: number; streamPrefix?: string; pause?: (page: EventPage) => Promise<unknown> } = {},
  ) {
    this.ended = (async () => {
      for await (const page of store.subscribe(after, this.#abort.signal, options.limit, options.streamPrefix)) {
        this.pages.push(page);
        this.seen.push(...page.events);
        for (const check of this.#watchers) check();
        await options.pause?.(page);
      }
    })();
  }

  /** Resolves when `count` events have been received. */
  has(count: number): Promise<void> {
    const reached = new Promise<void>((resolve) => {
      const check = () => {
        if (this.seen.length >= count) resolve();
      };
      this.#watchers.push(check);
      check();
    });
    return within(10_000, `${count} events received`, Promise.race([reached, this.ended.then(() => expect.fail('the subscriber ended'))]));
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await within(2_000, 'the subscriber ends after the abort', this.ended);
  }
}

export function following(store: () => EventStore): void {
  let running: Subscriber[] = [];
  const follow = (...args: ConstructorParameters<typeof Subscriber> extends [EventStore, ...infer Rest] ? Rest : never): Subscriber => {
    const subscriber = new Subscriber(store(), ...args);
    running.push(subscriber);
    return subscriber;
  };
  afterEach(async () => {
    await Promise.all(running.map((subscriber) => subscriber.stop()));
    running = [];
  });

  /** Appends events one by one to its own stream. */
  const write = async (count: number): Promise<void> => {
    const stream = newStream();
    for (let n = 0; n < count; n++) await store().append(stream, n === 0 ? 'no-stream' : n - 1, newEvents(1));
  };

  it('delivers each event once while 20 writers append, and afterward', async () => {
    const from = await store().head();
    await write(30);
    const subscriber = follow(from, { limit: 50 });
    await Promise.all(Array.from({ length: 20 }, () => write(25)));
    await subscriber.has(530);
    expect(subscriber.seen).to.deep.equal(await everythingAfter(store(), from));
    await write(1);
    await subscriber.has(531);
    expect(subscriber.seen).to.have.length(531);
  });

  it('begins after the given position', async () => {
    const from = await store().head();
    await write(10);
    const all = await everythingAfter(store(), from);
    const subscriber = follow((all[3] as RecordedEvent).position);
    await subscriber.has(6);
    expect(subscriber.seen).to.deep.equal(all.slice(4));
  });

  it('begins with the first event of the log from the start', async () => {
    await write(1);
    const all = await everythingAfter(store(), 'start');
    const subscriber = follow('start', { limit: 1_000 });
    await subscriber.has(all.length);
    expect(subscriber.seen.map(({ position }) => position)).to.deep.equal(all.map(({ position }) => position));
  });

  it('reports upTo and caughtUp with each page', async () => {
    const from = await store().head();
    await write(10);
    const subscriber = follow(from, { limit: 4 });
    await subscriber.has(10);
    const full = subscriber.pages.filter(({ events }) => events.length > 0);
    expect(full.map(({ events }) => events.length)).to.deep.equal([4, 4, 2]);
    expect(full.map(({ caughtUp }) => caughtUp)).to.deep.equal([false, false, true]);
    expect(full.map(({ upTo }) => upTo)).to.deep.equal(full.map(({ events }) => events.at(-1)?.position));
  });

  it('reports caughtUp also with a full last page', async () => {
    const from = await store().head();
    await write(8);
    const subscriber = follow(from, { limit: 4 });
    await subscriber.has(8);
    expect(subscriber.pages.at(-1)).to.include({ caughtUp: true });
  });

  it('delivers only events of streams with the prefix', async () => {
    const from = await store().head();
    // As a pattern of a database this prefix would match other streams too.
    const prefix = `some_%${newStream()}`;
    const streams = [`${prefix}-1`, prefix.replace('_', 'x'), `${prefix}-2`, prefix.toUpperCase(), `x${prefix}`, prefix];
    const writing = async (round: number) => {
      for (const stream of streams) {
        await store().append(stream, round === 0 ? 'no-stream' : round * 2 - 1, newEvents(2));
        await write(3);
      }
    };
    for (const round of [0, 1, 2]) await writing(round);
    const subscribers = [1, 4, 1_000].map((limit) => follow(from, { limit, streamPrefix: prefix }));
    await Promise.all(subscribers.map((subscriber) => subscriber.has(18)));
    await writing(3);
    await Promise.all(subscribers.map((subscriber) => subscriber.has(24)));

    const wanted = (await everythingAfter(store(), from)).filter(({ stream }) => stream.startsWith(prefix));
    for (const { seen, pages } of subscribers) {
      expect(seen).to.deep.equal(wanted);
      for (const { events, upTo } of pages)
        expect(
          events.every(({ position }) => position <= upTo),
          'upTo is not before the last event of the page',
        ).to.equal(true);
      pages.reduce((at, { events, upTo }) => {
        for (const { position } of events) expect(at === 'start' || position > at, 'a page starts after the previous one').to.equal(true);
        return upTo;
      }, from);
    }
  });

  it('delivers a new event promptly', async () => {
    const subscriber = follow(await store().head());
    const delays: number[] = [];
    for (let n = 1; n <= 21; n++) {
      await write(1);
      const written = performance.now();
      await subscriber.has(n);
      delays.push(performance.now() - written);
    }
    const median = delays.sort((a, b) => a - b)[10];
    expect(median, `of ${delays.map((ms) => ms.toFixed(1)).join(', ')} ms`).to.be.below(PROMPT_MS);
  });

  it('waits for a slow subscriber, respects the page limit and loses nothing', async () => {
    const from = await store().head();
    let goOn = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow = follow(from, { limit: 10, pause: () => held });
    await write(1);
    await slow.has(1);
    await Promise.all(Array.from({ length: 10 }, () => write(20)));
    expect(slow.pages).to.have.length(1);
    goOn();
    await slow.has(201);
    expect(Math.max(...slow.pages.map(({ events }) => events.length))).to.be.at.most(10);
    expect(slow.seen).to.deep.equal(await everythingAfter(store(), from));
  });

  it('does not let a slow or ended subscriber block others', async () => {
    const from = await store().head();
    let letGo = () => {};
    const held = follow(from, {
      pause: () =>
        new Promise<void>((resolve) => {
          letGo = resolve;
        }),
    });
    const leaving = follow(from);
    const staying = follow(from);
    await write(5);
    await Promise.all([held.has(1), leaving.has(5), staying.has(5)]);
    await leaving.stop();
    await write(5);
    await staying.has(10);
    expect(leaving.seen).to.have.length(5);
    expect(staying.seen).to.deep.equal(await everythingAfter(store(), from));
    running.splice(running.indexOf(held), 1);
    const ending = held.stop();
    letGo();
    await ending;
  });

  it('ends when the signal aborts, also before the start', async () => {
    const waiting = follow(await store().head());
    await write(1);
    await waiting.has(1);
    await waiting.stop();
    for await (const page of store().subscribe('start', AbortSignal.abort())) expect.fail(`a page of ${page.events.length} after the end`);
  });

  it('can be stopped before the head of the log', async () => {
    const from = await store().head();
    await write(5);
    for await (const { events } of store().subscribe(from, new AbortController().signal, 2)) {
      expect(events).to.have.length(2);
      break;
    }
  });
}
