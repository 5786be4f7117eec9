import type { Find, ReadModels } from '../../domain/kernel/ports.js';
import { type CountRange, countInRange, findInRange, type PageRange, type WithCursor } from '../runtime/paging.js';
import { type CampaignDoc, campaigns } from './projection.js';

/** The latest ones of these are looked at. */
const MAX_USES = 1_000;
const UNFINISHED = new Set(['draft', 'scheduled', 'sending', 'testing', 'paused']);

export type CampaignQueries = ReturnType<typeof campaignQueries>;

/** Queries over the campaigns of an account. */
export function campaignQueries({ views }: { readonly views: ReadModels }) {
  const docs = views.docs<CampaignDoc>(campaigns, 'campaigns');
  return {
    /** The campaigns that name a list or segment and have not ended. */
    async using(account: string, id: string): Promise<string[]> {
      const found = await docs.find({ where: { account, uses: id }, order: { field: 'sort', descending: true }, limit: MAX_USES });
      return found.filter(({ status }) => UNFINISHED.has(status)).map((doc) => doc.id);
    },

    /** The latest campaigns that have not ended. */
    async unfinished(account: string, limit: number): Promise<string[]> {
      const found = await docs.find({ where: { account, deleted: false }, order: { field: 'sort', descending: true }, limit });
      return found.filter(({ status }) => UNFINISHED.has(status)).map((doc) => doc.id);
    },

    async page(account: string, status: string | undefined, range: PageRange): Promise<WithCursor<CampaignDoc>[]> {
      const found = await docs.find(findInRange(listed(account, status), range));
      return found.map((item) => ({ item, cursor: item.sort }));
    },

    count: (account: string, status: string | undefined, range: CountRange): Promise<number> => countInRange(docs, listed(account, status), range),
  };
}

const listed = (account: string, status: string | undefined): Find['where'] => ({ account, deleted: false, ...(status !== undefined && { status }) });
