import { expect } from 'chai';
import type { Checkpoint, EventPage, EventStore } from '../../domain/kernel/ports.js';
import { openMemoryLog } from '../../engines/memory/index.js';
import type { FeedCursor } from '../../log/feed/cursor.js';
import { LogFeed } from '../../log/feed/log-feed.js';
import { bytesInMemory, type FeedPage } from '../../log/feed/pages.js';
import { FEED_TUNING, type FeedTuning } from '../../log/feed/tuning.js';
import { NotesFixture } from '../ops/cli/notes-fixture.js';
import { eventually } from '../support/eventually.js';
import { ManualClock } from '../support/manual-clock.js';
import { system } from '../support/system.js';

/** The data of an event of `append`, at most, and what such an event takes in memory. */
const DATA_BYTES = 400;
const EVENT_BYTES = bytesInMemory({ data: 'x'.repeat(DATA_BYTES) });

/** Counts the events that subscriptions deliver. */
class Counted {
  subscriptions = 0;
  open = 0;
  events = 0;
  /** Whether each page comes twice. */
  repeats = false;

  of(store: EventStore): EventStore {
    const subscribe = store.subscribe.bind(store);
    store.subscribe = (...given) => this.#count(subscribe(...given));
    return store;
  }

  async *#count(pages: AsyncIterable<EventPage>): AsyncIterable<EventPage> {
    this.subscriptions += 1;
    this.open += 1;
    try {
      for await (const page of pages) {
        this.events += page.events.length;
        yield page;
        if (this.repeats) yield page;
      }
    } finally {
      this.open -= 1;
    }
  }
}

/** A consumer that takes pages only when it is asked to. */
class Consumer {
  readonly positions: string[] = [];
  at: Checkpoint;
  readonly #cursor: FeedCursor;
  readonly #stop = new AbortController();

  constructor(feed: LogFeed, after: Checkpoint) {
    this.#cursor = feed.open();
    this.at = after;
  }

  async take(): Promise<void> {
    const page = await this.#cursor.next(this.at, this.#stop.signal);
    if (!page) return;
    expect(page.after).to.equal(this.at);
    this.positions.push(...page.events.map(({ position }) => position));
    this.at = page.upTo;
  }

