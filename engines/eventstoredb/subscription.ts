import { excludeSystemEvents, streamNameFilter } from '@eventstore/db-client';
import { type Checkpoint, type EventPage, isAfter, type Position, type RecordedEvent, StoreUnavailable } from '../../domain/kernel/ports.js';
import type { Client } from './client.js';
import { commitPositionText, decode, isSystemEvent, logPosition, UnreadableEvent } from './codec.js';
import type { Timeouts } from './connection.js';
import { Feed } from './feed.js';

/** The server sends a checkpoint after this many times 32 filtered events. */
const CHECKPOINT_INTERVAL = 32;
/** How long a small page waits for more events. */
const LINGER_MS = 2;

export interface SubscriptionSource {
  readonly timeouts: Timeouts;
  readonly client: () => Promise<Client>;
  readonly failed: (error: unknown) => void;
  readonly closed: () => boolean;
  readonly head: () => Promise<Checkpoint>;
}

export interface SubscriptionRequest {
  readonly after: Checkpoint;
  readonly signal: AbortSignal;
  readonly limit: number;
  readonly pageBytes: number;
  readonly streamPrefix: string | undefined;
}

/**
 * Yields pages of events and resubscribes after the last one whenever the subscription ends, with or without an error.
 * Ends with the signal. Throws when the log is closed.
 */
export async function* subscribe(source: SubscriptionSource, wanted: SubscriptionRequest): AsyncGenerator<EventPage> {
  const { signal } = wanted;
  let at = wanted.after;
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      for await (const page of subscription(source, { ...wanted, after: at })) {
        failures = -1;
        at = page.upTo;
        yield page;
      }
    } catch (e) {
      if (e instanceof UnreadableEvent || source.closed()) throw e;
      source.failed(e);
    }
    const [first, longest] = source.timeouts.backOffMs;
    if (!signal.aborted) await sleep(Math.min(longest, first * 2 ** Math.max(0, failures)) * (0.5 + Math.random() / 2), signal);
  }
}

/** One subscription, until it ends or is stalled: it delivers nothing although there are events. */
async function* subscription(source: SubscriptionSource, wanted: SubscriptionRequest): AsyncGenerator<EventPage> {
  const client = await source.client();
  const { after, signal, streamPrefix } = wanted;
  if (signal.aborted) return;
  const feed = new Feed(signal, (checkpointReached) => {
    const options = { checkpointInterval: CHECKPOINT_INTERVAL, checkpointReached };
    const filter = streamPrefix === undefined ? excludeSystemEvents(options) : streamNameFilter({ prefixes: [streamPrefix], ...options });
    return client.subscribeToAll({ fromPosition: logPosition(after), filter }, { highWaterMark: 256 });
  });
  try {
    yield* new PageAssembler(source, wanted, feed).all();
  } finally {
    feed.close();
  }
}

/** Assembles pages from the events of a subscription. */
class PageAssembler {
  #at: Checkpoint;
  /** The head of the log when it was last read. */
  #head: Checkpoint = 'start';

  constructor(
    private readonly source: SubscriptionSource,
    private readonly wanted: SubscriptionRequest,
    private readonly feed: Feed,
  ) {
    this.#at = wanted.after;
  }

  async *all(): AsyncGenerator<EventPage> {
    const { feed, wanted, source } = this;
    for (let silentFor = 0; !wanted.signal.aborted; ) {
      const first = this.#next();
      if (first) {
        silentFor = 0;
        yield await this.#page(first);
        continue;
      }
      const checkpoint = feed.checkpoint;
      if (checkpoint !== undefined && isAfter(commitPositionText(checkpoint), this.#at)) {
        this.#at = commitPositionText(checkpoint);
        yield { events: [], upTo: this.#at, caughtUp: this.#caughtUp };
        continue;
      }
      if (feed.ended) return;
      const changed = await feed.waitForChange(silentFor === 0 ? source.timeouts.silenceMs : source.timeouts.probeMs);
      if (changed) continue;
      if (source.closed()) throw new StoreUnavailable('the log is closed');
      if (await this.#isStalled(silentFor)) return;
      silentFor += 1;
    }
  }

  /** Checks the head of the log after an idle time. With a prefix a new event may be filtered out, so any progress counts. Throws if the server does not answer. */
  async #isStalled(silentFor: number): Promise<boolean> {
    const before = this.#head;
    this.#head = await this.source.head();
    const more = isAfter(this.#head, this.#at);
    if (this.wanted.streamPrefix === undefined) return more && silentFor > 0;
    return isAfter(this.#head, before) && before !== 'start';
  }

  /** The next buffered event. */
  #next(): RecordedEvent | null {
    for (let resolved = this.feed.read(); resolved; resolved = this.feed.read()) {
      const event = decode(resolved);
      if (event && isAfter(event.position, this.#at) && !isSystemEvent(event.type)) return event;
    }
    return null;
  }

  /** Fills a page with the events up to the head, or with a prefix, with those that arrive at once. */
  async #page(first: RecordedEvent): Promise<EventPage> {
    const { limit, pageBytes, streamPrefix } = this.wanted;
    const events: RecordedEvent[] = [];
    let bytes = 0;
    const add = (event: RecordedEvent) => {
      events.push(event);
      bytes += event.data.length;
      this.#at = event.position;
    };
    add(first);
    if (streamPrefix === undefined && !isAfter(this.#head, first.position)) await this.#refreshHead();
    while (events.length < limit && bytes < pageBytes) {
      const event = this.#next();
      if (event) add(event);
      else if (!(await this.#waitForMore())) break;
    }
    return { events, upTo: this.#at as Position, caughtUp: this.#caughtUp };
  }

  /** Ignores an unavailable store: the next idle check reports it. */
  async #refreshHead(): Promise<void> {
    try {
      this.#head = await this.source.head();
    } catch (e) {
      if (!(e instanceof StoreUnavailable)) throw e;
    }
  }

  async #waitForMore(): Promise<boolean> {
    if (this.feed.ended || this.wanted.signal.aborted) return false;
    if (this.wanted.streamPrefix !== undefined) return this.feed.waitForChange(LINGER_MS);
    return isAfter(this.#head, this.#at) && this.feed.waitForChange(this.source.timeouts.probeMs);
  }

  /** With a prefix only newer servers report it. */
  get #caughtUp(): boolean {
    if (this.wanted.streamPrefix !== undefined) return this.feed.caughtUp;
    return !isAfter(this.#head, this.#at);
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', wake);
      resolve();
    };
    const timer = setTimeout(wake, ms);
    signal.addEventListener('abort', wake, { once: true });
  });
}
