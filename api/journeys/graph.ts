import { named, oneOf, optional, record } from '../../domain/kernel/schema.js';
import { drawnGraph, type GraphCounts } from '../../formats/journeys/drawn-graph.js';
import { graphPicture } from '../../formats/journeys/graph-picture.js';
import { loadJourney, loadJourneyVersion } from '../../log/aggregates/journeys/load-journey.js';
import { loadJourneyNames } from '../../log/aggregates/journeys/load-names.js';
import { type EnrollmentQueries, enrollmentQueries } from '../../projections/journeys/enrollment-queries.js';
import { enrollments, type JourneyStatsDoc } from '../../projections/journeys/enrollments.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { journeyParams, journeyRouteDefaults } from './journeys.js';
import { mermaidText } from './mermaid.js';
import { numberOrName, versionName } from './versions.js';

const formats = { svg: 'image/svg+xml; charset=utf-8', mermaid: 'text/plain; charset=utf-8' } as const;
const formatSchema = named('JourneyGraphFormat', oneOf('svg', 'mermaid'));

/** The picture has no script; browsers that open it by itself load nothing from elsewhere. */
const HEADERS = { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'", 'Cache-Control': 'no-store' };

/** Enrollments begin with the node after the trigger: whoever started has come through it. */
function countsOf(stats: JourneyStatsDoc | undefined, start: string): GraphCounts | null {
  if (!stats) return null;
  const { nodes, edges, started, active, goals, exited } = stats;
  const totals = { started, active, goals, exited };
  return { nodes: { ...nodes, [start]: { entered: started, waiting: 0 } }, edges: { ...edges, [`${start}/next`]: started }, totals };
}

/** The picture of a journey. */
export const graphRoutes = (services: Services): AnyRoute[] => [drawJourneyRoute(services, enrollmentQueries(services))];

const drawJourneyRoute = ({ log }: Services, queries: EnrollmentQueries) =>
  route({
    ...journeyRouteDefaults,
    method: 'GET',
    path: '/v1/journeys/:id/graph.svg',
    operationId: 'drawJourney',
    summary: 'Draw a journey',
    description:
      'A picture of the nodes and the ways between them, with the numbers of contacts once there are some; light or dark as its reader prefers. `format=mermaid` is the same as text for Mermaid.',
    access: 'read',
    params: journeyParams,
    query: record({
      format: optional(formatSchema),
      version: optional(versionName('The number of a version, `draft` or `published`. Default: what is published, or else the draft.')),
    }),
    streams: ['image/svg+xml', 'text/plain'],
    responses: { 200: { description: 'The picture.' } },
    errors: ['not_found'],
    async handle({ caller: { account }, params: { id }, query: { format = 'svg', version }, consistent }) {
      const journey = await loadJourney(log, account, id);
      const { definition } = await loadJourneyVersion(log, journey, numberOrName(version ?? (journey.published ? 'published' : 'draft')));
      await consistent(enrollments.name);
      const drawn = drawnGraph(definition, await loadJourneyNames(log, account, definition), countsOf(await queries.stats(id), definition.start));
      const body = Buffer.from(format === 'svg' ? graphPicture(drawn) : mermaidText(drawn));
      return { status: 200, headers: { ...HEADERS, 'Content-Type': formats[format] }, body };
    },
  });
