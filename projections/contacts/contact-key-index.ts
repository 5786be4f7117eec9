import { contactKeyStream } from '../../domain/contacts/contact-key.js';
import type { Clock } from '../../domain/kernel/ports.js';
import { BloomFilter } from '../runtime/bloom-filter.js';
import { InMemoryStreamIndex } from '../runtime/stream-index.js';

/** Keys that were ever claimed by a contact, with false positives. A send need not load the claim of any other key. */
export class ContactKeyIndex extends InMemoryStreamIndex {
  constructor(clock: Clock) {
    super(contactKeyStream(''), new BloomFilter(), clock);
  }
}
