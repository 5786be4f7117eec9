import Type from 'typebox';
import { dropWork } from '../../commands/parked/drop-work.js';
import { retryWork } from '../../commands/parked/retry-work.js';
import { named, oneOf, optional, record, text, time } from '../../domain/kernel/schema.js';
import { WorkParked } from '../../domain/parked/parked-work.js';
import { loadParked } from '../../log/aggregates/load-parked.js';
import { parked } from '../../projections/parked/projection.js';
import { type ParkedQueries, parkedQueries } from '../../projections/parked/queries.js';
import { Cursors, pageOf, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';

const { process, account, about, attempts, error, first_at } = WorkParked.schema.properties;
const parkedResource = named('ParkedWork', record({ id: text, process, account, about, attempts, error, first_at, parked_at: time }));
const common = { tag: 'system', access: 'operator', limit: 'public' } as const;
const params = record({ id: Type.String({ description: 'Id of the parked work, prk_….' }) });
const ended = (status: 'retried' | 'dropped', title: string) => named(title, record({ id: text, status: named(`${title}Status`, oneOf(status)) }));

/** `/v1/system/parked`, for the operator: work of all accounts that failed too often. */
export function parkedRoutes(services: Pick<Services, 'views' | 'log' | 'purposeKey'>): AnyRoute[] {
  const queries = parkedQueries(services.views);
  const cursors = new Cursors(services.purposeKey('cursor'));

  return [listParkedWorkRoute(queries, cursors), retryParkedWorkRoute(services), dropParkedWorkRoute(services)];
}

const listParkedWorkRoute = (queries: ParkedQueries, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/system/parked',
    operationId: 'listParkedWork',
    summary: 'List the work that failed too often',
    description:
      'Work of all accounts that was tried until its attempts were used up, and that nothing is done about until it is retried or dropped. `about` is what it concerns, for example a message.',
    query: record({
      ...timedPagingQuery('parked'),
      process: optional(Type.String({ description: 'Only work of this process.' })),
      account: optional(Type.String({ description: 'Only work of this account.' })),
    }),
    responses: { 200: { description: 'Newest first.', schema: pageOf(parkedResource) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      const { range, pageOfItems } = cursors.read(request, 'parked');
      await request.consistent(parked.name);
      const { process, account } = request.query;
      const rows = await queries.list({ ...(process !== undefined && { process }), ...(account !== undefined && { account }) }, range);
      return { status: 200, body: pageOfItems(rows) };
    },
  });

const retryParkedWorkRoute = (services: Pick<Services, 'views' | 'log' | 'purposeKey'>) =>
  route({
    ...common,
    method: 'POST',
    path: '/v1/system/parked/:id/retry',
    operationId: 'retryParkedWork',
    summary: 'Try parked work again',
    description: 'It is due at once. If it fails again as often as before, it is parked again.',
    params,
    responses: { 202: { description: 'It is due.', schema: ended('retried', 'RetriedWork') } },
    errors: ['conflict', 'invalid_state', 'not_found'],
    async handle(request) {
      const { id } = request.params;
      await request.execute(retryWork, { parked_id: id }, (await loadParked(services.log, id)).account);
      return { status: 202, body: { id, status: 'retried' } };
    },
  });

const dropParkedWorkRoute = (services: Pick<Services, 'views' | 'log' | 'purposeKey'>) =>
  route({
    ...common,
    method: 'POST',
    path: '/v1/system/parked/:id/drop',
    operationId: 'dropParkedWork',
    summary: 'Give parked work up',
    description: 'What it is about ends: a message becomes `failed`, with the reason `dropped`. An erasure cannot be given up.',
    params,
    responses: { 202: { description: 'It is given up.', schema: ended('dropped', 'DroppedWork') } },
    errors: ['conflict', 'invalid_state', 'not_found', 'work_required'],
    async handle(request) {
      const { id } = request.params;
      await request.execute(dropWork, { parked_id: id }, (await loadParked(services.log, id)).account);
      return { status: 202, body: { id, status: 'dropped' } };
    },
  });
