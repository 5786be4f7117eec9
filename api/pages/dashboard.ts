import type { UnversionedPage } from '../http/server/server-options.js';
import { compressedAnswer, type ReadCompressed } from './compressed.js';

/** The built web application. */
export interface DashboardFiles {
  /** The document that every address of the application answers. */
  readonly index: string;
  /** Files by their path below `/dashboard/`. Those below `assets/` have names that change with their content. */
  readonly assets: ReadonlyMap<string, DashboardAsset>;
}

export interface DashboardAsset {
  readonly type: string;
  readonly read: ReadCompressed;
}

/**
 * Scripts come from this service alone. Styles may be inline, since mails have theirs; they load nothing, for `img-src` names nobody else. A mail
 * is shown in a frame whose document comes with the page (`srcdoc`) or from this service.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const INDEX_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-cache',
};
const PATH = '/dashboard';

/**
 * `/dashboard` and all below it: the files of the web application, and its document for every other address, which its script reads. Browsers that
 * ask for `/` are led there; other programs to the documentation.
 */
export function dashboardPages({ index, assets }: DashboardFiles): UnversionedPage[] {
  const document = { status: 200, body: index, headers: INDEX_HEADERS };
  return [
    {
      path: '/',
      read: ({ headers }) => ({ status: 302, headers: { Location: headers.accept?.includes('text/html') ? PATH : '/docs', Vary: 'Accept' } }),
    },
    { path: PATH, read: () => document },
    {
      path: `${PATH}/{*path}`,
      read: async (request) => {
        const path = (request.url ?? '').slice(PATH.length + 1).replace(/\?.*$/, '');
        const asset = assets.get(path);
        if (!asset)
          return path.startsWith('assets/') ? { status: 404, body: 'There is no such file. Load the page again.', headers: TEXT } : document;
        return compressedAnswer(request, asset.read, {
          'Content-Type': asset.type,
          'Cache-Control': path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
          'X-Content-Type-Options': 'nosniff',
        });
      },
    },
  ];
}

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
