import { segmentQueries } from '../../projections/segments/queries.js';
import { Cursors } from '../http/paging.js';
import type { AnyRoute } from '../http/route.js';
import type { Services } from '../http/services.js';
import { segmentInsightRoutes } from './insights.js';
import { contactSegmentsRoute } from './of-contact.js';
import { segmentResourceRoutes } from './segments.js';

/** Segments: their rules, and who is in them and why. */
export function segmentRoutes(services: Services): AnyRoute[] {
  const queries = segmentQueries(services);
  const cursors = new Cursors(services.purposeKey('cursor'));
  return [...segmentResourceRoutes(services, queries, cursors), ...segmentInsightRoutes(services, cursors), contactSegmentsRoute(services)];
}
