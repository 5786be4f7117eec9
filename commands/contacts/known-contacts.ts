import { contactKeyStream } from '../../domain/contacts/contact-key.js';
import { KeyFilter, KnownStreams } from '../known-streams.js';

/** What names a contact or once named one: of all other addresses a send need not ask who has them. */
export class KnownContacts extends KnownStreams {
  constructor() {
    super(contactKeyStream(''), new KeyFilter());
  }
}
