import { contactKeyStream } from '../../domain/contacts/contact-key.js';
import { BloomFilter, InMemoryStreamIndex } from '../stream-index.js';

/** What names a contact or once named one: of all other addresses a send need not ask who has them. */
export class ContactKeyIndex extends InMemoryStreamIndex {
  constructor() {
    super(contactKeyStream(''), new BloomFilter());
  }
}
