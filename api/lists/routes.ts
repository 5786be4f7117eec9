import { listQueries } from '../../projections/lists/queries.js';
import { Cursors } from '../http/paging.js';
import type { AnyRoute } from '../http/route.js';
import type { Services } from '../http/services.js';
import { confirmationRoutes } from './confirmation.js';
import { listResourceRoutes } from './lists.js';
import { memberRoutes } from './members.js';

/** Lists, their members, and the confirmation page. */
export function listRoutes(services: Services): AnyRoute[] {
  const queries = listQueries(services);
  const cursors = new Cursors(services.purposeKey('cursor'));
  return [...listResourceRoutes(services, queries, cursors), ...memberRoutes(services, queries, cursors), ...confirmationRoutes(services)];
}
