import type { Entropy } from '../../domain/kernel/entropy.js';
import type { ApiDescription } from '../http/description.js';
import type { UnversionedPage } from '../http/server/server-options.js';
import type { DocsFiles } from './files.js';
import { guidePages, missingPage } from './guides.js';
import { referencePages } from './reference.js';

/** The documentation: the reference at `/docs`, and the guides beside it. */
export const docsPages = (api: ApiDescription, files: DocsFiles, entropy: Entropy): UnversionedPage[] => [
  ...referencePages(files, entropy),
  ...guidePages(files.guides, api),
  ...downloadPages(files.downloads),
  missingPage,
];

/** The files that the guides name. */
const downloadPages = (downloads: DocsFiles['downloads']): UnversionedPage[] =>
  [...downloads].map(([name, body]) => ({
    path: `/docs/files/${name}`,
    read: () => ({
      status: 200,
      body,
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="${name}"`,
        'Cache-Control': 'public, max-age=300',
      },
    }),
  }));
