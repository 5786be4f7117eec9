import { type Observable, Subject } from 'rxjs';
import { contactStream } from '../../domain/contacts/contact.js';
import { contactOfInbox, INBOX_PREFIX } from '../../domain/inbox/item.js';
import type { Position } from '../../domain/kernel/ports.js';

/** An event of the inbox of a contact, or (`contact`) of the contact itself, which may have been merged or erased. */
export interface InboxChange {
  readonly of: 'items' | 'contact';
  readonly contact_id: string;
  readonly position: Position;
}

const CONTACT_PREFIX = contactStream('');

/** Which inboxes change, as this process reads the log. Completes when the process stops: then whoever shows inboxes ends. */
export class InboxChanges {
  static readonly prefix = INBOX_PREFIX;
  readonly #changes = new Subject<InboxChange>();

  /** Must be called for each append of any process, in the order of the log. */
  noteAppended(stream: string, position: Position): void {
    if (!this.#changes.observed) return;
    if (stream.startsWith(INBOX_PREFIX)) this.#changes.next({ of: 'items', contact_id: contactOfInbox(stream), position });
    else if (stream.startsWith(CONTACT_PREFIX)) this.#changes.next({ of: 'contact', contact_id: stream.slice(CONTACT_PREFIX.length), position });
  }

  all(): Observable<InboxChange> {
    return this.#changes;
  }

  end(): void {
    this.#changes.complete();
  }
}
