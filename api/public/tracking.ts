import Type from 'typebox';
import { type ReportedReceipt, recordReceipt } from '../../commands/messages/record-receipt.js';
import { notFound } from '../../domain/kernel/errors.js';
import { record } from '../../domain/kernel/schema.js';
import { TRACKING_PURPOSE, type TrackingClaims, TrackingTokens } from '../../formats/messages/tracking-tokens.js';
import { loadMessageOwner } from '../../log/aggregates/messages/load-owner.js';
import { type AnyRoute, type Request, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { errorPage } from '../pages/html-page.js';
import { isMachine } from './machine-readers.js';

/** A transparent GIF of one pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const HEADERS = { 'Referrer-Policy': 'no-referrer', 'X-Robots-Tag': 'noindex, nofollow' } as const;
const MACHINE_CODES = { opened: 'machine_open', clicked: 'machine_click' } as const;
/** Opens of a message, and clicks on one of its links, within one of these hours are recorded once. In milliseconds. */
const SAME_MS = 3_600_000;
const MAX_AGENT = 500;

const common = {
  tag: 'messages',
  access: 'public',
  limit: 'public',
  params: record({ token: Type.String({ description: 'From a link in a message.' }) }),
  // Also: what a program of mail accepts does not matter.
  errorPage,
} as const;

export interface TrackingRouteParts {
  /** The name of the carrier whose messages have these links. */
  readonly carrier: string;
}

/** The open pixel and the click links of emails that are tracked by this service. */
export function trackingRoutes(services: Services, parts: TrackingRouteParts): AnyRoute[] {
  const tokens = new TrackingTokens(services.purposeKey(TRACKING_PURPOSE));

  return [recordOpenRoute(services, parts, tokens), recordClickRoute(services, parts, tokens)];
}

const recordOpenRoute = (services: Services, parts: TrackingRouteParts, tokens: TrackingTokens) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/public/o/:token',
    operationId: 'recordOpen',
    summary: 'Record that an email was opened',
    description:
      'The open pixel of HTML emails by SMTP (HELIOGRAPH_SMTP_TRACKING). Opens of a message within an hour are recorded once. Those of programs have the code `machine_open` and count as machine opens. Links of test messages record nothing.',
    streams: ['image/gif'],
    responses: { 200: { description: 'A transparent picture of one pixel.' } },
    errors: ['not_found'],
    async handle(request) {
      const tracked = tokens.open('opened', request.params.token);
      // The response does not repeat the token.
      if (!tracked) throw notFound('link', '');
      await recordIfPossible(services, parts, tracked, request);
      return { status: 200, headers: { ...HEADERS, 'Content-Type': 'image/gif', 'Cache-Control': 'no-store' }, body: PIXEL };
    },
  });

const recordClickRoute = (services: Services, parts: TrackingRouteParts, tokens: TrackingTokens) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/public/c/:token',
    operationId: 'recordClick',
    summary: 'Record a click and go to its address',
    description:
      'The links of HTML emails by SMTP (HELIOGRAPH_SMTP_TRACKING). The address is signed: a link leads only where the email led. Clicks on a link within an hour are recorded once; those of programs, such as scanners of mail, have the code `machine_click` and count as machine clicks. Links of test messages record nothing.',
    responses: { 302: { description: 'The address is in `Location`.' } },
    errors: ['not_found'],
    async handle(request) {
      const tracked = tokens.open('clicked', request.params.token);
      if (!tracked) throw notFound('link', '');
      await recordIfPossible(services, parts, tracked, request);
      return { status: 302, headers: { ...HEADERS, Location: tracked.url } };
    },
  });

type EngagedRequest = Pick<Request, 'headers' | 'isHead' | 'execute'>;

/** Test messages and those of erased people change nothing. A HEAD is a program's: browsers follow links, and load pictures, by GET. */
const recordEngagement = async (
  { log, clock }: Services,
  { carrier }: TrackingRouteParts,
  tracked: TrackingClaims,
  { headers, isHead, execute }: EngagedRequest,
): Promise<void> => {
  const machine = isHead || isMachine(headers);
  const owner = await loadMessageOwner(log, tracked.message_id);
  if (owner === null || owner.test || owner.to === null) return;
  const { kind } = tracked;
  const now = clock.now();
  const url = tracked.kind === 'clicked' ? tracked.url : null;
  const reported: ReportedReceipt = {
    id: owner.id,
    receipt: {
      ...{
        kind,
        carrier,
        carrier_message_id: owner.id,
        raw_status: kind,
        code: machine ? MACHINE_CODES[kind] : null,
        at: new Date(now).toISOString(),
      },
      raw: JSON.stringify({ user_agent: String(headers['user-agent'] ?? '').slice(0, MAX_AGENT) }),
      ...(url !== null && { url }),
    },
    dedupe: JSON.stringify([Math.floor(now / SAME_MS), machine, url]),
  };
  await execute(recordReceipt, reported, owner.account);
};

/** A reader sees the picture and gets to the address even where nothing can be recorded. */
const recordIfPossible = (services: Services, parts: TrackingRouteParts, tracked: TrackingClaims, request: EngagedRequest): Promise<void> =>
  recordEngagement(services, parts, tracked, request).catch(() => undefined);
