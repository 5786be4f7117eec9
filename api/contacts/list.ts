import Type from 'typebox';
import { readCustomFieldFilter } from '../../commands/contacts/contact-filter.js';
import type { CustomFields } from '../../domain/contacts/custom-field.js';
import { contactResource, toContactResource } from '../../domain/contacts/resource.js';
import { DomainError, invalid, isDomainError } from '../../domain/kernel/errors.js';
import { annotate, boundedText, mapOf, named, oneOf, optional, record, type Static } from '../../domain/kernel/schema.js';
import { normalizeEmail, normalizePhone } from '../../formats/contacts/addresses.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import { findSegment } from '../../log/aggregates/segments/load-segment.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { loadPossibleDuplicates } from '../../projections/contacts/possible-duplicates.js';
import { contacts } from '../../projections/contacts/projection.js';
import {
  type ContactFilter,
  type ContactQueries,
  contactQueries,
  type ListedContact,
  type SearchedPage,
} from '../../projections/contacts/queries.js';
import { type DomainSuppressions, loadRelations } from '../../projections/contacts/relations.js';
import { type ContactSearch, contactSearch } from '../../projections/contacts/search.js';
import { customEvents } from '../../projections/events/projection.js';
import { messages } from '../../projections/messages/projection.js';
import type { CountRange } from '../../projections/runtime/paging.js';
import { membersOfSegment } from '../../projections/segments/listed-members.js';
import { segmentMembers } from '../../projections/segments/members.js';
import { Cursors, countedQuery, pageOf, timedPagingQuery } from '../http/paging.js';
import { addressFilter, textFilter } from '../http/query-parameters.js';
import { type AnyRoute, type HttpResponse, type Request, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { contactRouteDefaults } from './contacts.js';

/** Longer texts are no search. */
const MAX_SEARCH = 200;

const listQuery = record({
  q: optional(
    Type.String({
      maxLength: MAX_SEARCH,
      description:
        'Contacts with all these words in their names, emails or phone numbers: beginnings of words, in any case and with or without accents, and digits in a row. At least one has three letters or digits, of a phone number the first or last ones, or five anywhere. A page may have fewer contacts than `limit`, and `has_more`.',
      examples: ['ada love'],
    }),
  ),
  email: addressFilter('The contact with this address, in any spelling.'),
  phone: addressFilter('The contact with this number, with country prefix.'),
  custom_field: optional(mapOf(boundedText({ maxLength: 256 }))),
  tag: textFilter('Contacts with this tag.'),
  list_id: textFilter('Contacts with the status `subscribed` on this list.'),
  segment_id: textFilter('Contacts that are in this segment now. Of a large account, a page may have fewer contacts than `limit`, and `has_more`.'),
  possible_duplicates: optional(
    annotate(named('PossibleDuplicatesFilter', oneOf('true')), {
      description:
        'Contacts that another one may be: it has the same number in its other spelling, such as `+52 1 …` for `+52 …`. Merge them, or leave them as they are. Not with `q` or `segment_id`. A page may have fewer contacts than `limit`, and `has_more`.',
    }),
  ),
  ...timedPagingQuery(),
  ...countedQuery,
});
type ListRequest = Request<unknown, Static<typeof listQuery>>;
type MembersPage = SearchedPage;
const NOBODY: MembersPage = { found: [], searchedTo: null };
/** How long a page looks for members of a segment. */
const SEARCH_MS = 3_000;
type AddressFilter = Pick<ContactFilter, 'keys' | 'fields' | 'search'>;

/** Lists of contacts with filters. */
export function contactListRoutes(services: Services): AnyRoute[] {
  const queries = contactQueries(services);
  const cursors = new Cursors(services.purposeKey('cursor'));

  return [listContactsRoute(services, queries, cursors)];
}

const listContactsRoute = (services: Services, queries: ContactQueries, cursors: Cursors) =>
  route({
    ...contactRouteDefaults,
    method: 'GET',
    path: '/v1/contacts',
    operationId: 'listContacts',
    summary: 'List contacts',
    description:
      'Newest first. Filters are combined. `q` searches names, emails and phone numbers, of which nothing readable is stored: `q=jose` finds José. `custom_field[plan]=pro` filters by the exact value of a custom field, up to 256 characters, or by one element of a list; fields of type `json` cannot be filtered by.',
    access: 'read',
    query: listQuery,
    responses: {
      200: {
        description: 'A page of contacts.',
        schema: pageOf(contactResource),
      },
    },
    errors: ['validation_error'],
    handle: (request) => listContacts(services, queries, cursors, request),
  });

async function listContacts(services: Services, queries: ContactQueries, cursors: Cursors, request: ListRequest): Promise<HttpResponse> {
  const { log, addresses } = services;
  const { caller, query } = request;
  const paging = cursors.read(request, 'contacts');
  const fields = await loadCustomFields(log, caller.account);
  const narrowed = readFilter(query, fields, (text) => addresses.key(caller.account, text));
  await request.consistent(contacts.name);
  const isUnknownList = query.list_id !== undefined && !(await isList(log, caller.account, query.list_id));
  const duplicates = asksForDuplicates(query) ? (true as const) : undefined;
  const filter = { account: caller.account, ...narrowed, tag: query.tag, list_id: query.list_id, duplicates, ...paging.range };
  const { found, searchedTo } = isUnknownList ? NOBODY : await matching(services, queries, filter, query.segment_id, request);
  const page: Page = { log, account: filter.account, fields, domains: new Map() };
  const body = await paging.pageOfLoaded(
    found,
    ({ cursor }) => [cursor],
    (rows) => Promise.all(rows.map(({ item }) => (duplicates ? shownWithDuplicates : shown)(page, item))),
    searchedTo === null ? null : [searchedTo],
  );
  const counted = async (range: CountRange) => (query.segment_id === undefined ? queries.count(filter, range) : null);
  const total = await paging.total((range) => (isUnknownList ? Promise.resolve(0) : counted(range)));
  return { status: 200, body: { ...body, ...total } };
}

/** Throws `invalid_parameter` beside filters that look for contacts in their own way. */
function asksForDuplicates({ possible_duplicates, q, segment_id }: ListRequest['query']): boolean {
  if (possible_duplicates === undefined) return false;
  if (q === undefined && segment_id === undefined) return true;
  const message = 'Ask for possible duplicates without `q` and `segment_id`.';
  throw new DomainError('invalid_parameter', message, { errors: [{ field: 'possible_duplicates', code: 'not_combinable', message }] });
}

/** A segment that does not exist has no members. */
async function matching(
  { log, views, clock }: Services,
  queries: ContactQueries,
  filter: ContactFilter,
  segmentId: string | undefined,
  { consistent }: ListRequest,
): Promise<MembersPage> {
  if (segmentId === undefined) return queries.search(filter);
  for (const projection of [customEvents, messages, segmentMembers]) await consistent(projection.name);
  const segment = await findSegment(log, filter.account, segmentId);
  return segment ? membersOfSegment({ log, views, clock }, segment, filter, SEARCH_MS) : NOBODY;
}

/** A deleted list has no members. */
async function isList(log: EventLog, account: string, id: string): Promise<boolean> {
  try {
    await loadList(log, account, id);
    return true;
  } catch (e) {
    if (isDomainError(e)) return false;
    throw e;
  }
}

/** What the contacts of a page have in common. */
interface Page {
  readonly log: EventLog;
  readonly account: string;
  readonly fields: CustomFields;
  readonly domains: DomainSuppressions;
}

async function shown({ log, account, fields, domains }: Page, { unified, facts, version }: ListedContact) {
  const relations = await loadRelations(log, { ...unified, account, facts }, { domains });
  return toContactResource({ members: unified.members, facts, relations, fields, version });
}

/** The same with its possible duplicates, from the log. */
async function shownWithDuplicates(page: Page, listed: ListedContact) {
  const { tree, members } = listed.unified;
  return { ...(await shown(page, listed)), possible_duplicates: await loadPossibleDuplicates(page.log, tree.id, members) };
}

/** The key of a filter by address or value. Throws `invalid_parameter` with all invalid filters. */
function readFilter(
  { q, email, phone, custom_field = {} }: ListRequest['query'],
  fields: CustomFields,
  hmac: (text: string) => string,
): AddressFilter {
  const addresses = [
    ...(email === undefined ? [] : [normalizeEmail(email) ?? email]),
    ...(phone === undefined ? [] : [normalizePhone(phone) ?? phone]),
  ];
  const read = readCustomFieldFilter(custom_field, fields, hmac);
  if (read.problems.length > 0) {
    const errors = read.problems.map((problem) => ({ ...problem, field: `custom_field[${problem.field}]` }));
    throw new DomainError('invalid_parameter', 'Some contacts cannot be filtered by this.', { errors });
  }
  return { keys: [...addresses.map(hmac), ...read.keys], fields: read.fields, ...(q !== undefined && { search: searchOf(q, hmac) }) };
}

/** Throws `validation_error` for a text that is too short. */
function searchOf(q: string, hmac: (text: string) => string): ContactSearch {
  const search = contactSearch(q, hmac);
  if (search) return search;
  const message = `'${q}' is too short to search for. Give at least one word with three letters or digits, such as q=ada.`;
  throw invalid([{ field: 'q', code: 'too_short', message }]);
}
