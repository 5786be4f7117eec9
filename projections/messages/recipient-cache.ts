import { consentStream } from '../../domain/consent/consent.js';
import { contactStream } from '../../domain/contacts/contact.js';
import { contactKeyStream } from '../../domain/contacts/contact-key.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { entryCache } from '../../log/vault/entry-cache.js';

const MAX_RECIPIENTS = 10_000;
/** Appends that are remembered to detect whether a recipient changed while it was loaded. */
const MAX_RECENT_APPENDS = 10_000;
/** Common prefix of the streams of contacts, contact keys and consents. */
export const RECIPIENT_PREFIX = 'con';

interface CachedRecipient {
  /** Ids of the contact and of the contacts merged into it. */
  readonly members: readonly string[];
  /** Other streams decide, too. */
  readonly isVolatile?: true;
}

/** The keys of one address: its own first, then those of the other spellings of a number. */
type Keys = readonly [string, ...string[]];
type LoadRecipient<R> = (log: EventLog, addressKeys: Keys, channel: string) => Promise<R>;

interface CacheEntry<R> {
  readonly recipient: R;
  /** Whose events change it. */
  readonly streams: readonly string[];
}

/**
 * LRU cache of recipients for the gates at acceptance. An append to any stream of a recipient evicts it. Appends of other
 * processes arrive with a delay, so the gates at dispatch load the recipient from the log.
 */
export class RecipientCache<R extends CachedRecipient> {
  readonly #recipients = entryCache<string, CacheEntry<R>>(MAX_RECIPIENTS, {
    dispose: ({ streams }, name) => this.#removeFromStreams(streams, name),
  });
  readonly #keysByStream = new Map<string, Set<string>>();
  readonly #recentAppends = entryCache<string, number>(MAX_RECENT_APPENDS);
  #appendCount = 0;
  #isSubscribed = false;

  constructor(private readonly load: LoadRecipient<R>) {}

  async get(log: EventLog, addressKeys: Keys, channel: string): Promise<R> {
    const cacheKey = `${addressKeys[0]}/${channel}`;
    const cached = this.#recipients.get(cacheKey);
    if (cached) return cached.recipient;
    const countBefore = this.#appendCount;
    const recipient = await this.load(log, addressKeys, channel);
    const streams = streamsOf(recipient, addressKeys);
    if (this.#isSubscribed && !recipient.isVolatile && !this.#hasChangedSince(countBefore, streams)) this.#store(cacheKey, { recipient, streams });
    return recipient;
  }

  /** Must be called for each append of this process, so that its own writes evict at once. */
  noteAppended(stream: string): void {
    if (!stream.startsWith(RECIPIENT_PREFIX)) return;
    this.#appendCount += 1;
    this.#recentAppends.set(stream, this.#appendCount);
    for (const cacheKey of this.#keysByStream.get(stream) ?? []) this.#recipients.delete(cacheKey);
  }

  /** Caches from now on. From here on `noteAppended` must be called for the appends of other processes, too. */
  begin(): void {
    this.#isSubscribed = true;
  }

  /** Caches nothing any more. */
  end(): void {
    this.#isSubscribed = false;
    this.#recipients.clear();
  }

  /** True also if there were more appends than are remembered. */
  #hasChangedSince(count: number, streams: readonly string[]): boolean {
    return this.#appendCount - count >= MAX_RECENT_APPENDS || streams.some((stream) => (this.#recentAppends.get(stream) ?? 0) > count);
  }

  #store(cacheKey: string, cached: CacheEntry<R>): void {
    this.#recipients.set(cacheKey, cached);
    for (const stream of cached.streams) {
      const cacheKeys = this.#keysByStream.get(stream);
      if (cacheKeys) cacheKeys.add(cacheKey);
      else this.#keysByStream.set(stream, new Set([cacheKey]));
    }
  }

  #removeFromStreams(streams: readonly string[], cacheKey: string): void {
    for (const stream of streams) {
      const cacheKeys = this.#keysByStream.get(stream);
      if (cacheKeys?.delete(cacheKey) && cacheKeys.size === 0) this.#keysByStream.delete(stream);
    }
  }
}

/** The streams whose events change a recipient. */
const streamsOf = ({ members }: CachedRecipient, addressKeys: Keys): string[] => [
  ...addressKeys.map(contactKeyStream),
  ...members.flatMap((id) => [contactStream(id), consentStream(id)]),
];
