import { hash } from 'node:crypto';
import type { HttpResponse } from '../http/route.js';

/** A script that pages of any site include. Without a source of the same name a browser keeps it for five minutes. */
export const javascript = (body: string): HttpResponse => ({
  status: 200,
  headers: {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=300',
    ETag: `"${hash('sha256', body, 'base64url').slice(0, 16)}"`,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  },
  body,
});
