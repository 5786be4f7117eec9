/** The live streams of changes: what has changed in an account, as the read models have it. */
import { DomainError } from '../../domain/kernel/errors.js';
import type { Checkpoint, Clock, Position, ReadModels } from '../../domain/kernel/ports.js';
import type { ChangedStreamFeed, ChangedStreamsPage } from '../../log/feed/changed-streams.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { AccountChanges, areReached, frameOf, idLine } from './account-changes.js';
import { AnnouncementQueue } from './announcement-queue.js';
import { pastChanges } from './past-changes.js';

export interface LiveChangesParts {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly clock: Clock;
}

/** One open stream. */
export interface ChangesListener {
  readonly account: string;
  /** Null for all kinds of resources. */
  readonly resources: ReadonlySet<string> | null;
  /** The last position that the reader has; null where it begins now. */
  readonly after: Position | null;
  readonly signal: AbortSignal;
  /** Whether its credential still gives access. */
  readonly mayGoOn: () => Promise<boolean>;
}

/** Open streams of one account on one node. */
export const MAX_STREAMS = 50;
/** Below the idle timeouts of usual proxies. */
const HEARTBEAT_MS = 20_000;
const RETRY_MS = 2_000;
const RETRY_FEED_MS = 500;
const HEARTBEAT = ': \n\n';

interface WatchedAccount {
  readonly changes: AccountChanges;
  streams: number;
}

/** All streams of changes of this process. While there is none, nothing is read. */
export class LiveChanges {
  readonly #watched = new Map<string, WatchedAccount>();
  #feed: ChangedStreamFeed | null = null;
  #stopping: AbortSignal = AbortSignal.abort();
  /** Up to where the log has been read for the accounts that are watched. */
  #at: Checkpoint = 'start';
  #isFollowing = false;
  /** Aborts at a change of the accounts that are watched. */
  #change = new AbortController();

  constructor(private readonly parts: LiveChangesParts) {}

  /** Where changes come from, until the signal aborts. Called once, before the first stream. */
  begin(feed: ChangedStreamFeed, signal: AbortSignal): void {
    this.#feed = feed;
    this.#stopping = signal;
    signal.addEventListener('abort', () => this.end(), { once: true });
  }

  /** Something about an account itself has changed, perhaps a credential. To be called once its caches are without it. */
  noteAccount(account: string): void {
    this.#watched.get(account)?.changes.announced.next(null);
  }

  /** Ends all streams. */
  end(): void {
    for (const { changes } of this.#watched.values()) changes.close();
  }

  /** The stream as text of server-sent events. Throws `rate_limit_exceeded` beyond 50 streams of one account. */
  async open(listener: ChangesListener): Promise<AsyncGenerator<string>> {
    const { account, signal } = listener;
    const head = textOf(await this.parts.log.store.head());
    const watched = this.#watch(account, head);
    if (watched.streams >= MAX_STREAMS)
      throw new DomainError('rate_limit_exceeded', `The account has ${MAX_STREAMS} open streams of changes here. Close one, or share one.`, {
        ...{ limit: MAX_STREAMS, window: '1 minute', retry_after: 60 },
      });
    watched.streams += 1;
    let isOpen = true;
    const release = (): void => {
      if (isOpen) this.#release(account, watched);
      isOpen = false;
    };
    signal.addEventListener('abort', release, { once: true });
    if (signal.aborted) release();
    return this.#events(listener, watched, head, release);
  }

  async *#events(listener: ChangesListener, { changes }: WatchedAccount, head: Position, release: () => void): AsyncGenerator<string> {
    const { resources, signal, mayGoOn } = listener;
    const queue = new AnnouncementQueue(changes.announced, (resource) => resources?.has(resource) ?? true, this.parts.clock, signal);
    try {
      yield `retry: ${RETRY_MS}\n\n`;
      yield* this.#missed(listener, changes, head, queue);
      for (let next = await queue.next(HEARTBEAT_MS); next.kind !== 'end'; next = await queue.next(HEARTBEAT_MS)) {
        if (next.kind === 'texts') yield next.texts.join('');
        else if (!(await mayGoOn())) return;
        // A position without an event: who is silent for long goes on after it, too.
        else yield HEARTBEAT + block(idLine(changes.announcedUpTo));
      }
    } finally {
      queue.close();
      signal.removeEventListener('abort', release);
      release();
    }
  }

  /** What has changed after the last position that the reader has. Without one, or where that is too much, the position to begin with. */
  async *#missed(listener: ChangesListener, changes: AccountChanges, head: Position, queue: AnnouncementQueue): AsyncGenerator<string> {
    const { account, resources, signal, after } = listener;
    const upTo = changes.seenUpTo;
    if (after === null) {
      yield block(idLine(changes.announcedUpTo));
      return;
    }
    // Another node may have read further than this one. A position that no log has yet is of another log.
    if (after >= upTo && after <= head) return;
    const isWanted = (resource: string): boolean => resources?.has(resource) ?? true;
    const feed = this.#feed;
    const missed = after > head || !feed ? null : await pastChanges({ ...this.parts, feed }, { account, after, upTo, isWanted, signal });
    if (!missed) {
      yield `${idLine(changes.announcedUpTo)}event: reset\ndata: {}\n\n`;
      return;
    }
    const named = new Set(missed.map(({ resource }) => resource));
    while (!queue.hasEnded && !(await areReached(this.parts, named, upTo))) yield HEARTBEAT;
    for (const { resource, id, change } of missed) yield frameOf(after, { resource, id, change });
    yield block(idLine(upTo));
  }

  /** The account as it is watched from now on; `head` is a position that the log has. */
  #watch(account: string, head: Position): WatchedAccount {
    const known = this.#watched.get(account);
    if (known) return known;
    if (!this.#isFollowing) this.#at = head === '' ? 'start' : head;
    const watched = { changes: new AccountChanges(this.parts, textOf(this.#at)), streams: 0 };
    this.#watched.set(account, watched);
    this.#change.abort();
    if (!this.#isFollowing) void this.#follow();
    return watched;
  }

  #release(account: string, watched: WatchedAccount): void {
    watched.streams -= 1;
    if (watched.streams > 0) return;
    watched.changes.close();
    this.#watched.delete(account);
    this.#change.abort();
  }

  /** Follows the log while an account is watched. */
  async #follow(): Promise<void> {
    const feed = this.#feed;
    this.#isFollowing = true;
    while (feed && this.#watched.size > 0 && !this.#stopping.aborted) {
      this.#change = new AbortController();
      const signal = AbortSignal.any([this.#stopping, this.#change.signal]);
      try {
        for await (const page of feed.pages({ streams: [], events: [], accounts: [...this.#watched.keys()] }, this.#at, signal)) this.#note(page);
      } catch {
        await this.parts.clock.sleep(RETRY_FEED_MS, this.#stopping);
      }
    }
    this.#isFollowing = false;
  }

  #note({ changes, upTo }: ChangedStreamsPage): void {
    for (const [of, watched] of this.#watched) {
      const own = changes.filter(({ account }) => account === of);
      watched.changes.note(own, textOf(upTo));
    }
    this.#at = upTo;
  }
}

const textOf = (checkpoint: Checkpoint): Position => (checkpoint === 'start' ? '' : checkpoint);
const block = (line: string): string => (line === '' ? '' : `${line}\n`);
