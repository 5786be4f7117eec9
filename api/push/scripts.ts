import Type from 'typebox';
import { notFound } from '../../domain/kernel/errors.js';
import { lineOf, named, record, text } from '../../domain/kernel/schema.js';
import { anyOrigin } from '../http/cors.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Authenticator, Services } from '../http/services.js';
import { javascript } from '../pages/javascript.js';
import { PUSH_PAGE_SCRIPT } from './page-script.js';
import { WORKER_SCRIPT } from './worker-script.js';

export interface PushRouteParts {
  /** For the keys by which a server proves who a device belongs to. */
  readonly authenticator: Authenticator;
  /** The public key of web push of an account; null where there is no such account. */
  readonly vapidKeyOf: (account: string) => Promise<string | null>;
}

const open = { tag: 'push', access: 'public', limit: 'public', cors: anyOrigin, method: 'GET' } as const;

/** What a site includes to subscribe its visitors: a script of the page, and one of its service worker. */
export function scriptRoutes(services: Services, pushRouteParts: PushRouteParts): AnyRoute[] {
  return [getPushKeyRoute(pushRouteParts), getPushScriptRoute, getPushWorkerRoute(services)];
}

const getPushKeyRoute = ({ vapidKeyOf }: PushRouteParts) =>
  route({
    ...open,
    path: '/v1/push/key',
    operationId: 'getPushKey',
    summary: 'Read the public key of web push',
    description: 'What a page gives to `pushManager.subscribe` as `applicationServerKey`.',
    query: record({ account_id: Type.String({ ...lineOf(64), description: 'The public id of the account.' }) }),
    responses: { 200: { description: 'A point of P-256 in base64url.', schema: named('PushKey', record({ public_key: text })) } },
    errors: ['not_found'],
    async handle({ query: { account_id } }) {
      const public_key = await vapidKeyOf(account_id);
      if (public_key === null) throw notFound('account', account_id);
      return { status: 200, body: { public_key }, headers: { 'Cache-Control': 'public, max-age=300' } };
    },
  });

const getPushScriptRoute = route({
  ...open,
  path: '/push.js',
  operationId: 'getPushScript',
  summary: 'The script that subscribes a browser',
  description:
    'The `src` of a script element with `data-account="acc_…"` and `data-worker="/sw.js"`. It adds `heliographPush.subscribe({contact, contact_hash})` and `heliographPush.unsubscribe()` to the page. Call them from a click.',
  streams: ['text/javascript'],
  responses: { 200: { description: 'The script.' } },
  handle: async () => javascript(PUSH_PAGE_SCRIPT),
});

const getPushWorkerRoute = (services: Services) =>
  route({
    ...open,
    path: '/push-sw.js',
    operationId: 'getPushWorker',
    summary: 'The script of the service worker',
    description: "For `importScripts('…/push-sw.js')` in the service worker of a site: it shows messages, and reports what becomes of them.",
    streams: ['text/javascript'],
    responses: { 200: { description: 'The script.' } },
    handle: async () => javascript(WORKER_SCRIPT.replace('BASE_URL', () => JSON.stringify(services.publicUrl))),
  });
