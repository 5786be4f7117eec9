import Type from 'typebox';
import { addToList } from '../../commands/lists/add-to-list.js';
import { leaveList } from '../../commands/lists/leave-list.js';
import { resendConfirmation } from '../../commands/lists/resend-confirmation.js';
import { resubscribe } from '../../commands/lists/resubscribe.js';
import { invalid, isDomainError } from '../../domain/kernel/errors.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { annotate, named, oneOf, optional, record, type Static, text } from '../../domain/kernel/schema.js';
import { type MembershipStatus, membershipStatusSchema } from '../../domain/lists/membership.js';
import { findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { loadMemberAt } from '../../projections/lists/member-at.js';
import { lists } from '../../projections/lists/projection.js';
import type { ListQueries } from '../../projections/lists/queries.js';
import type { PageRange, WithCursor } from '../../projections/runtime/paging.js';
import { confirmedProblems, proofOf } from '../consent/confirmed.js';
import { normalizeTime } from '../consent/schemas.js';
import { listedProblems } from '../http/items.js';
import { type Cursors, pageOf, timedPagingQuery } from '../http/paging.js';
import { isCreatedWithin } from '../http/query-parameters.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import {
  addMembersRequest,
  addMembersResult,
  type memberContact,
  memberResource,
  resentConfirmation,
  resubscribeRequest,
  resubscribeResult,
} from './schemas.js';

const common = { tag: 'lists', limit: 'general' } as const;
const params = record({ id: text });

interface Member {
  readonly contact_id: string;
  readonly status: MembershipStatus;
  readonly source: string;
  readonly since: string;
}

interface MemberFilter {
  readonly status?: MembershipStatus;
  readonly created_after?: string;
  readonly created_before?: string;
}

const matches = ({ status, since }: Member, filter: MemberFilter): boolean =>
  (filter.status === undefined || status === filter.status) && isCreatedWithin(filter, since);

/** Contacts per load when the members at an earlier time are read. */
const READ_BATCH_SIZE = 64;

/** The members of a list. */
export function memberRoutes(services: Services, queries: ListQueries, cursors: Cursors): AnyRoute[] {
  return [listMembersRoute(services, queries, cursors), addMembersRoute(services), removeMemberRoute, resubscribeMemberRoute, resendRoute(services)];
}

const listMembersRoute = ({ log }: Services, queries: ListQueries, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/lists/:id/contacts',
    operationId: 'listMembers',
    summary: 'List the members of a list',
    description: 'Includes pending, unsubscribed and cleaned members, each with its `status`. With `as_of`, the members at that time, from the log.',
    access: 'read',
    params,
    query: record({
      ...timedPagingQuery('`since`'),
      status: optional(membershipStatusSchema),
      as_of: optional(Type.String({ format: 'date-time' })),
      include: optional(
        annotate(named('ListMemberInclude', oneOf('contact')), {
          description: '`contact`: each member with its name and addresses, as they are now.',
        }),
      ),
    }),
    responses: {
      200: { description: 'Newest first.', schema: pageOf(memberResource) },
    },
    errors: ['not_found', 'invalid_cursor'],
    async handle(request) {
      const {
        caller,
        params: { id },
        query,
        consistent,
      } = request;
      const asOf = normalizeTime('as_of', query.as_of);
      await loadList(log, caller.account, id);
      await consistent(lists.name);
      const { range, pageOfLoaded } = cursors.read(request, 'list-contacts', { sortedByTime: asOf === undefined });
      const found = asOf === undefined ? await queries.members(id, query.status, range) : await loadMembersAt(log, queries, id, query, range, asOf);
      const shown = async ({ item: { contact_id, status, source, since } }: WithCursor<Member>) => ({
        ...{ contact_id, status, source, since },
        ...(query.include && { contact: await nameAndAddresses(log, caller.account, contact_id) }),
      });
      const body = await pageOfLoaded(
        found,
        ({ cursor }) => [cursor],
        (rows) => Promise.all(rows.map(shown)),
      );
      return { status: 200, body };
    },
  });

const addMembersRoute = (services: Services) =>
  route({
    ...common,
    method: 'POST',
    path: '/v1/lists/:id/contacts',
    operationId: 'addMembers',
    summary: 'Add contacts to a list',
    description:
      'Up to 1,000 of each kind, all of contacts that exist. On a list with double opt-in, each of them must first confirm by email, unless they have `confirmed` elsewhere, with a `proof`. A contact that unsubscribed is not added: only the contact itself can subscribe again, or the account can resubscribe it with a proof. `unchanged` has the reason where nothing changed. Entries without a contact are listed in `errors`.',
    access: 'write',
    params,
    body: addMembersRequest,
    responses: {
      200: {
        description: 'The result for each contact.',
        schema: addMembersResult,
      },
    },
    errors: ['not_found', 'conflict'],
    async handle({ params: { id }, body: { contact_ids = [], emails = [], phones = [], source = 'api', confirmed, proof }, execute }) {
      const base_url = services.publicUrl || null;
      const wrong = confirmedProblems({ confirmed, proof }, () => false);
      if (wrong.length > 0) throw invalid(wrong);
      const proven = confirmed ? proofOf(proof) : null;
      const about = { list_id: id, contact_ids, emails, phones, by: 'account' as const, source, base_url };
      const { output } = await execute(addToList, { ...about, ...(proven && { confirmed: proven }) });
      return { status: 200, body: { list_id: id, added: output.added, ...listedProblems(output.errors) } };
    },
  });

