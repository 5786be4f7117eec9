import { createSegment } from '../../commands/segments/create-segment.js';
import { deleteSegment } from '../../commands/segments/delete-segment.js';
import { updateSegment } from '../../commands/segments/update-segment.js';
import { record, text } from '../../domain/kernel/schema.js';
import { describeRule, type RuleNames } from '../../domain/segments/describe.js';
import { readNow } from '../../domain/segments/earlier-reading.js';
import type { SegmentDetails } from '../../domain/segments/segment.js';
import { loadRuleNames } from '../../log/aggregates/segments/load-names.js';
import { loadSegment } from '../../log/aggregates/segments/load-segment.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { segmentDefinitions } from '../../projections/segments/definitions.js';
import { type SegmentMemberQueries, type SegmentState, segmentMemberQueries } from '../../projections/segments/member-queries.js';
import { segmentMembers } from '../../projections/segments/members.js';
import type { SegmentQueries } from '../../projections/segments/queries.js';
import { type Cursors, countedQuery, pageOf, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { etag, ifMatch } from '../http/versions.js';
import { createSegmentRequest, ruleNote, segmentResource, updateSegmentRequest } from './schemas.js';

export const segmentRouteDefaults = { tag: 'segments', limit: 'general' } as const;
export const segmentParams = record({ id: text });

/** The definitions of segments. A single one is read from the log. */
export function segmentResourceRoutes(services: Services, queries: SegmentQueries, cursors: Cursors): AnyRoute[] {
  const live = segmentMemberQueries(services);

  return [
    listSegmentsRoute(services, queries, cursors, live),
    getSegmentRoute(services, live),
    createSegmentRoute(services, live),
    updateSegmentRoute(services, live),
    deleteSegmentRoute,
  ];
}

const listSegmentsRoute = ({ log }: Services, queries: SegmentQueries, cursors: Cursors, live: SegmentMemberQueries) =>
  route({
    ...segmentRouteDefaults,
    method: 'GET',
    path: '/v1/segments',
    operationId: 'listSegments',
    summary: 'List the segments',
    access: 'read',
    query: record({ ...timedPagingQuery(), ...countedQuery }),
    responses: { 200: { description: 'Newest first.', schema: pageOf(segmentResource) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      const { account } = request.caller;
      for (const projection of [segmentDefinitions, segmentMembers]) await request.consistent(projection.name);
      const { range, pageOfItems, total } = cursors.read(request, 'segments');
      const found = await queries.segments(account, range);
      const names = await loadRuleNames(
        log,
        account,
        found.map(({ item }) => item.rules),
      );
      const states = await live.states(found.map(({ item }) => item.id));
      const stateOf = new Map(found.map(({ item }, i) => [item.id, states[i] ?? null]));
      const page = pageOfItems(found, (item) => shownWith(item, names, stateOf.get(item.id) ?? null));
      return { status: 200, body: { ...page, ...(await total((counted) => queries.count(account, counted))) } };
    },
  });

const getSegmentRoute = ({ log }: Services, live: SegmentMemberQueries) =>
  route({
    ...segmentRouteDefaults,
    method: 'GET',
    path: '/v1/segments/:id',
    operationId: 'getSegment',
    summary: 'Read a segment',
    access: 'read',
    params: segmentParams,
    responses: { 200: { description: 'The segment.', schema: segmentResource } },
    errors: ['not_found'],
    async handle({ caller: { account }, params: { id }, consistent }) {
      await consistent(segmentMembers.name);
      const segment = await loadSegment(log, account, id);
      return { status: 200, body: await shown(log, live, account, segment), headers: etag(segment.version) };
    },
  });

const createSegmentRoute = ({ log }: Services, live: SegmentMemberQueries) =>
  route({
    ...segmentRouteDefaults,
    method: 'POST',
    path: '/v1/segments',
    operationId: 'createSegment',
    summary: 'Create a segment',
    description: `A segment is everyone for whom its rules hold. ${ruleNote}`,
    access: 'write',
    body: createSegmentRequest,
    responses: { 201: { description: 'The segment.', schema: segmentResource } },
    errors: ['conflict', 'unavailable'],
    async handle({ caller: { account }, body, execute }) {
      const { output } = await execute(createSegment, body as never);
      return { status: 201, body: await shown(log, live, account, output), headers: etag(output.version) };
    },
  });

const updateSegmentRoute = ({ log }: Services, live: SegmentMemberQueries) =>
  route({
    ...segmentRouteDefaults,
    method: 'PATCH',
    path: '/v1/segments/:id',
    operationId: 'updateSegment',
    summary: 'Update a segment',
    description:
      'Another rule is a new `rules_version`; the ones before stay in the history. A segment cannot refer to itself, directly or through others.',
    access: 'write',
    params: segmentParams,
    body: updateSegmentRequest,
    responses: { 200: { description: 'The segment after the change.', schema: segmentResource } },
    errors: ['not_found', 'version_conflict', 'conflict', 'unavailable'],
    async handle({ caller: { account }, params: { id }, body, headers, execute, consistent }) {
      const { output } = await execute(updateSegment, { segment_id: id, change: body as never, expected: ifMatch(headers) });
      await consistent(segmentMembers.name);
      return { status: 200, body: await shown(log, live, account, output), headers: etag(output.version) };
    },
  });

const deleteSegmentRoute = route({
  ...segmentRouteDefaults,
  method: 'DELETE',
  path: '/v1/segments/:id',
  operationId: 'deleteSegment',
  summary: 'Delete a segment',
  description: 'Refused with `in_use` while something refers to the segment; `used_by` says what. Repeating it is not an error.',
  access: 'write',
  params: segmentParams,
  responses: { 204: { description: 'The segment is deleted.' } },
  errors: ['not_found', 'in_use', 'conflict', 'unavailable'],
  async handle({ params: { id }, execute }) {
    await execute(deleteSegment, { segment_id: id });
    return { status: 204 };
  },
});

const shownWith = (segment: SegmentDetails, names: RuleNames, state: SegmentState | null) => {
  const { id, name, rules, version, rules_version, created_at, updated_at } = segment;
  const { status, count, progress } = state ?? { status: 'building', count: 0, progress: { step: 'waiting', read: 0 } as const };
  const shownRules = { description: describeRule(rules, names), rules: { ...readNow(rules) } };
  return { id, name, ...shownRules, version, rules_version, status, progress, count, created_at, updated_at };
};

const shown = async (log: EventLog, live: SegmentMemberQueries, account: string, segment: SegmentDetails) => {
  const names = await loadRuleNames(log, account, [segment.rules]);
  return shownWith(segment, names, await live.state(segment.id));
};
