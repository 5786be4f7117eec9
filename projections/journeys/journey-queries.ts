import type { Find, ReadModels } from '../../domain/kernel/ports.js';
import { type CountRange, countInRange, findInRange, type PageRange, type WithCursor } from '../runtime/paging.js';
import { type JourneyDoc, journeys } from './journeys.js';

/** No more uses of a segment are named. */
const MAX_USES = 100;

export type JourneyQueries = ReturnType<typeof journeyQueries>;

/** Queries over the journeys of an account. */
export function journeyQueries({ views }: { readonly views: ReadModels }) {
  const docs = views.docs<JourneyDoc>(journeys, 'journeys');
  return {
    /** The journeys that name a segment or template, by its id, or a list or custom field (see `namedBy`), and can still use it. */
    async using(account: string, id: string): Promise<string[]> {
      const found = await docs.find({ where: { account, uses: id }, order: { field: 'sort', descending: true }, limit: MAX_USES });
      return found.map((doc) => doc.id);
    },

    async page(account: string, status: string | undefined, range: PageRange): Promise<WithCursor<JourneyDoc>[]> {
      const found = await docs.find(findInRange(listed(account, status), range));
      return found.map((item) => ({ item, cursor: item.sort }));
    },

    count: (account: string, status: string | undefined, range: CountRange): Promise<number> => countInRange(docs, listed(account, status), range),
  };
}

const listed = (account: string, status: string | undefined): Find['where'] => ({ account, deleted: false, ...(status !== undefined && { status }) });
