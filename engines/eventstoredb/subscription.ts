import { excludeSystemEvents, streamNameFilter } from '@eventstore/db-client';
import { type Checkpoint, isAfter, type Page, type Position, type Recorded, StoreUnavailable } from '../../domain/kernel/ports.js';
import type { Client } from './client.js';
import { decode, isSystemEvent, logPosition, positionText, UnreadableEvent } from './codec.js';
import type { Timeouts } from './connection.js';
import { Feed } from './feed.js';

/** A checkpoint comes after so many times 32 events that the filter has left out. */
const CHECKPOINT_INTERVAL = 32;
/** How long a page of few events waits for more of those that are on their way. */
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
 * Subscribes again and again, each time after what was handed on last: a subscription that has ended, for whatever
 * reason and even without an error, never goes on by itself. Ends with the signal; throws when the log is closed.
 */
export async function* subscribe(source: SubscriptionSource, wanted: SubscriptionRequest): AsyncGenerator<Page> {
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

/** One subscription, until it ends or brings nothing although there is something. */
async function* subscription(source: SubscriptionSource, wanted: SubscriptionRequest): AsyncGenerator<Page> {
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

/** Makes pages of what a subscription brings. */
class PageAssembler {
  #at: Checkpoint;
  /** The end of the log when it was last asked for. */
  #head: Checkpoint = 'start';

  constructor(
    private readonly source: SubscriptionSource,
    private readonly wanted: SubscriptionRequest,
    private readonly feed: Feed,
  ) {
    this.#at = wanted.after;
  }

  async *all(): AsyncGenerator<Page> {
    const { feed, wanted, source } = this;
    for (let silentFor = 0; !wanted.signal.aborted; ) {
      const first = this.#next();
      if (first) {
        silentFor = 0;
        yield await this.#page(first);
        continue;
      }
      const checkpoint = feed.checkpoint;
      if (checkpoint !== undefined && isAfter(positionText(checkpoint), this.#at)) {
        this.#at = positionText(checkpoint);
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

  /** Asks the server after a silence. It throws if it does not answer. With a prefix what is new need not concern us, so we just subscribe again. */
  async #isStalled(silentFor: number): Promise<boolean> {
    const before = this.#head;
    this.#head = await this.source.head();
    const more = isAfter(this.#head, this.#at);
    if (this.wanted.streamPrefix === undefined) return more && silentFor > 0;
    return isAfter(this.#head, before) && before !== 'start';
  }

  /** The next event that is here already. */
  #next(): Recorded | null {
    for (let resolved = this.feed.read(); resolved; resolved = this.feed.read()) {
      const event = decode(resolved);
      if (event && isAfter(event.position, this.#at) && !isSystemEvent(event.type)) return event;
    }
    return null;
  }

  /** Fills a page with what is known to come, or for a prefix with what comes at once. */
  async #page(first: Recorded): Promise<Page> {
    const { limit, pageBytes, streamPrefix } = this.wanted;
    const events: Recorded[] = [];
    let bytes = 0;
    const add = (event: Recorded) => {
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

  /** A page that cannot learn where the log ends is handed on as it is; the next silence tells what is the matter. */
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

  /** With a prefix only newer servers tell it. */
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
