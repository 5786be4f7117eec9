import { expect } from 'chai';
import type { Checkpoint, EventPage, EventStore, RecordedEvent } from '../../../domain/kernel/ports.js';
import { openEventStoreLog, type Timeouts } from '../../../engines/eventstoredb/index.js';
import { openMemoryLog } from '../../../engines/memory/index.js';
import { within } from '../../contract/helpers.js';
import { FakeEventStoreDb } from '../../support/eventstoredb/server.js';

/** Short, so that tests need not wait. */
export const SHORT_TIMEOUTS: Timeouts = {
  appendMs: 1_500,
  permitMs: 500,
  readMs: 1_500,
  connectMs: 800,
  probeMs: 150,
  silenceMs: 150,
  backOffMs: [5, 50],
};
/** The longest any call may take: its own time limit and that of a probe. */
export const MAX_CALL_MS = SHORT_TIMEOUTS.appendMs + SHORT_TIMEOUTS.connectMs + 400;

/** A fake server and a log on it. Fails the test on any uncaught error. */
export class LogFixture {
  server!: FakeEventStoreDb;
  store!: EventStore;
  readonly uncaught: unknown[] = [];
  readonly #subscribers: Subscriber[] = [];
  readonly #note = (e: unknown): void => void this.uncaught.push(e);

  async start(options: { readonly batches?: boolean; readonly cluster?: boolean } = {}): Promise<void> {
    this.server = await FakeEventStoreDb.start({ engine: openMemoryLog().events, ...options });
    this.store = openEventStoreLog({ url: options.cluster ? `${this.server.clusterUrl}&maxDiscoverAttempts=2` : this.server.url, ...SHORT_TIMEOUTS });
    process.on('unhandledRejection', this.#note);
    process.on('uncaughtExceptionMonitor', this.#note);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#subscribers.splice(0).map((subscriber) => subscriber.stop()));
    await this.store.close();
    await this.server.stop();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', this.#note);
    process.off('uncaughtExceptionMonitor', this.#note);
    expect(this.uncaught.splice(0), 'no uncaught errors').to.deep.equal([]);
  }

  subscribe(after: Checkpoint, streamPrefix?: string): Subscriber {
    const subscriber = new Subscriber(this.store, after, streamPrefix);
    this.#subscribers.push(subscriber);
    return subscriber;
  }
}

/** Registers a fixture for each test of a suite. */
export function useLogFixture(options?: Parameters<LogFixture['start']>[0]): LogFixture {
  const log = new LogFixture();
  beforeEach(() => log.start(options));
  afterEach(() => log.stop());
  return log;
}

/** 'done' or the name of the error. Fails if the operation takes too long. */
export async function outcomeOf(operation: Promise<unknown>): Promise<string> {
  const settled = operation.then(
    () => 'done',
    (e: Error) => e.name,
  );
  return within(MAX_CALL_MS, 'an answer', settled);
}

export class Subscriber {
  readonly events: RecordedEvent[] = [];
  readonly pages: EventPage[] = [];
  readonly #abort = new AbortController();
  readonly #ended: Promise<void>;
  #changed = () => {};

  constructor(store: EventStore, after: Checkpoint, streamPrefix?: string) {
    this.#ended = (async () => {
      for await (const page of store.subscribe(after, this.#abort.signal, 100, streamPrefix)) {
        this.pages.push(page);
        this.events.push(...page.events);
        this.#changed();
      }
    })();
    this.#ended.catch(() => {});
  }

  async until(what: string, met: (following: Subscriber) => boolean): Promise<void> {
    const done = new Promise<void>((resolve) => {
      this.#changed = () => met(this) && resolve();
      this.#changed();
    });
    await within(8_000, what, Promise.race([done, this.#ended.then(() => expect.fail('the subscriber ended'))]));
  }

  has(count: number): Promise<void> {
    return this.until(`${count} events received`, () => this.events.length >= count);
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    await within(2_000, 'the subscriber ends', this.#ended);
  }
}
