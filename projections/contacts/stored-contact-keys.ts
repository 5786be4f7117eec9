import type { ReadModels } from '../../domain/kernel/ports.js';
import type { StoredKeys } from '../runtime/stream-index.js';
import { type ContactDoc, contacts } from './projection.js';

/** The keys of all contacts in the read model, in pages by contact id. */
export function storedContactKeys(views: ReadModels): StoredKeys {
  const docs = views.docs<ContactDoc>(contacts, 'contacts');
  return {
    async page(after, limit) {
      const found = await docs.find({ where: {}, range: { field: 'id', gt: after }, order: { field: 'id' }, limit });
      // The keys of merged contacts are stored with the contact they are merged into.
      return { keys: found.flatMap(({ keys = [] }) => keys), last: found.at(-1)?.id };
    },
    position: async () => (await views.status(contacts)).position,
  };
}
