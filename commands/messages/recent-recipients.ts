import { LRUCache } from 'lru-cache';
import { consentStream } from '../../domain/consent/consent.js';
import { contactStream } from '../../domain/contacts/contact.js';
import { contactKeyStream } from '../../domain/contacts/contact-key.js';
import type { Checkpoint } from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/event-log.js';
import { loadRecipient, type Recipient } from './recipient.js';

const REMEMBERED = 10_000;
/** Streams that were appended to lately, so that what was read just before such an append is not remembered after it. */
const NEWS = 10_000;
const PAGE = 1_000;
/** What the names of all streams begin with that a recipient is made of. */
const PREFIX = 'con';

/**
 * Recipients that were looked up lately, for the gates at acceptance: whatever happens to one drops what is remembered of
 * it. What another process wrote a moment ago may be missing, which is why the gates at hand-over ask the log itself.
 */
export class RecentRecipients {
  readonly #remembered = new LRUCache<string, Recipient>({ max: REMEMBERED, dispose: (recipient, name) => this.#unlist(recipient, name) });
  readonly #byStream = new Map<string, Set<string>>();
  readonly #news = new LRUCache<string, number>({ max: NEWS });
  #count = 0;
  #following = false;

  async of(log: EventLog, toKey: string, channel: string): Promise<Recipient> {
    const name = `${toKey}/${channel}`;
    const known = this.#remembered.get(name);
    if (known) return known;
    const before = this.#count;
    const recipient = await loadRecipient(log, toKey, channel);
    const isOld = this.#count - before >= NEWS || streamsOf(recipient, toKey).some((stream) => (this.#news.get(stream) ?? 0) > before);
    if (this.#following && !isOld) this.#remember(name, recipient);
    return recipient;
  }

  /** To be told of each stream that this process appends to, so that one's own writes count at once. */
  saw(stream: string): void {
    if (!stream.startsWith(PREFIX)) return;
    this.#count += 1;
    this.#news.set(stream, this.#count);
    for (const name of this.#byStream.get(stream) ?? []) this.#remembered.delete(name);
  }

  /** Follows the log until the signal aborts; only meanwhile is anything remembered. */
  async watch(head: Checkpoint, log: EventLog, signal: AbortSignal): Promise<void> {
    this.#following = true;
    try {
      for await (const streams of log.store.subscribeToStreamNames(head, signal, PAGE, PREFIX)) for (const stream of streams) this.saw(stream);
    } finally {
      this.#following = false;
      this.#remembered.clear();
    }
  }

  #remember(name: string, recipient: Recipient): void {
    this.#remembered.set(name, recipient);
    for (const stream of streamsOf(recipient, keyIn(name))) {
      const names = this.#byStream.get(stream);
      if (names) names.add(name);
      else this.#byStream.set(stream, new Set([name]));
    }
  }

  #unlist(recipient: Recipient, name: string): void {
    for (const stream of streamsOf(recipient, keyIn(name))) {
      const names = this.#byStream.get(stream);
      if (names?.delete(name) && names.size === 0) this.#byStream.delete(stream);
    }
  }
}

const keyIn = (name: string): string => name.slice(0, name.lastIndexOf('/'));

/** What a change of the recipient would be written to. */
const streamsOf = ({ members }: Recipient, toKey: string): string[] => [
  contactKeyStream(toKey),
  ...members.flatMap((id) => [contactStream(id), consentStream(id)]),
];
