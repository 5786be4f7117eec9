import Type from 'typebox';
import { unreadableValuesOf } from '../../commands/segments/field-values.js';
import { requireRule } from '../../commands/segments/rule-input.js';
import { optional, record } from '../../domain/kernel/schema.js';
import { describeRule } from '../../domain/segments/describe.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadRuleNames } from '../../log/aggregates/segments/load-names.js';
import { loadSegment } from '../../log/aggregates/segments/load-segment.js';
import { hashId } from '../../log/runtime/ids.js';
import { contacts } from '../../projections/contacts/projection.js';
import { customEvents } from '../../projections/events/projection.js';
import { messages } from '../../projections/messages/projection.js';
import { explainMembership } from '../../projections/segments/explain.js';
import { unrecordedIn } from '../../projections/segments/known-names.js';
import { segmentMemberQueries } from '../../projections/segments/member-queries.js';
import { previewRule } from '../../projections/segments/preview.js';
import { normalizeTime } from '../consent/schemas.js';
import { mergedIntoHeader } from '../contacts/contacts.js';
import type { Cursors } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { segmentContactsRoute } from './contacts.js';
import { ruleWarnings } from './rule-warnings.js';
import { previewRequest, previewResult, ruleNote, segmentExplanationResource, segmentHistory } from './schemas.js';
import { segmentParams, segmentRouteDefaults } from './segments.js';

/** Time for a preview, and contacts that it shows. */
const PREVIEW = { budgetMs: 3_000, sample: 10 } as const;

/** Who would be in a segment, and why somebody is or was in one. */
export function segmentInsightRoutes(services: Services, cursors: Cursors): AnyRoute[] {
  return [
    previewSegmentRoute(services),
    explainSegmentMembershipRoute(services),
    segmentContactsRoute(services, cursors, PREVIEW.budgetMs),
    getSegmentHistoryRoute(services),
  ];
}

const previewSegmentRoute = ({ log, views, clock }: Services) =>
  route({
    ...segmentRouteDefaults,
    method: 'POST',
    path: '/v1/segments/preview',
    operationId: 'previewSegment',
    summary: 'Preview the rules of a segment',
    description: `Who the rules hold for now. Nothing is stored. ${ruleNote}`,
    access: 'either',
    body: previewRequest,
    responses: { 200: { description: 'The number of contacts and some of them.', schema: previewResult } },
    async handle({ caller: { account }, body: { rules: given }, consistent }) {
      for (const projection of [contacts, customEvents, messages]) await consistent(projection.name);
      const rule = await requireRule({ log, account }, given);
      const found = await previewRule({ log, views, clock }, account, rule, PREVIEW);
      const description = describeRule(rule, await loadRuleNames(log, account, [rule]));
      const warnings = ruleWarnings(unreadableValuesOf(rule), await unrecordedIn({ log, views }, account, rule));
      return { status: 200, body: { ...found, description, warnings, sample: [...found.sample] } };
    },
  });

const explainSegmentMembershipRoute = ({ log, views, clock }: Services) =>
  route({
    ...segmentRouteDefaults,
    method: 'GET',
    path: '/v1/segments/:id/explain',
    operationId: 'explainSegmentMembership',
    summary: 'Explain a membership',
    description:
      'Why a contact is in the segment or not: the tree of rules, each with its result, and the events that made each leaf so, read from the log. With `as_of`, what the service knew then: the rules in force at that time, over what was recorded by then.',
    access: 'read',
    params: segmentParams,
    query: record({
      contact_id: Type.String({ minLength: 1, description: 'The id of a merged contact asks about the contact that it is merged into.' }),
      as_of: optional(Type.String({ format: 'date-time' })),
    }),
    responses: { 200: { description: 'The explanation.', schema: segmentExplanationResource } },
    errors: ['not_found', 'contact_erased'],
    async handle({ caller: { account }, params: { id }, query, consistent }) {
      for (const projection of [customEvents, messages]) await consistent(projection.name);
      const until = normalizeTime('as_of', query.as_of);
      const asked = { account, segment_id: id, contact_id: query.contact_id, until, now: clock.now() };
      const { merged_into, ...explanation } = await explainMembership(log, views, asked);
      return { status: 200, body: { ...explanation, as_of: until ?? null } as never, ...mergedIntoHeader(merged_into) };
    },
  });

const getSegmentHistoryRoute = ({ log, views }: Services) =>
  route({
    ...segmentRouteDefaults,
    method: 'GET',
    path: '/v1/segments/:id/history',
    operationId: 'getSegmentHistory',
    summary: 'Read when a contact was in a segment',
    description:
      'When the contact entered the segment and left it, and why, the earliest first. Those of contacts that are merged into it are included.',
    access: 'read',
    params: segmentParams,
    query: record({ contact_id: Type.String({ minLength: 1 }) }),
    responses: { 200: { description: 'The changes.', schema: segmentHistory } },
    errors: ['not_found', 'contact_erased'],
    async handle({ caller: { account }, params: { id }, query: { contact_id } }) {
      await loadSegment(log, account, id, { includeDeleted: true });
      const { root, unified } = await findContact(log, account, contact_id);
      const queries = segmentMemberQueries({ log, views });
      const changes = await Promise.all(
        unified.members.map(async (member) => (await queries.history(id, member.id)).map((change) => ({ member, change }))),
      );
      const data = changes.flat().map(({ member, change: { change, cause, at, rules_version, event_id } }) => ({
        ...{ contact_id: member.id, change, cause, at, version: rules_version, event_id: event_id && hashId('evt', event_id) },
      }));
      return { status: 200, body: { segment_id: id, contact_id: root.id, data: data.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)) } };
    },
  });
