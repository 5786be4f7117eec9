import Type from 'typebox';
import { withRule } from '../../commands/runtime/rules.js';
import { liftSuppression } from '../../commands/suppressions/lift-suppression.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import { DomainError, invalid, notFound } from '../../domain/kernel/errors.js';
import { annotate, nullable, optional, record, type Static } from '../../domain/kernel/schema.js';
import type { SuppressionChannel, SuppressionEvent } from '../../domain/suppressions/suppression.js';
import { addressKind, parseAddress } from '../../formats/contacts/parse-address.js';
import { domainEntry, domainEntryOf, domainOfEntry } from '../../formats/suppressions/domains.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { keysOfAddress } from '../../log/vault/address-keys.js';
import { sumOfCounts } from '../../projections/runtime/paging.js';
import { suppressions } from '../../projections/suppressions/projection.js';
import { type SuppressionQueries, suppressionQueries } from '../../projections/suppressions/queries.js';
import { loadSuppressionHistory } from '../../projections/suppressions/suppression-history.js';
import { Cursors, countedQuery, oldestFirst, pageOf, timedPagingQuery } from '../http/paging.js';
import { addressFilter, addressParameter, isCreatedWithin } from '../http/query-parameters.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { suppressionChannelProblems } from './channel-problems.js';
import { importRoute } from './import.js';
import {
  channelField,
  domainField,
  emailField,
  liftResult,
  occurredAtField,
  phoneField,
  reasonField,
  scopeField,
  sourceField,
  suppressionHistoryItem,
  suppressionResource,
  suppressionResult,
  toSuppressionResource,
} from './schemas.js';

const common = { tag: 'suppressions', limit: 'general' } as const;
const path = '/v1/account/unsubscribes';
const entryParams = record({ id: Type.String({ description: 'Id of the entry.' }) });

/** The do-not-contact list. */
export function suppressionRoutes(services: Services): AnyRoute[] {
  const queries = suppressionQueries(services);
  const cursors = new Cursors(services.purposeKey('cursor'));

  return [
    importRoute,
    listSuppressionsRoute(services, queries, cursors),
    listSuppressionHistoryRoute(services, cursors),
    getSuppressionRoute(queries),
    suppressAddressRoute,
    liftSuppressionRoute(queries),
  ];
}

const listSuppressionsRoute = (services: Services, queries: SuppressionQueries, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path,
    operationId: 'listSuppressions',
    summary: 'List suppressions',
    description: 'One entry for each address and channel with at least one active reason, newest first.',
    access: 'read',
    query: record({
      ...timedPagingQuery(),
      ...countedQuery,
      channel: optional(channelField),
      reason: optional(reasonField),
      address: addressFilter('Entries of this address, in any spelling, and of its domain.'),
    }),
    responses: {
      200: {
        description: 'The entries.',
        schema: pageOf(suppressionResource),
      },
    },
    errors: ['invalid_cursor', 'invalid_parameter'],
    async handle(request) {
      const { caller, query } = request;
      const { range, pageOfItems, total } = cursors.read(request, 'unsubscribes');
      const { channel, reason, address } = query;
      await request.consistent(suppressions.name);
      const keys = address === undefined ? [undefined] : keysOf(services, caller.account, address);
      const by = { account: caller.account, ...(channel && { channel }), ...(reason && { reason }) };
      const filters = keys.map((address_key) => ({ ...by, ...(address_key !== undefined && { address_key }) }));
      const found = await Promise.all(filters.map((filter) => queries.entries({ ...filter, ...range })));
      const rows = found
        .flat()
        .sort((a, b) => (a.cursor < b.cursor === range.descending ? 1 : -1))
        .slice(0, range.limit);
      const counted = await total((all) => sumOfCounts(filters.map((filter) => queries.count(filter, all))));
      return { status: 200, body: { ...pageOfItems(rows, toSuppressionResource), ...counted } };
    },
  });

const listSuppressionHistoryRoute = (services: Services, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path: `${path}/history`,
    operationId: 'listSuppressionHistory',
    summary: 'List the history of an address',
    description: 'Suppressions and their removals with proofs, oldest first, from the log.',
    access: 'read',
    query: record({ ...timedPagingQuery('`at`'), ...oldestFirst, address: addressParameter('The address, in any spelling.') }),
    responses: { 200: { description: 'The recorded history.', schema: pageOf(suppressionHistoryItem) } },
    errors: ['invalid_parameter', 'invalid_cursor'],
    async handle(request) {
      const { caller, query } = request;
      const { pageOfAll } = cursors.read(request, 'unsubscribe-history', { sortedByTime: false });
      const keys = keysOfAddress(services.addresses, caller.account, addressOf(query.address));
      const events = (await Promise.all(keys.map((key) => loadSuppressionHistory(services.log, key)))).flat();
      const rows = events
        .flatMap((stored) => historyItem(stored).map((item) => ({ item, position: stored.position })))
        .sort((a, b) => (a.position < b.position ? -1 : 1));
      const shown = rows.filter(({ item }) => isCreatedWithin(query, item.at));
      const body = pageOfAll(
        shown,
        ({ position }) => position,
        ({ item }) => item,
      );
      return { status: 200, body };
    },
  });

const getSuppressionRoute = (queries: SuppressionQueries) =>
  route({
    ...common,
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getSuppression',
    summary: 'Read a suppression',
    access: 'read',
    params: entryParams,
    responses: { 200: { description: 'The entry.', schema: suppressionResource } },
    errors: ['not_found'],
    async handle({ caller, params: { id }, consistent }) {
      await consistent(suppressions.name);
      const found = await queries.entry(caller.account, id);
      if (!found) throw notFound('unsubscribe', id);
      return { status: 200, body: toSuppressionResource(found) };
    },
  });

