import Type from 'typebox';
import { describeNode } from '../../domain/journeys/describe.js';
import { type DefinitionDifference, differenceOf } from '../../domain/journeys/difference.js';
import type { JourneyVersion, KnownJourney } from '../../domain/journeys/journey.js';
import type { JourneyNode } from '../../domain/journeys/nodes.js';
import type { JourneyNames } from '../../domain/journeys/texts.js';
import { notFound } from '../../domain/kernel/errors.js';
import { optional, record } from '../../domain/kernel/schema.js';
import { textPattern } from '../../domain/kernel/text-patterns.js';
import { loadJourney, loadJourneyVersion } from '../../log/aggregates/journeys/load-journey.js';
import { loadJourneyNames } from '../../log/aggregates/journeys/load-names.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { type Cursors, pageOf, pagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { journeyParams, journeyRouteDefaults } from './journeys.js';
import { differenceResource, shownVersion, versionResource, versionSummary } from './schemas.js';

/** A query or path parameter that names a version. */
const version = textPattern('^([1-9][0-9]{0,8}|draft|published)$', 'Use the number of a version, draft or published.');
export const versionName = (description: string) => Type.String({ ...version, description });
const versionParams = record({
  ...journeyParams.properties,
  version: Type.String({ minLength: 1, description: 'The number of the version, `draft` or `published`.' }),
});

/** The versions of a journey, and what is different between two of them. */
export function versionRoutes(services: Services, cursors: Cursors): AnyRoute[] {
  return [listJourneyVersionsRoute(services, cursors), getJourneyVersionRoute(services), compareJourneyVersionsRoute(services)];
}

const listJourneyVersionsRoute = ({ log }: Services, cursors: Cursors) =>
  route({
    ...journeyRouteDefaults,
    method: 'GET',
    path: '/v1/journeys/:id/versions',
    operationId: 'listJourneyVersions',
    summary: 'List the versions of a journey',
    access: 'read',
    params: journeyParams,
    query: record(pagingQuery),
    responses: { 200: { description: 'Newest first, with the draft.', schema: pageOf(versionSummary) } },
    errors: ['not_found', 'invalid_cursor'],
    async handle(request) {
      const journey = await loadJourney(log, request.caller.account, request.params.id);
      const numbers = [...journey.versions.map(({ version }) => version), ...(journey.draft ? [journey.draft.version] : [])];
      const { pageOfAll } = cursors.read(request, 'journey-versions');
      const body = pageOfAll(
        numbers,
        (number) => String(number).padStart(9, '0'),
        (number) => aboutVersion(journey, number),
      );
      return { status: 200, body };
    },
  });

const getJourneyVersionRoute = ({ log }: Services) =>
  route({
    ...journeyRouteDefaults,
    method: 'GET',
    path: '/v1/journeys/:id/versions/:version',
    operationId: 'getJourneyVersion',
    summary: 'Read a version of a journey',
    access: 'read',
    params: versionParams,
    responses: { 200: { description: 'The version.', schema: versionResource } },
    errors: ['not_found'],
    async handle({ caller: { account }, params: { id, version } }) {
      const journey = await loadJourney(log, account, id);
      const found = await load(log, journey, version);
      const names = await loadJourneyNames(log, account, found.definition);
      return { status: 200, body: { ...aboutVersion(journey, found.version), ...shownVersion(found, names) } };
    },
  });

const compareJourneyVersionsRoute = ({ log }: Services) =>
  route({
    ...journeyRouteDefaults,
    method: 'GET',
    path: '/v1/journeys/:id/versions/:version/difference',
    operationId: 'compareJourneyVersions',
    summary: 'Compare two versions of a journey',
    description: 'Nodes are compared by their ids, ways by the node that they leave and their key.',
    access: 'read',
    params: versionParams,
    query: record({ from: optional(versionName('The version to compare with. Default: the one before.')) }),
    responses: { 200: { description: 'What is different.', schema: differenceResource } },
    errors: ['not_found'],
    async handle({ caller: { account }, params: { id, version }, query }) {
      const journey = await loadJourney(log, account, id);
      const after = await load(log, journey, version);
      const from = query.from ?? String(after.version - 1);
      if (from === '0') throw notFound('version', `${id}/0`);
      const before = await load(log, journey, from);
      const [old, next] = await Promise.all([before, after].map(({ definition }) => loadJourneyNames(log, account, definition)));
      const body = differenceBody(differenceOf(before.definition, after.definition), { old: old ?? {}, next: next ?? {} });
      return { status: 200, body: { from: before.version, to: after.version, ...body } };
    },
  });

const load = (log: EventLog, journey: KnownJourney, name: string): Promise<JourneyVersion> => loadJourneyVersion(log, journey, numberOrName(name));

/** The version that a valid name is of. */
export const numberOrName = (name: string): number | 'draft' | 'published' => (name === 'draft' || name === 'published' ? name : Number(name));

function aboutVersion({ draft, published, versions }: KnownJourney, version: number) {
  const found = versions.find((one) => one.version === version);
  const status = draft?.version === version ? 'draft' : published?.version === version ? 'published' : 'superseded';
  return { version, status, published_at: found?.published_at ?? null, in_flight: found?.in_flight ?? null } as const;
}

function differenceBody({ nodes, edges, settings }: DefinitionDifference, { old, next }: Readonly<Record<'old' | 'next', JourneyNames>>) {
  const shown = (names: JourneyNames) => (node: JourneyNode) => ({ id: node.id, kind: node.kind, description: describeNode(node, names) });
  const changed = nodes.changed.map(({ before, after, fields }) => ({
    ...{ id: after.id, kind: after.kind, fields: [...fields] },
    ...{ before: describeNode(before, old), after: describeNode(after, next) },
  }));
  return {
    nodes: { added: nodes.added.map(shown(next)), removed: nodes.removed.map(shown(old)), changed },
    edges: { added: [...edges.added], removed: [...edges.removed], changed: [...edges.changed] },
    settings: [...settings],
  };
}
