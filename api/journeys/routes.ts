import { Cursors } from '../http/paging.js';
import type { AnyRoute } from '../http/route.js';
import type { Services } from '../http/services.js';
import { actionRoutes } from './actions.js';
import { enrollmentRoutes } from './enrollments.js';
import { graphRoutes } from './graph.js';
import { journeyResourceRoutes } from './journeys.js';
import { simulateRoutes } from './simulate.js';
import { starterRoutes } from './starters.js';
import { versionRoutes } from './versions.js';

/** Journeys, their versions, and what can be done with them. */
export function journeyRoutes(services: Services): AnyRoute[] {
  const cursors = new Cursors(services.purposeKey('cursor'));
  return [
    ...journeyResourceRoutes(services, cursors),
    ...actionRoutes(services),
    ...versionRoutes(services, cursors),
    ...graphRoutes(services),
    ...starterRoutes(),
    ...enrollmentRoutes(services, cursors),
    ...simulateRoutes,
  ];
}
