import { ERASURES, type ErasureEvent } from '../domain/contacts/erasure.js';
import type { Checkpoint } from '../domain/kernel/ports.js';
import type { EventLog } from './event-log.js';
import type { Vault } from './vault.js';

const PAGE = 100;

/**
 * Evicts data keys that any process destroyed from this process's cache. Until then it could still open what they sealed, and
 * would go on sealing with a key that no longer exists.
 */
export class ErasedKeyEviction {
  constructor(
    private readonly log: EventLog,
    private readonly vault: Pick<Vault, 'evict'>,
    private after: Checkpoint,
  ) {}

  /** Subscribes to erasures until the signal aborts. Called again after a failure, it continues where it stopped. */
  async run(signal: AbortSignal): Promise<void> {
    for await (const page of this.log.store.subscribe(this.after, signal, PAGE, ERASURES)) {
      for (const recorded of page.events) this.#evict(this.log.decode(recorded).event as ErasureEvent);
      this.after = page.upTo;
    }
  }

  #evict({ type, data }: ErasureEvent): void {
    if (type === 'ErasureRequested') return;
    const subjects = type === 'ErasureCompleted' ? [...data.contact_ids, ...data.address_keys] : data.contact_ids;
    for (const subject of subjects) this.vault.evict(subject);
  }
}
