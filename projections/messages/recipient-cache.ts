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

type LoadRecipient<R> = (log: EventLog, addressKey: string, channel: string) => Promise<R>;

/**
 * LRU cache of recipients for the gates at acceptance. An append to any stream of a recipient evicts it. Appends of other
 * processes arrive with a delay, so the gates at dispatch load the recipient from the log.
 */
export class RecipientCache<R extends CachedRecipient> {
  readonly #recipients = entryCache<string, R>(MAX_RECIPIENTS, {
    dispose: (recipient, name) => this.#removeFromStreams(recipient, name),
  });
  readonly #keysByStream = new Map<string, Set<string>>();
  readonly #recentAppends = entryCache<string, number>(MAX_RECENT_APPENDS);
  #appendCount = 0;
  #isSubscribed = false;

  constructor(private readonly load: LoadRecipient<R>) {}

  async get(log: EventLog, addressKey: string, channel: string): Promise<R> {
    const cacheKey = `${addressKey}/${channel}`;
    const cached = this.#recipients.get(cacheKey);
    if (cached) return cached;
    const countBefore = this.#appendCount;
    const recipient = await this.load(log, addressKey, channel);
    if (this.#isSubscribed && !recipient.isVolatile && !this.#hasChangedSince(countBefore, streamsOf(recipient, addressKey)))
      this.#store(cacheKey, recipient);
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

  #store(cacheKey: string, recipient: R): void {
    this.#recipients.set(cacheKey, recipient);
    for (const stream of streamsOf(recipient, addressKeyOf(cacheKey))) {
      const cacheKeys = this.#keysByStream.get(stream);
      if (cacheKeys) cacheKeys.add(cacheKey);
      else this.#keysByStream.set(stream, new Set([cacheKey]));
    }
  }

  #removeFromStreams(recipient: R, cacheKey: string): void {
    for (const stream of streamsOf(recipient, addressKeyOf(cacheKey))) {
      const cacheKeys = this.#keysByStream.get(stream);
      if (cacheKeys?.delete(cacheKey) && cacheKeys.size === 0) this.#keysByStream.delete(stream);
    }
  }
}

const addressKeyOf = (cacheKey: string): string => cacheKey.slice(0, cacheKey.lastIndexOf('/'));

/** The streams whose events change a recipient. */
const streamsOf = ({ members }: CachedRecipient, addressKey: string): string[] => [
  contactKeyStream(addressKey),
  ...members.flatMap((id) => [contactStream(id), consentStream(id)]),
];
