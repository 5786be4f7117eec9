import type { CustomFields } from '../../domain/contacts/custom-field.js';
import { contactResource, toContactResource } from '../../domain/contacts/resource.js';
import { DomainError, type FieldProblem, isDomainError } from '../../domain/kernel/errors.js';
import { mapOf, optional, record, type Static, textOf } from '../../domain/kernel/schema.js';
import { normalizeEmail, normalizePhone } from '../../formats/contacts/addresses.js';
import { hasKey, keyText, valueFromText } from '../../formats/contacts/custom-field-values.js';
import { loadCustomFields } from '../../log/contacts/load-custom-fields.js';
import { loadList } from '../../log/lists/load-list.js';
import { contacts } from '../../projections/contacts/projection.js';
import { type ContactFilter, contactQueries, type ListedContact } from '../../projections/contacts/queries.js';
import { loadRelations } from '../../queries/contacts/relations.js';
import { Cursors, pageOf, timedPagingQuery } from '../kernel/paging.js';
import { addressFilter, textFilter } from '../kernel/query-parameters.js';
import { type AnyRoute, type HttpResponse, type Request, route } from '../kernel/route.js';
import type { Services } from '../kernel/services.js';
import { common } from './contacts.js';

const listQuery = record({
  email: addressFilter('The contact with this address, in any spelling.'),
  phone: addressFilter('The contact with this number, with country prefix.'),
  custom_field: optional(mapOf(textOf({ maxLength: 256 }))),
  tag: textFilter('Contacts with this tag.'),
  list_id: textFilter('Contacts with the status `subscribed` on this list.'),
  ...timedPagingQuery(),
});
type ListRequest = Request<unknown, Static<typeof listQuery>>;
type AddressFilter = Pick<ContactFilter, 'keys' | 'fields'>;

/** Lists of contacts with filters. */
export function contactListRoutes({ log, views, addresses, purposeKey }: Services): AnyRoute[] {
  const queries = contactQueries({ log, views });
  const cursors = new Cursors(purposeKey('cursor'));

  async function list(request: ListRequest): Promise<HttpResponse> {
    const { caller, query } = request;
    const paging = cursors.read(request, 'contacts');
    const fields = await loadCustomFields(log, caller.account);
    const narrowed = readFilter(query, fields, (text) => addresses.key(caller.account, text));
    await request.consistent(contacts.name);
    const isUnknownList = query.list_id !== undefined && !(await isList(caller.account, query.list_id));
    const found = isUnknownList
      ? []
      : await queries.page({
          account: caller.account,
          ...narrowed,
          tag: query.tag,
          list_id: query.list_id,
          ...paging.range,
        });
    const body = await paging.pageOfLoaded(
      found,
      ({ cursor }) => [cursor],
      (rows) => Promise.all(rows.map(({ item }) => shown(item, fields))),
    );
    return { status: 200, body };
  }

  /** A deleted list has no members. */
  async function isList(account: string, id: string): Promise<boolean> {
    try {
      await loadList(log, account, id);
      return true;
    } catch (e) {
      if (isDomainError(e)) return false;
      throw e;
    }
  }

  async function shown({ united, facts, version }: ListedContact, fields: CustomFields) {
    return toContactResource({ members: united.members, facts, relations: await loadRelations(log, united), fields, version });
  }

  return [
    route({
      ...common,
      method: 'GET',
      path: '/v1/contacts',
      operationId: 'listContacts',
      summary: 'List contacts',
      description:
        'Newest first. Filters are combined. `custom_field[plan]=pro` filters by the exact value of a custom field, up to 256 characters, or by one element of a list; fields of type `json` cannot be filtered by.',
      access: 'read',
      query: listQuery,
      responses: {
        200: {
          description: 'A page of contacts.',
          schema: pageOf(contactResource),
        },
      },
      handle: list,
    }),
  ];
}

/** The key of a filter by address or value. Throws `invalid_parameter` with all invalid filters. */
function readFilter({ email, phone, custom_field = {} }: ListRequest['query'], fields: CustomFields, hmac: (text: string) => string): AddressFilter {
  const keys: string[] = [];
  const plain: (readonly [string, string])[] = [];
  const problems: FieldProblem[] = [];
  if (email !== undefined) keys.push(hmac(normalizeEmail(email) ?? email));
  if (phone !== undefined) keys.push(hmac(normalizePhone(phone) ?? phone));
  for (const [key, text] of Object.entries(custom_field)) {
    const field = fields.get(key);
    const value = field && field.type !== 'json' ? valueFromText(text, field) : undefined;
    if (!field || value === undefined) problems.push(customFieldProblem(key, field !== undefined));
    else if (hasKey(field)) keys.push(hmac(keyText(key, value)));
    else if (field.pii) problems.push(customFieldProblem(key, true));
    else plain.push([key, String(value)]);
  }
  if (problems.length > 0) throw new DomainError('invalid_parameter', 'Some contacts cannot be filtered by this.', { errors: problems });
  return { keys, fields: plain };
}

const customFieldProblem = (key: string, known: boolean): FieldProblem => ({
  field: `custom_field[${key}]`,
  ...(known
    ? { code: 'invalid_type', message: 'This is not a value of this field, or contacts cannot be filtered by it.' }
    : { code: 'unknown_field', message: `There is no custom field '${key}'.` }),
});
