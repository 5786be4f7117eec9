import type { Checkpoint, ReadModels } from '../../domain/kernel/ports.js';
import { type ContactDoc, contacts } from './projection.js';

/** What names contacts, page by page in order of their ids, and how far the read model has seen the log. */
export function contactKeyPages(views: ReadModels) {
  const docs = views.docs<ContactDoc>(contacts, 'contacts');
  return {
    async page(after: string, limit: number): Promise<{ keys: string[]; last: string | undefined }> {
      const found = await docs.find({ where: {}, range: { field: 'id', gt: after }, order: { field: 'id' }, limit });
      // Those that are merged into another stand with it.
      return { keys: found.flatMap(({ keys = [] }) => keys), last: found.at(-1)?.id };
    },
    position: async (): Promise<Checkpoint> => (await views.status(contacts)).position,
  };
}
