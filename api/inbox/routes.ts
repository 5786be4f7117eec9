import type { AccountSettings } from '../../domain/accounts/resources.js';
import type { InboxChanges } from '../../projections/inbox/changes.js';
import { LiveInboxes } from '../../projections/inbox/live.js';
import type { CorsPolicy } from '../http/cors.js';
import type { AnyRoute } from '../http/route.js';
import type { Services } from '../http/services.js';
import { InboxAccess } from './access.js';
import { inboxMessageRoutes } from './messages.js';
import { inboxScriptRoute } from './script.js';
import { inboxStreamRoute } from './stream.js';
import { inboxTokenRoute } from './tokens.js';

export interface InboxRouteParts {
  readonly changes: InboxChanges;
  /** The text of the browser client. */
  readonly client: () => string;
  /** The settings of an account; null where there is none. */
  readonly settings: (account: string) => AccountSettings | null | Promise<AccountSettings | null>;
}

export function inboxRoutes(services: Services, { changes, client, settings }: InboxRouteParts): AnyRoute[] {
  const access = new InboxAccess(services);
  const live = new LiveInboxes({ ...services, changes });
  const cors = originsOf(access, settings);
  return [
    inboxTokenRoute(services, access),
    ...inboxMessageRoutes(services, access, cors),
    inboxStreamRoute(live, access, cors),
    inboxScriptRoute(client),
  ];
}

/**
 * Pages of the origins that the account of the token has in its settings. A preflight has no token, so it is answered for any origin: it
 * reveals nothing and changes nothing, and the request after it is refused. No cookie gives access.
 */
const originsOf = (access: InboxAccess, settings: InboxRouteParts['settings']): CorsPolicy => ({
  headers: ['Authorization', 'Idempotency-Key', 'Last-Event-ID'],
  async allows(origin, { headers, url = '' }) {
    const account = access.accountOf({ headers, target: url });
    const allowed = account === null ? [] : ((await settings(account))?.settings.inbox_allowed_origins ?? []);
    return allowed.length === 0 || allowed.includes(origin);
  },
});
