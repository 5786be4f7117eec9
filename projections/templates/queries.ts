import type { Find, ReadModels } from '../../domain/kernel/ports.js';
import type { PageRange, WithCursor } from '../runtime/paging.js';
import { type PartialDoc, type TemplateDoc, templates, type VersionDoc } from './projection.js';

const find = (where: Find['where'], { after, descending, limit }: PageRange): Find => ({
  where,
  order: { field: 'sort', descending },
  limit,
  ...(after !== null && { range: { field: 'sort', [descending ? 'lt' : 'gt']: after } }),
});
const withCursors = <D extends { readonly sort: string }>(found: readonly D[]): WithCursor<D>[] => found.map((item) => ({ item, cursor: item.sort }));

export type TemplateQueries = ReturnType<typeof templateQueries>;

/** Queries over templates, their versions, and partials. */
export function templateQueries({ views }: { readonly views: ReadModels }) {
  const templateDocs = views.docs<TemplateDoc>(templates, 'templates');
  const versionDocs = views.docs<VersionDoc>(templates, 'versions');
  const partialDocs = views.docs<PartialDoc>(templates, 'partials');

  return {
    templates: async (account: string, channel: string | undefined, range: PageRange): Promise<WithCursor<TemplateDoc>[]> =>
      withCursors(await templateDocs.find(find({ account, deleted: false, ...(channel !== undefined && { channel }) }, range))),
    versions: async (template_id: string, range: PageRange): Promise<WithCursor<VersionDoc>[]> =>
      withCursors(await versionDocs.find(find({ template_id }, range))),
    partials: async (account: string, range: PageRange): Promise<WithCursor<PartialDoc>[]> =>
      withCursors(await partialDocs.find(find({ account }, range))),
  };
}
