import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { DomainError } from '../../domain/kernel/errors.js';
import type { InboundRoute, InboundRouteRequest } from '../http/inbound-route.js';
import type { UnversionedPage } from '../http/server/server-options.js';
import type { Services } from '../http/services.js';
import { javascript } from '../pages/javascript.js';
import { DEMO_INBOX_PATH, DEMO_SCRIPT_PATH, demoInboxPage } from './demo-page.js';
import { DEMO_SCRIPT } from './demo-script.js';
import { INBOX_TOKEN_PURPOSE, InboxTokens } from './signed-token.js';

/** The contact whose inbox the page shows. Nothing else is ever recorded about it. */
const READER = { email: 'reader+inbox-demo@sandbox.test', first_name: 'Demo' };
const TOKEN_TTL_SECONDS = 900;
/** Messages that the page sends while the process runs: whoever reaches it fills neither the inbox nor the log. */
const MAX_MESSAGES = 300;
const MESSAGE_TTL_SECONDS = 86_400;

const samples = [
  { title: 'Your order is on its way', message: 'Order 1042 has left our warehouse and arrives tomorrow.', action_url: '/docs/guides/first-message' },
  { title: 'Welcome', message: 'This is your inbox. Messages stay here until you archive them.' },
  { title: 'Your invoice is ready', message: 'The invoice of this month can be downloaded.', action_url: '/docs/guides/inbox' },
  { title: 'New sign-in', message: 'Somebody signed in to your account from a new browser. Was it you?' },
] as const;

type DemoServices = Pick<Services, 'clock' | 'purposeKey' | 'publicUrl'>;

/**
 * `GET /demo/inbox`: a page with the inbox of a made-up contact of the demo account. It needs no credential, so it opens nothing else: its
 * tokens are for this contact alone, and what it sends are a few texts of its own.
 */
export function demoInbox(account: string, services: DemoServices): { readonly pages: UnversionedPage[]; readonly inboundRoutes: InboundRoute[] } {
  const tokens = new InboxTokens(services.purposeKey(INBOX_TOKEN_PURPOSE));
  let sent = 0;

  const reader = async ({ execute }: InboundRouteRequest): Promise<string> =>
    (await execute(upsertContact, { contact: READER, source: 'api' }, account)).output.contact_id;

  const token = async (request: InboundRouteRequest) => {
    const contact_id = await reader(request);
    const expires = Math.floor(services.clock.now() / 1_000) + TOKEN_TTL_SECONDS;
    return { status: 201, body: { token: tokens.sign({ account, contact_id, expires }), contact_id } };
  };

  const message = async (request: InboundRouteRequest) => {
    if (sent >= MAX_MESSAGES) throw new DomainError('conflict', `This demo has sent all of its ${MAX_MESSAGES} messages.`);
    const sample = samples[sent++ % samples.length] as (typeof samples)[number];
    const to = await reader(request);
    const { output } = await request.execute(sendMessage, { to, channel: 'in_app', ttl_seconds: MESSAGE_TTL_SECONDS, ...sample }, account);
    return { status: 202, body: { id: output.id } };
  };

  const pages: UnversionedPage[] = [
    { path: DEMO_INBOX_PATH, read: () => demoInboxPage(services.publicUrl) },
    { path: DEMO_SCRIPT_PATH, read: () => javascript(DEMO_SCRIPT) },
  ];
  const inboundRoute = (what: string, handle: InboundRoute['handle']): InboundRoute => ({
    methods: ['POST'],
    path: `${DEMO_INBOX_PATH}/${what}`,
    bodyLimit: 0,
    admit,
    handle,
  });
  return { pages, inboundRoutes: [inboundRoute('tokens', token), inboundRoute('messages', message)] };
}

/** Pages of other sites may not use it: browsers name the site that a request is from. */
const admit: InboundRoute['admit'] = async ({ headers }) => {
  const from = headers['sec-fetch-site'];
  if (from !== undefined && from !== 'same-origin') throw new DomainError('forbidden', 'This is for the page of the demo alone.');
};
