import { Cursors } from '../http/paging.js';
import type { AnyRoute } from '../http/route.js';
import type { Services } from '../http/services.js';
import { journeyActionRoutes } from './actions.js';
import { enrollmentRoutes } from './enrollments.js';
import { graphRoutes } from './graph.js';
import { journeyTemplateRoutes } from './journey-templates.js';
import { journeyResourceRoutes } from './journeys.js';
import { simulateRoutes } from './simulate.js';
import { versionRoutes } from './versions.js';

/** Journeys, their versions, and what can be done with them. */
export function journeyRoutes(services: Services): AnyRoute[] {
  const cursors = new Cursors(services.purposeKey('cursor'));
  return [
    ...journeyResourceRoutes(services, cursors),
    ...journeyActionRoutes(services),
    ...versionRoutes(services, cursors),
    ...graphRoutes(services),
    ...journeyTemplateRoutes(),
    ...enrollmentRoutes(services, cursors),
    ...simulateRoutes,
  ];
}