const removeMemberRoute = route({
  ...common,
  method: 'DELETE',
  path: '/v1/lists/:id/contacts/:contact_id',
  operationId: 'removeMember',
  summary: 'Remove a contact from a list',
  description:
    'It is `unsubscribed` from then on, and only the contact itself can subscribe again; `resubscribe` undoes a mistake. Repeating it is not an error.',
  access: 'write',
  params: record({ id: text, contact_id: text }),
  responses: { 204: { description: 'The contact is not a member of the list.' } },
  errors: ['not_found', 'contact_erased', 'conflict'],
  async handle({ params: { id, contact_id }, execute }) {
    await execute(leaveList, { list_id: id, contact_id, by: 'account', source: 'api' });
    return { status: 204 };
  },
});

const resubscribeMemberRoute = route({
  ...common,
  method: 'POST',
  path: '/v1/lists/:id/contacts/:contact_id/resubscribe',
  operationId: 'resubscribeMember',
  summary: 'Put a contact back on a list',
  description:
    'For a contact that was taken off the list by mistake. It is subscribed at once, also on a list with double opt-in; the reason and the proof are recorded. Consents and suppressions stay as they are.',
  access: 'write',
  params: record({ id: text, contact_id: text }),
  body: resubscribeRequest,
  responses: { 200: { description: 'The membership. `unchanged` has the reason where nothing changed.', schema: resubscribeResult } },
  errors: ['not_found', 'contact_erased', 'conflict'],
  async handle({ params: { id: list_id, contact_id }, body: { reason, proof }, execute }) {
    const { output } = await execute(resubscribe, { list_id, contact_id, reason, proof, source: 'api' });
    return { status: 200, body: { list_id, ...output } };
  },
});

const resendRoute = (services: Services) =>
  route({
    ...common,
    method: 'POST',
    path: '/v1/lists/:id/contacts/:contact_id/resend-confirmation',
    operationId: 'resendConfirmation',
    summary: 'Send the confirmation of a list again',
    description:
      'For a contact that is `pending`, whose mail is lost or whose link has expired. Once in 10 minutes (429), and three times in all (409); the first mail does not count. The links of the earlier mails work on for their 72 hours.',
    access: 'write',
    params: record({ id: text, contact_id: text }),
    responses: { 200: { description: 'The mail is on its way.', schema: resentConfirmation } },
    errors: ['not_found', 'contact_erased', 'invalid_state', 'conflict', 'recipient_not_found', 'rate_limit_exceeded'],
    async handle({ params: { id: list_id, contact_id }, execute }) {
      const { output } = await execute(resendConfirmation, { list_id, contact_id, base_url: services.publicUrl || null });
      return { status: 200, body: { list_id, ...output } };
    },
  });

/** Null for a contact that is deleted or erased. */
async function nameAndAddresses(log: EventLog, account: string, id: string): Promise<Static<typeof memberContact> | null> {
  try {
    const { unified } = await findContact(log, account, id);
    const value = (name: string): string | null => (ownField(unified.facts.values, name)?.value as string | null | undefined) ?? null;
    return { first_name: value('first_name'), last_name: value('last_name'), email: value('email'), phone: value('phone') };
  } catch (e) {
    if (isDomainError(e)) return null;
    throw e;
  }
}

/** The members at an earlier time: each contact that ever had a status on the list is read from the log. */
async function loadMembersAt(
  log: EventLog,
  queries: ListQueries,
  listId: string,
  filter: MemberFilter,
  range: PageRange,
  asOf: string,
): Promise<WithCursor<Member>[]> {
  const found: WithCursor<Member>[] = [];
  for (let { after } = range; found.length < range.limit; ) {
    const traces = await queries.traces(listId, { ...range, after, limit: READ_BATCH_SIZE });
    const members = await Promise.all(traces.map(({ item }) => loadMemberAt(log, listId, item.contact_id, asOf)));
    for (const [i, item] of members.entries()) {
      if (item && matches(item, filter)) found.push({ item, cursor: (traces[i] as WithCursor<unknown>).cursor });
    }
    if (traces.length < READ_BATCH_SIZE) break;
    after = (traces.at(-1) as WithCursor<unknown>).cursor;
  }
  return found.slice(0, range.limit);
}
