import { LRUCache } from 'lru-cache';
import { consentStream } from '../../domain/consent/consent.js';
import { contactStream } from '../../domain/contacts/contact.js';
import { contactKeyStream } from '../../domain/contacts/contact-key.js';
import type { Checkpoint } from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/event-log.js';
import { loadRecipient, type Recipient } from './recipient.js';

const MAX_RECIPIENTS = 10_000;
/** Streams that were appended to lately, so that what was read just before such an append is not remembered after it. */
const MAX_RECENT_APPENDS = 10_000;
const PAGE_SIZE = 1_000;
/** What the names of all streams begin with that a recipient is made of. */
const STREAM_PREFIX = 'con';

/**
 * Recipients that were looked up lately, for the gates at acceptance: whatever happens to one drops what is remembered of
 * it. What another process wrote a moment ago may be missing, which is why the gates at hand-over ask the log itself.
 */
export class RecipientCache {
  readonly #recipients = new LRUCache<string, Recipient>({
    max: MAX_RECIPIENTS,
    dispose: (recipient, name) => this.#removeFromStreams(recipient, name),
  });
  readonly #keysByStream = new Map<string, Set<string>>();
  readonly #recentAppends = new LRUCache<string, number>({ max: MAX_RECENT_APPENDS });
  #appendCount = 0;
  #isSubscribed = false;

  async get(log: EventLog, toKey: string, channel: string): Promise<Recipient> {
    const name = `${toKey}/${channel}`;
    const known = this.#recipients.get(name);
    if (known) return known;
    const before = this.#appendCount;
    const recipient = await loadRecipient(log, toKey, channel);
    const isOld =
      this.#appendCount - before >= MAX_RECENT_APPENDS ||
      streamsOf(recipient, toKey).some((stream) => (this.#recentAppends.get(stream) ?? 0) > before);
    if (this.#isSubscribed && !isOld) this.#store(name, recipient);
    return recipient;
  }

  /** To be told of each stream that this process appends to, so that one's own writes count at once. */
  noteAppended(stream: string): void {
    if (!stream.startsWith(STREAM_PREFIX)) return;
    this.#appendCount += 1;
    this.#recentAppends.set(stream, this.#appendCount);
    for (const name of this.#keysByStream.get(stream) ?? []) this.#recipients.delete(name);
  }

  /** Follows the log until the signal aborts; only meanwhile is anything remembered. */
  async run(head: Checkpoint, log: EventLog, signal: AbortSignal): Promise<void> {
    this.#isSubscribed = true;
    try {
      for await (const streams of log.store.subscribeToStreamNames(head, signal, PAGE_SIZE, STREAM_PREFIX))
        for (const stream of streams) this.noteAppended(stream);
    } finally {
      this.#isSubscribed = false;
      this.#recipients.clear();
    }
  }

  #store(name: string, recipient: Recipient): void {
    this.#recipients.set(name, recipient);
    for (const stream of streamsOf(recipient, addressKeyOf(name))) {
      const names = this.#keysByStream.get(stream);
      if (names) names.add(name);
      else this.#keysByStream.set(stream, new Set([name]));
    }
  }

  #removeFromStreams(recipient: Recipient, name: string): void {
    for (const stream of streamsOf(recipient, addressKeyOf(name))) {
      const names = this.#keysByStream.get(stream);
      if (names?.delete(name) && names.size === 0) this.#keysByStream.delete(stream);
    }
  }
}

const addressKeyOf = (name: string): string => name.slice(0, name.lastIndexOf('/'));

/** What a change of the recipient would be written to. */
const streamsOf = ({ members }: Recipient, toKey: string): string[] => [
  contactKeyStream(toKey),
  ...members.flatMap((id) => [contactStream(id), consentStream(id)]),
];
