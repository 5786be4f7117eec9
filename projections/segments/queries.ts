import type { ReadModels } from '../../domain/kernel/ports.js';
import { type CountRange, countInRange, findInRange, type PageRange, type WithCursor } from '../runtime/paging.js';
import { type SegmentDoc, type SegmentReferencesDoc, segmentDefinitions } from './definitions.js';

const PAGE = 500;

export type SegmentQueries = ReturnType<typeof segmentQueries>;

/** Queries over the definitions of segments. */
export function segmentQueries({ views }: { readonly views: ReadModels }) {
  const segmentDocs = views.docs<SegmentDoc>(segmentDefinitions, 'segments');
  const referenceDocs = views.docs<SegmentReferencesDoc>(segmentDefinitions, 'references');

  return {
    /** The segments of an account. A page of 200 has at most 6.5 MB. */
    async segments(account: string, range: PageRange): Promise<WithCursor<SegmentDoc>[]> {
      const found = await segmentDocs.find(findInRange({ account, deleted: false }, range));
      return found.map((item) => ({ item, cursor: item.sort }));
    },

    count: (account: string, range: CountRange): Promise<number> => countInRange(segmentDocs, { account, deleted: false }, range),

    /** The segments of an account that refer to others, with those. */
    async references(account: string): Promise<Map<string, readonly string[]>> {
      const found = new Map<string, readonly string[]>();
      for await (const { id, refers_to } of referencesOf(account)) if (refers_to.length > 0) found.set(id, refers_to);
      return found;
    },

    /** The segments of an account whose rules name a list or custom field: see `namedBy`. */
    async naming(account: string, name: string): Promise<string[]> {
      const found: string[] = [];
      for await (const { id, names } of referencesOf(account)) if (names.includes(name)) found.push(id);
      return found;
    },
  };

  async function* referencesOf(account: string): AsyncGenerator<SegmentReferencesDoc> {
    for (let after = ''; ; ) {
      const page = await referenceDocs.find({ where: { account }, range: { field: 'id', gt: after }, order: { field: 'id' }, limit: PAGE });
      yield* page;
      const last = page.at(-1);
      if (!last || page.length < PAGE) return;
      after = last.id;
    }
  }
}
