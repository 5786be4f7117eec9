import type { InboxChanges } from '../../projections/inbox/changes.js';
import { LiveInboxes } from '../../queries/inbox/live.js';
import { anyOrigin } from '../kernel/cors.js';
import type { AnyRoute } from '../kernel/route.js';
import type { Services } from '../kernel/services.js';
import { InboxAccess } from './access.js';
import { inboxMessageRoutes } from './messages.js';
import { inboxStreamRoute } from './stream.js';
import { inboxTokenRoute } from './tokens.js';

/** A page of any origin may use the token that its server has given it: no cookie gives access. */
const cors = { ...anyOrigin, headers: ['Authorization', 'Idempotency-Key', 'Last-Event-ID'] };

export function inboxRoutes(services: Services, changes: InboxChanges): AnyRoute[] {
  const access = new InboxAccess(services);
  const live = new LiveInboxes({ ...services, changes });
  return [inboxTokenRoute(services, access), ...inboxMessageRoutes(services, access, cors), inboxStreamRoute(live, access, cors)];
}
