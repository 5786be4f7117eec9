import Type from 'typebox';
import { changeView } from '../../commands/views/change-view.js';
import { createView } from '../../commands/views/create-view.js';
import { deleteView } from '../../commands/views/delete-view.js';
import { count, flag, lineOf, named, nullable, optional, record, text, time } from '../../domain/kernel/schema.js';
import { isVisibleTo, MAX_SAVED_VIEWS, type SavedView, savedViews, savedViewsStream, viewOf } from '../../domain/views/saved-views.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { Cursors, pageOf, timedPagingQuery } from '../http/paging.js';
import { textFilter } from '../http/query-parameters.js';
import { type AnyRoute, type Caller, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { etag, ifMatch } from '../http/versions.js';

const common = { tag: 'views', limit: 'general' } as const;
const path = '/v1/views';
const params = record({ id: Type.String({ minLength: 1, description: 'Id of the view, vie_….' }) });

const fields = {
  name: Type.String({ ...lineOf(200), description: 'What people call it.', examples: ['Failed this week'] }),
  page: Type.String({ ...lineOf(200), description: 'The page that it is of, as your program names it.', examples: ['messages'] }),
  query: Type.String({ maxLength: 4_096, description: 'The filters, as the query of an URL.', examples: ['status=failed&channel=sms'] }),
  shared: Type.Boolean({ description: '`true`: for all of the account. `false`: for the user who has made it.' }),
};

const viewResource = named(
  'SavedView',
  record({
    id: text,
    name: text,
    page: text,
    query: Type.String(),
    shared: flag,
    user_id: nullable(Type.String({ description: 'The user who has made it; null where it was a key.' })),
    version: count,
    created_at: time,
    updated_at: time,
  }),
);

const toResource = ({ id, name, page, query, shared, owner: user_id, version, created_at, updated_at }: SavedView) => ({
  ...{ id, name, page, query, shared, user_id, version, created_at, updated_at },
});

const userOfCaller = ({ actor }: Caller): string | null => (actor.kind === 'user' ? actor.id : null);

/** `/v1/views`: saved views. There are at most 200 in an account, so they are read from the log. */
export function viewRoutes({ log, purposeKey }: Services): AnyRoute[] {
  const cursors = new Cursors(purposeKey('cursor'));
  const load = async (account: string) => (await loadAggregate(log, savedViews, savedViewsStream(account))).state;
  return [listViewsRoute(load, cursors), getViewRoute(load), createViewRoute, updateViewRoute, deleteViewRoute];
}

type LoadViews = (account: string) => Promise<Parameters<typeof viewOf>[0]>;

const listViewsRoute = (load: LoadViews, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path,
    operationId: 'listViews',
    summary: 'List saved views',
    description: 'Those that are shared, and your own where you are signed in as a user. A key sees those that are shared.',
    access: 'read',
    query: record({ page: textFilter('Only views of this page.'), ...timedPagingQuery() }),
    responses: { 200: { description: 'Newest first.', schema: pageOf(viewResource) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      const { caller, query } = request;
      const { pageOfAll } = cursors.read(request, 'views');
      const all = [...(await load(caller.account)).byId.values()];
      const user = userOfCaller(caller);
      const found = all.filter((view) => isVisibleTo(user, view) && (query.page === undefined || view.page === query.page));
      return { status: 200, body: pageOfAll(found, ({ created_at, id }) => `${created_at}/${id}`, toResource) };
    },
  });

const getViewRoute = (load: LoadViews) =>
  route({
    ...common,
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getView',
    summary: 'Read a saved view',
    access: 'read',
    params,
    responses: { 200: { description: 'The view.', schema: viewResource } },
    errors: ['not_found'],
    async handle({ params: { id }, caller }) {
      const view = viewOf(await load(caller.account), id, userOfCaller(caller));
      return { status: 200, body: toResource(view), headers: etag(view.version) };
    },
  });

const createViewRoute = route({
  ...common,
  method: 'POST',
  path,
  operationId: 'createView',
  summary: 'Save a view',
  description: `A list as it is filtered now, to come back to. A user's is for that user alone, unless it is \`shared\`; a key's is always shared. An account has at most ${MAX_SAVED_VIEWS}.`,
  access: 'write',
  body: record({ ...fields, shared: optional(fields.shared) }),
  responses: { 201: { description: 'The view.', schema: viewResource } },
  errors: ['conflict', 'forbidden'],
  async handle({ body: { shared, ...content }, caller, execute }) {
    const { output } = await execute(createView, { ...content, shared: shared ?? userOfCaller(caller) === null });
    return { status: 201, body: toResource(output), headers: etag(output.version) };
  },
});

const updateViewRoute = route({
  ...common,
  method: 'PATCH',
  path: `${path}/:id`,
  operationId: 'updateView',
  summary: 'Change a saved view',
  description: 'Whoever may write changes a shared one. Only the user who has made it can make it personal again.',
  access: 'write',
  params,
  body: record({ name: optional(fields.name), page: optional(fields.page), query: optional(fields.query), shared: optional(fields.shared) }),
  responses: { 200: { description: 'The view after the change.', schema: viewResource } },
  errors: ['not_found', 'version_conflict', 'forbidden'],
  async handle({ params: { id }, body, headers, execute }) {
    const { output } = await execute(changeView, { view_id: id, change: body, expected: ifMatch(headers) });
    return { status: 200, body: toResource(output), headers: etag(output.version) };
  },
});

const deleteViewRoute = route({
  ...common,
  method: 'DELETE',
  path: `${path}/:id`,
  operationId: 'deleteView',
  summary: 'Delete a saved view',
  description: 'Repeating it is not an error.',
  access: 'write',
  params,
  responses: { 204: { description: 'The view is deleted.' } },
  errors: ['not_found'],
  async handle({ params: { id }, execute }) {
    await execute(deleteView, { view_id: id });
    return { status: 204 };
  },
});