  async takeUpTo(head: Checkpoint): Promise<this> {
    while (this.at !== head && !this.#stop.signal.aborted) await this.take();
    return this;
  }

  close(): void {
    this.#stop.abort();
    this.#cursor.close();
  }
}

describe('a feed of the log', () => {
  const counted = new Counted();
  let notes: NotesFixture;
  let stop: AbortController;
  let running: Promise<void>[];
  let consumers: Consumer[];

  beforeEach(() => {
    Object.assign(counted, { subscriptions: 0, open: 0, events: 0, repeats: false });
    const engine = openMemoryLog();
    counted.of(engine.events);
    notes = new NotesFixture(engine);
    stop = new AbortController();
    running = [];
    consumers = [];
  });
  afterEach(async () => {
    for (const consumer of consumers) consumer.close();
    stop.abort();
    await Promise.all(running);
  });

  const start = (tuning: Partial<FeedTuning> = {}): LogFeed => {
    const feed = new LogFeed(notes.log, system.clock, stop.signal, {
      ...FEED_TUNING,
      page: { events: 10, liveEvents: 10, bytes: 1_000_000 },
      ...tuning,
    });
    running.push(feed.run());
    return feed;
  };
  const consumer = (feed: LogFeed, after: Checkpoint = 'start'): Consumer => {
    const added = new Consumer(feed, after);
    consumers.push(added);
    return added;
  };
  let taken = 0;
  /** Appends events and returns their positions. */
  const append = async (count: number): Promise<string[]> => {
    const positions: string[] = [];
    for (let i = 0; i < count; i++) positions.push((await notes.take(`ann-${taken++}`, 'x')).position);
    return positions;
  };

  it('reads each event once for all consumers that begin together', async () => {
    const positions = await append(200);
    const head = positions.at(-1) as string;
    const feed = start();
    feed.expect(5);
    const all = Array.from({ length: 5 }, () => consumer(feed));
    await Promise.all(all.map((one) => one.takeUpTo(head)));
    for (const one of all) expect(one.positions).to.deep.equal(positions);
    expect(counted).to.deep.include({ events: 200, subscriptions: 1 });
  });

  it('gives out each event once although the store gives its pages twice', async () => {
    counted.repeats = true;
    const positions = await append(60);
    const feed = start();
    const one = await consumer(feed).takeUpTo(positions.at(-1) as string);
    const later = await append(5);
    await one.takeUpTo(later.at(-1) as string);
    expect(one.positions).to.deep.equal([...positions, ...later]);
  });

  it('begins at the lowest position, and those further on join there', async () => {
    const positions = await append(100);
    const head = positions.at(-1) as string;
    const feed = start();
    feed.expect(3);
    const all = [80, 20, 50].map((n) => consumer(feed, positions[n]));
    await Promise.all(all.map((one) => one.takeUpTo(head)));
    expect(all.map((one) => one.positions)).to.deep.equal([81, 21, 51].map((n) => positions.slice(n)));
    expect(counted).to.deep.include({ events: 79, subscriptions: 1 });
  });

  it('waits for the slowest of those that are behind, within its kept bytes', async () => {
    const positions = await append(200);
    const feed = start({ keptBytes: 20 * EVENT_BYTES });
    feed.expect(2);
    const [fast, slow] = [consumer(feed), consumer(feed)];
    const first = slow.take();
    const ended = fast.takeUpTo(positions.at(-1) as string);
    await first;
    await slow.takeUpTo(positions.at(-1) as string);
    await ended;
    expect(slow.positions).to.deep.equal(positions);
    expect(counted).to.deep.include({ events: 200, subscriptions: 1 });
  });

  it('does not wait for a consumer that has closed', async () => {
    const positions = await append(200);
    const feed = start({ keptBytes: 20 * EVENT_BYTES });
    feed.expect(2);
    const [fast, halted] = [consumer(feed), consumer(feed)];
    const ended = fast.takeUpTo(positions.at(-1) as string);
    await halted.take();
    halted.close();
    await ended;
    expect(counted.events).to.equal(200);
  });

  it('leaves a consumer behind that does not go on, which later gets all it has missed', async () => {
    const positions = await append(200);
    const feed = start({ keptBytes: 20 * EVENT_BYTES, patienceMs: 20 });
    feed.expect(2);
    const [fast, slow] = [consumer(feed), consumer(feed)];
    const ended = fast.takeUpTo(positions.at(-1) as string);
    await slow.take();
    await ended;
    await slow.takeUpTo(positions.at(-1) as string);
    expect(slow.positions).to.deep.equal(positions);
  });

  it('delivers new events to those at the end while others are behind, and is one subscription in the end', async () => {
    const before = await append(100);
    const feed = start({ keptBytes: 20 * EVENT_BYTES, joinMs: 10, unusedMs: 10 });
    const live = consumer(feed, before.at(-1));
    const first = live.take();
    await eventually('it waits at the end', () => counted.open === 1);
    const behind = consumer(feed);
    await behind.take();
    const [next] = await append(1);
    await first;
    expect(live.at).to.equal(next);
    await behind.takeUpTo(live.at);
    const [last] = await append(1);
    await Promise.all([live.takeUpTo(last as string), behind.takeUpTo(last as string)]);
    expect(behind.positions).to.deep.equal([...before, next, last]);
    await eventually('one of them has ended', () => counted.open === 1);
  });

  it('keeps as many small events as fit by what they take in memory, not by their data alone', async () => {
    const before = await append(10);
    const feed = start({ keptBytes: 100 * DATA_BYTES, joinMs: 10 });
    const [fast, slow] = [consumer(feed), consumer(feed)];
    await Promise.all([fast, slow].map((one) => one.takeUpTo(before.at(-1) as string)));
    const read = counted.events;
    const after = await append(100);
    await fast.takeUpTo(after.at(-1) as string);
    await slow.takeUpTo(after.at(-1) as string);
    expect(slow.positions).to.deep.equal([...before, ...after]);
    expect(counted.events - read, 'the first of them had to be read again').to.be.above(after.length);
  });

  it('drops what all consumers have, once they are at the end', async () => {
    const feed = start({ restBytes: 0 });
    const one = consumer(feed);
    const [position] = await append(1);
    await one.takeUpTo(position as string);
    const [second] = await append(1);
    await one.takeUpTo(second as string);
    const late = consumer(feed);
    await late.takeUpTo(second as string);
    expect(late.positions, 'it had to be read again').to.have.length(2);
    expect(counted.events).to.be.within(3, 4);
  });

  it('returns null after the given time, and when a signal aborts', async () => {
    const feed = start();
    const cursor = feed.open();
    expect(await cursor.next('start', new AbortController().signal, { waitMs: 5 })).to.equal(null);
    const leaving = new AbortController();
    const waiting = cursor.next('start', leaving.signal);
    leaving.abort();
    expect(await waiting).to.equal(null);
    cursor.close();
  });

  it('gives a consumer that passes over pages the next one that it wants, and null some time after the first one passed over', async () => {
    const feed = start();
    const cursor = feed.open();
    const [first, second] = await append(2);
    const passed: string[] = [];
    const skip = { pass: ({ upTo }: FeedPage) => upTo !== third && passed.push(upTo) > 0, ms: 5 };
    let third: string | undefined;
    expect(await cursor.next('start', stop.signal, { skip })).to.equal(null);
    expect(passed.at(-1)).to.equal(second);
    [third] = await append(1);
    const page = await cursor.next(second as string, stop.signal, { skip });
    expect(page?.events.map(({ position }) => position)).to.eql([third]);
    expect(first).to.not.equal(second);
    cursor.close();
  });

  it('gives a large page to an urgent consumer before those that have asked earlier', async () => {
    await append(100);
    const feed = start({ page: { events: 100, liveEvents: 100, bytes: 1_000_000 } });
    feed.expect(4);
    const order: string[] = [];
    const next = async (name: string, isUrgent: boolean): Promise<void> => {
      const cursor = feed.open();
      const page = await cursor.next('start', stop.signal, { isUrgent });
      cursor.close();
      expect(page?.events).to.have.length(100);
      order.push(name);
    };
    await Promise.all([next('a', false), next('b', false), next('c', false), next('urgent', true)]);
    expect(order).to.deep.equal(['urgent', 'a', 'b', 'c']);
  });

  it('reads what comes at rest at once, and gathers what comes under load', async () => {
    const [first] = await append(1);
    const clock = new ManualClock();
    const feed = new LogFeed(notes.log, clock, stop.signal, { ...FEED_TUNING, linger: { windowMs: 1_000, free: 4, msPerItem: 5, maxMs: 20 } });
    running.push(feed.run());
    const one = await consumer(feed).takeUpTo(first as string);
    for (let n = 0; n < 2; n++) await one.takeUpTo((await append(1))[0] as string);
    await one.takeUpTo((await append(2)).at(-1) as string);
    const before = counted.events;
    await append(3);
    const gathered = one.take();
    await clock.waitForSleepers(1);
    expect(counted.events).to.equal(before);
    await clock.advance(20);
    await gathered;
    expect(one.positions).to.have.lengthOf(8);
  });

  it('throws what ends a subscription', async () => {
    const feed = new LogFeed(notes.log, system.clock, stop.signal);
    const failed = feed.run().catch((e: unknown) => e);
    notes.engine.events.subscribe = () => {
      throw new Error('an event is malformed');
    };
    const cursor = feed.open();
    void cursor.next('start', stop.signal);
    expect(await failed).to.have.property('message', 'an event is malformed');
  });
});
