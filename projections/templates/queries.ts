import type { ReadModels } from '../../domain/kernel/ports.js';
import { type CountRange, countInRange, findInRange, type PageRange, type WithCursor } from '../runtime/paging.js';
import { type PartialDoc, type TemplateDoc, templates, type VersionDoc } from './projection.js';

const withCursors = <D extends { readonly sort: string }>(found: readonly D[]): WithCursor<D>[] => found.map((item) => ({ item, cursor: item.sort }));

export type TemplateQueries = ReturnType<typeof templateQueries>;

/** Queries over templates, their versions, and partials. */
export function templateQueries({ views }: { readonly views: ReadModels }) {
  const templateDocs = views.docs<TemplateDoc>(templates, 'templates');
  const versionDocs = views.docs<VersionDoc>(templates, 'versions');
  const partialDocs = views.docs<PartialDoc>(templates, 'partials');

  return {
    templates: async (account: string, channel: string | undefined, range: PageRange): Promise<WithCursor<TemplateDoc>[]> =>
      withCursors(await templateDocs.find(findInRange({ account, deleted: false, ...(channel !== undefined && { channel }) }, range))),
    count: (account: string, channel: string | undefined, range: CountRange): Promise<number> =>
      countInRange(templateDocs, { account, deleted: false, ...(channel !== undefined && { channel }) }, range),
    versions: async (template_id: string, range: PageRange): Promise<WithCursor<VersionDoc>[]> =>
      withCursors(await versionDocs.find(findInRange({ template_id }, range))),
    partials: async (account: string, range: PageRange): Promise<WithCursor<PartialDoc>[]> =>
      withCursors(await partialDocs.find(findInRange({ account }, range))),
  };
}
