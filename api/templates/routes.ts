import { templateQueries } from '../../projections/templates/queries.js';
import { Cursors } from '../http/paging.js';
import type { AnyRoute } from '../http/route.js';
import type { Services } from '../http/services.js';
import { partialRoutes } from './partials.js';
import { renderRoutes } from './render.js';
import { templateResourceRoutes } from './templates.js';

/** Templates, their versions and partials, and previews. */
export function templateRoutes(services: Services): AnyRoute[] {
  const queries = templateQueries(services);
  const cursors = new Cursors(services.purposeKey('cursor'));
  // The fixed path of the variables before those with an id.
  return [...renderRoutes(services), ...templateResourceRoutes(services, queries, cursors), ...partialRoutes(services, queries, cursors)];
}
