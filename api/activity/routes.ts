import Type from 'typebox';
import { annotate, anyValue, count, mapOf, named, nullable, oneOf, optional, record, text, time } from '../../domain/kernel/schema.js';
import { actionNames } from '../../projections/activity/actions.js';
import { activity } from '../../projections/activity/projection.js';
import { type ActivityEntry, type ActivityQueries, activityQueries } from '../../projections/activity/queries.js';
import { isOwner } from '../http/access/authorization.js';
import { Cursors, pageOf, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';

const entry = named(
  'Activity',
  record({
    id: text,
    at: annotate(time, { description: 'Of what is counted by hour: the start of the hour.' }),
    actor: named('ActivityActor', record({ kind: named('ActivityActorKind', oneOf('user', 'key', 'operator')), id: text, name: nullable(text) })),
    action: annotate(text, { description: 'A kind of resource and what was done, for example `campaign.send`.' }),
    resource: named(
      'ActivityResource',
      record({ kind: text, id: annotate(nullable(text), { description: 'Null where several are counted together.' }), name: nullable(text) }),
    ),
    changes: annotate(mapOf(named('ActivityChange', record({ from: anyValue, to: anyValue }))), {
      description: 'Of settings and edited resources, by field. Of a value of more than 1,000 characters of JSON: its length and a fingerprint.',
    }),
    count: annotate(count, { description: 'How often it was done: by a key in the hour, or by the one request.' }),
    ip: annotate(nullable(text), { description: 'Of a user. Shown to owners and keys without a scope list.' }),
    user_agent: annotate(nullable(text), { description: 'The program of a user, as it names itself. Shown like `ip`.' }),
    request_id: annotate(nullable(text), { description: 'Of the request, as its answer had it in `X-Request-Id`.' }),
  }),
);

const filter = (description: string) => optional(Type.String({ minLength: 1, maxLength: 200, description }));
const actionFilter = optional(
  annotate(named('ActivityAction', oneOf(...actionNames)), { description: 'Only this action, such as `campaign.send`.' }),
);

/** What users, keys and the operator have changed. */
export function activityRoutes(services: Services): AnyRoute[] {
  return [listActivityRoute(services, activityQueries(services), new Cursors(services.purposeKey('cursor')))];
}

const listActivityRoute = ({ clock }: Services, queries: ActivityQueries, cursors: Cursors) =>
  route({
    method: 'GET',
    path: '/v1/activity',
    operationId: 'listActivity',
    summary: 'List what was changed, and by whom',
    description:
      'One entry for each change that a user, a key or the operator has made, newest first. What keys do often is counted by key, hour and action: messages, events, and changes of contacts, consents, suppressions and members of lists. What a campaign, a journey or a job does follows from the entry of its start. Entries are kept for 400 days.',
    tag: 'accounts',
    access: 'read',
    limit: 'general',
    query: record({
      ...timedPagingQuery(),
      user_id: filter('Only changes by this user.'),
      key_id: filter('Only changes by this key.'),
      action: actionFilter,
      resource_kind: filter('Only changes of such resources, for example `campaign`.'),
      resource_id: filter('Only changes of this resource.'),
    }),
    responses: { 200: { description: 'Newest first.', schema: pageOf(entry) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      const { caller, query } = request;
      const { range, pageOfLoaded } = cursors.read(request, 'activity');
      await request.consistent(activity.name);
      const { user_id, key_id, action, resource_kind, resource_id } = query;
      const actor_id = user_id ?? key_id;
      // No change is by a user and by a key.
      const isEmpty = user_id !== undefined && key_id !== undefined && user_id !== key_id;
      const where = {
        ...(actor_id !== undefined && { actor_id }),
        ...(action !== undefined && { action }),
        ...(resource_kind !== undefined && { resource_kind }),
        ...(resource_id !== undefined && { resource_id }),
      };
      const rows = isEmpty ? [] : await queries.page(caller.account, where, range, clock.now());
      const shown = isOwner(caller) ? (one: ActivityEntry) => one : withoutOrigin;
      return {
        status: 200,
        body: await pageOfLoaded(
          rows,
          ({ sort }) => [sort],
          async (some) => (await queries.show(some)).map(shown),
        ),
      };
    },
  });

const withoutOrigin = (one: ActivityEntry): ActivityEntry => ({ ...one, ip: null, user_agent: null });
