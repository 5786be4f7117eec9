import { anyOrigin } from '../http/cors.js';
import { type AnyRoute, route } from '../http/route.js';
import { javascript } from '../pages/javascript.js';

/** `GET /inbox.js`: the browser client. `read` gives its text. */
export const inboxScriptRoute = (read: () => string): AnyRoute =>
  route({
    method: 'GET',
    path: '/inbox.js',
    operationId: 'getInboxScript',
    tag: 'inbox',
    access: 'public',
    limit: 'public',
    cors: anyOrigin,
    summary: 'The script that shows an inbox in a page',
    description:
      'The `src` of a script element with `data-token="hit_…"`: a bell with the count, the list and toasts appear at its place, or in the element that `data-target` selects. With `data-token-url`, an address of your site that answers `{"token": "hit_…"}`, it gets another token whenever one has expired. `data-toasts="off"` shows none. Colours are CSS variables such as `--inbox-accent`; `data-theme` of the place is `light` or `dark`, otherwise the setting of the reader counts. `heliographInbox.mount(element, {token, getToken, texts})` does the same by a script.',
    streams: ['text/javascript'],
    responses: { 200: { description: 'The script.' } },
    handle: async () => javascript(read()),
  });
