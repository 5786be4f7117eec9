import { ERASURES, type ErasureEvent } from '../domain/contacts/erasure.js';
import type { Checkpoint } from '../domain/kernel/ports.js';
import type { EventLog } from './event-log.js';
import type { Vault } from './vault.js';

const PAGE = 100;

/**
 * Drops from the memory of this process the data keys that any process destroyed: until then it could still open what was
 * sealed with them, and would go on sealing with a key that nobody has any more.
 */
export class ErasedKeyEviction {
  constructor(
    private readonly log: EventLog,
    private readonly vault: Pick<Vault, 'evict'>,
    private after: Checkpoint,
  ) {}

  /** Follows the log until the signal aborts. Begun anew after a failure, it goes on where it was. */
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
