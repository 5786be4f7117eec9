import Type from 'typebox';
import { contactResource, toContactResource } from '../../domain/contacts/resource.js';
import { flag, list, named, nullable, optional, record, text, time } from '../../domain/kernel/schema.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { loadSegment } from '../../log/aggregates/segments/load-segment.js';
import { contacts } from '../../projections/contacts/projection.js';
import type { ListedContact } from '../../projections/contacts/queries.js';
import { readContact } from '../../projections/contacts/read-contact.js';
import { type DomainSuppressions, loadRelations } from '../../projections/contacts/relations.js';
import { customEvents } from '../../projections/events/projection.js';
import { messages } from '../../projections/messages/projection.js';
import { membersOfSegment } from '../../projections/segments/listed-members.js';
import { segmentMembers } from '../../projections/segments/members.js';
import { segmentMembersAt } from '../../projections/segments/members-at.js';
import { normalizeTime } from '../consent/schemas.js';
import { type Cursors, timedPagingQuery } from '../http/paging.js';
import { isCreatedWithin } from '../http/query-parameters.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { segmentParams, segmentRouteDefaults } from './segments.js';

const contactPage = named(
  'SegmentContactPage',
  record({
    data: list(contactResource),
    next_cursor: nullable(text),
    has_more: flag,
    as_of: nullable(time),
    version: nullable(Type.Integer({ minimum: 1, description: 'The `rules_version` by which they are members; null if there was no such segment.' })),
  }),
);

/** Who is in a segment, and who was. `budgetMs`: how long a page looks for members. */
export function segmentContactsRoute({ log, views, clock }: Pick<Services, 'log' | 'views' | 'clock'>, cursors: Cursors, budgetMs: number): AnyRoute {
  return route({
    ...segmentRouteDefaults,
    method: 'GET',
    path: '/v1/segments/:id/contacts',
    operationId: 'listSegmentContacts',
    summary: 'List the contacts of a segment',
    description:
      'Who is in the segment now, the newest contacts first. With `as_of`, who was in it by what the service knew then, each contact as it was, in the order of their ids; contacts that are erased since are left out. Of a large account, a page may have fewer contacts than `limit`, and `has_more`.',
    access: 'read',
    params: segmentParams,
    query: record({ ...timedPagingQuery('`created_at`'), as_of: optional(Type.String({ format: 'date-time' })) }),
    responses: { 200: { description: 'A page of contacts.', schema: contactPage } },
    errors: ['not_found', 'invalid_cursor'],
    async handle(request) {
      const { account } = request.caller;
      const until = normalizeTime('as_of', request.query.as_of);
      if (until === undefined) await loadSegment(log, account, request.params.id);
      for (const projection of [contacts, customEvents, messages, segmentMembers]) await request.consistent(projection.name);
      return { status: 200, body: until === undefined ? await now(request, account) : await then(request, account, until) };
    },
  });

  type Request = Parameters<Cursors['read']>[0] & { readonly params: { readonly id: string } };

  async function now(request: Request, account: string) {
    const segment = await loadSegment(log, account, request.params.id);
    const paging = cursors.read(request, 'segment-contacts');
    const fields = await loadCustomFields(log, account);
    const filter = { account, keys: [], fields: [], ...paging.range };
    const { found, searchedTo, version } = await membersOfSegment({ log, views, clock }, segment, filter, budgetMs);
    const domains: DomainSuppressions = new Map();
    const shown = async ({ unified, facts, version: of }: ListedContact) => {
      const relations = await loadRelations(log, { ...unified, account, facts }, { domains });
      return toContactResource({ members: unified.members, facts, relations, fields, version: of });
    };
    const page = await paging.pageOfLoaded(
      found,
      ({ cursor }) => [cursor],
      (rows) => Promise.all(rows.map(({ item }) => shown(item))),
      searchedTo === null ? null : [searchedTo],
    );
    return { ...page, as_of: null, version };
  }

  async function then(request: Request, account: string, until: string) {
    const paging = cursors.read(request, 'segment-contacts-then', { sortedByTime: false });
    const { after, limit } = paging.range;
    const asked = { account, segment_id: request.params.id, until, after, limit, budgetMs };
    const { found, searchedTo, version } = await segmentMembersAt({ log, views, clock }, asked);
    const page = await paging.pageOfLoaded(
      found.filter(({ item }) => isCreatedWithin(request.query, item.root.created_at)),
      ({ cursor }) => [cursor],
      (rows) => Promise.all(rows.map(async ({ item }) => (await readContact(log, account, item.root.id, until)).resource)),
      searchedTo === null ? null : [searchedTo],
    );
    return { ...page, as_of: until, version };
  }
}
