import Type from 'typebox';
import { changeJourney } from '../../commands/journeys/change-journey.js';
import { changeJourneyStatus } from '../../commands/journeys/change-status.js';
import { draftJourney } from '../../commands/journeys/draft-journey.js';
import { type PlacedSource, sourcesIn } from '../../commands/templates/template-warnings.js';
import { journeyStatusSchema, type KnownJourney, latestOf } from '../../domain/journeys/journey.js';
import type { JourneyNode } from '../../domain/journeys/nodes.js';
import { optional, record } from '../../domain/kernel/schema.js';
import { loadJourney } from '../../log/aggregates/journeys/load-journey.js';
import { loadJourneyNames } from '../../log/aggregates/journeys/load-names.js';
import { type JourneyQueries, journeyQueries } from '../../projections/journeys/journey-queries.js';
import { type JourneyDoc, journeys } from '../../projections/journeys/journeys.js';
import { type Cursors, countedQuery, pageOf, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { etag, ifMatch } from '../http/versions.js';
import { withWarnings } from '../templates/warnings.js';
import { journeyBody, journeyChangeRequest, journeyCreateRequest, journeyResource, journeySummary } from './schemas.js';

export const journeyRouteDefaults = { tag: 'journeys', limit: 'general' } as const;
export const journeyParams = record({ id: Type.String({ minLength: 1, description: 'Id of the journey, jrn_….' }) });

export type JourneyShower = ReturnType<typeof journeyShower>;

/** A journey in an answer. */
export const journeyShower =
  ({ log }: Pick<Services, 'log'>) =>
  async (account: string, journey: KnownJourney) =>
    journeyBody(journey, await loadJourneyNames(log, account, latestOf(journey).definition));

/** The journeys of an account. A single one is read from the log. */
export function journeyResourceRoutes(services: Services, cursors: Cursors): AnyRoute[] {
  const queries = journeyQueries(services);
  const shown = journeyShower(services);

  return [
    listJourneysRoute(queries, cursors),
    getJourneyRoute(services, shown),
    createJourneyRoute(shown),
    updateJourneyRoute(shown),
    deleteJourneyRoute,
  ];
}

/** The texts of a node that calculate, each with its path. */
function sourcesOf(node: JourneyNode, i: number): PlacedSource[] {
  if (node.kind === 'send') return sourcesIn(node, `nodes[${i}].`);
  if (node.kind !== 'update_contact') return [];
  return Object.entries(node.set ?? {}).flatMap(([field, value]) =>
    typeof value === 'string' ? [[`nodes[${i}].set.${field}`, value] as const] : [],
  );
}

const listJourneysRoute = (queries: JourneyQueries, cursors: Cursors) =>
  route({
    ...journeyRouteDefaults,
    method: 'GET',
    path: '/v1/journeys',
    operationId: 'listJourneys',
    summary: 'List journeys',
    access: 'read',
    query: record({ status: optional(journeyStatusSchema), ...timedPagingQuery(), ...countedQuery }),
    responses: { 200: { description: 'Newest first, without their nodes.', schema: pageOf(journeySummary) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      await request.consistent(journeys.name);
      const { range, pageOfItems, total } = cursors.read(request, 'journeys');
      const { caller, query } = request;
      const found = await queries.page(caller.account, query.status, range);
      const counted = await total((all) => queries.count(caller.account, query.status, all));
      return { status: 200, body: { ...pageOfItems(found, summaryOf), ...counted } };
    },
  });

const getJourneyRoute = ({ log }: Services, shown: JourneyShower) =>
  route({
    ...journeyRouteDefaults,
    method: 'GET',
    path: '/v1/journeys/:id',
    operationId: 'getJourney',
    summary: 'Read a journey',
    description: 'With its draft, or else with the version that is published.',
    access: 'read',
    params: journeyParams,
    responses: { 200: { description: 'The journey.', schema: journeyResource } },
    errors: ['not_found'],
    async handle({ caller: { account }, params: { id } }) {
      const journey = await loadJourney(log, account, id);
      return { status: 200, body: await shown(account, journey), headers: etag(journey.version) };
    },
  });

const createJourneyRoute = (shown: JourneyShower) =>
  route({
    ...journeyRouteDefaults,
    method: 'POST',
    path: '/v1/journeys',
    operationId: 'createJourney',
    summary: 'Create a journey',
    description:
      'It is the draft of version 1; nobody enters before it is published. All problems of the definition are listed, each with its JSON pointer.',
    access: 'write',
    body: journeyCreateRequest,
    responses: { 201: { description: 'The journey.', schema: journeyResource } },
    errors: ['conflict'],
    async handle({ caller: { account }, body, execute, ruleContext }) {
      const { output } = await execute(draftJourney, body as never);
      const answer = { status: 201 as const, body: await shown(account, output), headers: etag(output.version) };
      return withWarnings(answer, answer.body.nodes, ruleContext());
    },
  });

const updateJourneyRoute = (shown: JourneyShower) =>
  route({
    ...journeyRouteDefaults,
    method: 'PATCH',
    path: '/v1/journeys/:id',
    operationId: 'updateJourney',
    summary: 'Update the draft of a journey',
    description:
      'Each field that is given replaces the whole field. What is published stays as it is: the first change after a publication begins the draft of the next version. A webhook that is given again with its URL and without `headers` keeps those that it has.',
    access: 'write',
    params: journeyParams,
    body: journeyChangeRequest,
    responses: { 200: { description: 'The journey after the change.', schema: journeyResource } },
    errors: ['not_found', 'invalid_state', 'version_conflict', 'conflict'],
    async handle({ caller: { account }, params: { id }, body, headers, execute, ruleContext }) {
      const { output } = await execute(changeJourney, { journey_id: id, change: body as never, expected: ifMatch(headers) });
      const { after, isAnew } = output;
      const answer = { status: 200 as const, body: await shown(account, after), headers: etag(after.version) };
      const calculated = isAnew ? latestOf(after).definition.nodes.flatMap(sourcesOf) : [];
      return withWarnings(answer, answer.body.nodes, ruleContext(), calculated);
    },
  });

const deleteJourneyRoute = route({
  ...journeyRouteDefaults,
  method: 'DELETE',
  path: '/v1/journeys/:id',
  operationId: 'deleteJourney',
  summary: 'Delete a journey',
  description: 'One that is live or paused must be stopped or archived first. What it has sent stays in the history.',
  access: 'write',
  params: journeyParams,
  responses: { 204: { description: 'The journey is deleted.' } },
  errors: ['not_found', 'invalid_state', 'conflict'],
  async handle({ params: { id }, execute }) {
    await execute(changeJourneyStatus, { journey_id: id, change: 'Delete' });
    return { status: 204 };
  },
});

function summaryOf({
  id,
  name,
  status,
  draft_version,
  published_version,
  published_at,
  created_at,
  updated_at,
  version,
  trigger,
  node_count,
}: JourneyDoc) {
  const versions = { draft_version, published_version, published_at };
  return { id, name, status, ...versions, created_at, updated_at, version, trigger, node_count };
}
