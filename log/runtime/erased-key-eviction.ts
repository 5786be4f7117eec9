import type { ErasureEvent } from '../../domain/contacts/erasure.js';
import type { RecordedEvent } from '../../domain/kernel/ports.js';
import type { Vault } from '../vault/vault.js';
import type { EventLog } from './event-log.js';

/**
 * Evicts data keys that any process destroyed from this process's cache. Until then it could still open what they sealed, and
 * would go on sealing with a key that no longer exists.
 */
export class ErasedKeyEviction {
  constructor(
    private readonly log: Pick<EventLog, 'decode'>,
    private readonly vault: Pick<Vault, 'evict'>,
  ) {}

  /** Must be called for each event of the streams of erasures. */
  note(recorded: RecordedEvent): void {
    const { type, data } = this.log.decode(recorded).event as ErasureEvent;
    if (type === 'ErasureRequested') return;
    const subjects = type === 'ErasureCompleted' ? [...data.contact_ids, ...data.address_keys] : data.contact_ids;
    for (const subject of subjects) this.vault.evict(subject);
  }
}