/** An address is on the list by itself, in each of its spellings, and by the entry of its domain. */
function keysOf(services: Services, account: string, text: string): string[] {
  const address = addressOf(text);
  return [address, domainEntryOf(address) ?? []].flat().flatMap((one) => keysOfAddress(services.addresses, account, one));
}

const suppressAddressRoute = route({
  ...common,
  method: 'POST',
  path,
  operationId: 'suppressAddress',
  summary: 'Suppress an address',
  description:
    'Messages to it are refused from now on, including those that wait. Repeating it changes nothing, except that an earlier `occurred_at` and a wider `scope` are recorded.',
  access: 'write',
  body: withRule(
    record({
      email: optional(emailField),
      phone: optional(phoneField),
      domain: optional(domainField),
      channel: optional(channelField),
      reason: optional(reasonField),
      scope: optional(annotate(scopeField, { description: '`all` (the default): no message is sent. `marketing`: only marketing is stopped.' })),
      source: optional(sourceField),
      occurred_at: optional(occurredAtField),
    }),
    ({ email, phone, domain, channel }, { isMalformed }) => {
      const given = [email ?? isMalformed('email'), phone ?? isMalformed('phone'), domain ?? isMalformed('domain')];
      return given.filter((one) => one !== false).length === 1
        ? suppressionChannelProblems({ email: email ?? domain, phone, channel })
        : [ONE_ADDRESS];
    },
  ),
  responses: {
    201: { description: 'The address was added.', schema: suppressionResult },
    200: { description: 'The address was on the list before.', schema: suppressionResult },
  },
  async handle({ body, execute }) {
    const { channel = 'all', reason = 'manual', source = 'api', scope, occurred_at } = body;
    const address = oneAddress(body);
    const given = { ...(scope && { scope }), ...(occurred_at && { occurred_at }) };
    const { output } = await execute(suppressAddress, { address, channel, reason, source, via: 'request', ...given });
    const { id, changed, active } = output;
    return { status: changed ? 201 : 200, body: { id, domain: domainOfEntry(address), address, channel, ...active, changed } };
  },
});

const liftSuppressionRoute = (queries: SuppressionQueries) =>
  route({
    ...common,
    method: 'DELETE',
    path: `${path}/:id`,
    operationId: 'liftSuppression',
    summary: 'Lift a suppression',
    description: 'Lifts all reasons of the entry. The history shows both, with the reason and the proof.',
    access: 'write',
    params: entryParams,
    body: record({
      reason: Type.String({ minLength: 1, maxLength: 500, description: 'The reason for lifting it.' }),
      proof: optional(
        nullable(Type.String({ maxLength: 10_000, description: 'The proof that the person wants it: a quotation, a form, a ticket.' })),
      ),
    }),
    responses: { 200: { description: 'Messages may be sent again, unless another suppression is active.', schema: liftResult } },
    errors: ['not_found'],
    async handle({ caller, params: { id }, body, execute, consistent }) {
      await consistent(suppressions.name);
      const found = await queries.entry(caller.account, id);
      if (!found) throw notFound('unsubscribe', id);
      const { address_key, channel } = found;
      const { output } = await execute(liftSuppression, { address_key, channel, by: 'request', because: body.reason, proof: body.proof ?? null });
      return { status: 200, body: { id, channel, lifted: output.lifted } };
    },
  });

const ONE_ADDRESS = { field: 'email', code: 'required', message: 'Give an `email`, a `phone` or a `domain`.' };

interface AddressFields {
  readonly email?: string;
  readonly phone?: string;
  readonly domain?: string;
  readonly channel?: SuppressionChannel;
}

/** Throws `validation_error` unless there is exactly one valid address. */
function oneAddress({ email: given, phone, domain, channel }: AddressFields): string {
  const email = given ?? (domain === undefined ? undefined : (domainEntry(domain) ?? domain));
  const parsed = [email === undefined ? [] : parseAddress('email', email), phone === undefined ? [] : parseAddress('phone', phone)].flat();
  const [address, ...others] = parsed.filter((one) => typeof one === 'string');
  const problems = parsed.filter((one) => typeof one === 'object');
  if (parsed.length !== 1) problems.push(ONE_ADDRESS);
  else problems.push(...suppressionChannelProblems({ email, phone, channel }));
  if (problems.length > 0 || address === undefined || others.length > 0) throw invalid(problems);
  return address;
}

/** Throws `invalid_parameter`. */
function addressOf(text: string): string {
  const kind = addressKind(text);
  const read = parseAddress(kind, text);
  if (typeof read === 'string') return read;
  throw new DomainError('invalid_parameter', read.message, { errors: [{ ...read, field: 'address' }] });
}

const causeKinds = { AddressSuppressed: 'suppressed', SuppressionBackdated: 'backdated', SuppressionWidened: 'widened' } as const;

function historyItem({ event, meta }: LogEvent<SuppressionEvent>): Static<typeof suppressionHistoryItem>[] {
  const actor = meta.actor;
  switch (event.type) {
    case 'AddressSuppressed':
    case 'SuppressionBackdated':
    case 'SuppressionWidened': {
      const { at, channel, reason, scope, source, occurred_at, message_id, via, keyword } = event.data;
      const kind = causeKinds[event.type];
      return [{ event: kind, at, channel, reasons: [reason], scope, source, via, occurred_at, message_id, ...(keyword && { keyword }), actor }];
    }
    case 'SuppressionLifted': {
      const { at, channel, reasons, by, because, proof, keyword, message_id } = event.data;
      const about = { ...(keyword && { keyword }), ...(message_id !== undefined && { message_id }) };
      return [{ event: 'lifted', at, channel, reasons, source: by, because, proof, ...about, actor }];
    }
    default:
      return [];
  }
}
