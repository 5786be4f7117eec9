import { changeUser } from '../../commands/accounts/change-user.js';
import { createUser, userProblems } from '../../commands/accounts/create-user.js';
import { removeUser } from '../../commands/accounts/remove-user.js';
import { withRule } from '../../commands/runtime/rules.js';
import { roleSchema } from '../../domain/accounts/access.js';
import { userResource, userStatusSchema } from '../../domain/accounts/resources.js';
import { notFound } from '../../domain/kernel/errors.js';
import { boundedText, nullable, optional, record, text } from '../../domain/kernel/schema.js';
import { passwordLength } from '../../formats/accounts/passwords.js';
import type { AccountDirectory } from '../../projections/accounts/directory.js';
import { accounts } from '../../projections/accounts/projection.js';
import type { AccountQueries } from '../../projections/accounts/queries.js';
import { type Cursors, pageOf, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';
import { etag, ifMatch } from '../http/versions.js';

/** The name of a user. */
export const userName = nullable(boundedText({ minLength: 1, maxLength: 200 }));
/** A password that is set. */
export const newPassword = boundedText({ minLength: passwordLength.min, maxLength: passwordLength.max });
const params = record({ id: text });
const common = { tag: 'accounts', limit: 'general' } as const;

/** The users who sign in to the account. */
export function userRoutes(queries: AccountQueries, directory: AccountDirectory, cursors: Cursors): AnyRoute[] {
  return [listUsersRoute(queries, cursors), getUserRoute(queries), createUserRoute, updateUserRoute(directory), deleteUserRoute(directory)];
}

const listUsersRoute = (queries: AccountQueries, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/account/users',
    operationId: 'listUsers',
    summary: 'List users',
    access: 'read',
    query: record(timedPagingQuery()),
    responses: { 200: { description: 'The users of the account.', schema: pageOf(userResource) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      await request.consistent(accounts.name);
      const { range, pageOfItems } = cursors.read(request, 'users');
      return { status: 200, body: pageOfItems(await queries.users(request.caller.account, range)) };
    },
  });

const getUserRoute = (queries: AccountQueries) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/account/users/:id',
    operationId: 'getUser',
    summary: 'Read a user',
    access: 'read',
    params,
    responses: { 200: { description: 'The user.', schema: userResource } },
    errors: ['not_found'],
    async handle({ caller, params: { id }, consistent }) {
      await consistent(accounts.name);
      const user = await queries.user(caller.account, id);
      if (!user) throw notFound('user', id);
      return { status: 200, body: user, headers: etag(user.version) };
    },
  });

const createUserRoute = route({
  ...common,
  method: 'POST',
  path: '/v1/account/users',
  operationId: 'createUser',
  summary: 'Add a user',
  description:
    'Roles: an `owner` may do everything, a `member` reads and writes but cannot manage users, keys and settings, an `analyst` only reads. An email signs in to one account only.',
  access: 'owner',
  body: withRule(record({ email: boundedText({ maxLength: 320 }), name: optional(userName), role: roleSchema, password: newPassword }), userProblems),
  responses: { 201: { description: 'The new user.', schema: userResource } },
  errors: ['conflict'],
  async handle({ body, execute }) {
    const { output: user } = await execute(createUser, body);
    return { status: 201, body: user, headers: etag(user.version) };
  },
});

const updateUserRoute = (directory: AccountDirectory) =>
  route({
    ...common,
    method: 'PATCH',
    path: '/v1/account/users/:id',
    operationId: 'updateUser',
    summary: 'Change a user',
    description: 'A new password, and `disabled`, invalidate the user’s sign-in tokens. The last active owner must stay one.',
    access: 'owner',
    params,
    body: record({ name: optional(userName), role: optional(roleSchema), status: optional(userStatusSchema), password: optional(newPassword) }),
    responses: { 200: { description: 'The user after the change.', schema: userResource } },
    errors: ['not_found', 'invalid_state', 'version_conflict'],
    async handle({ caller, params: { id }, body, headers, execute }) {
      const { output: user } = await execute(changeUser, { ...body, user_id: id, expected_version: ifMatch(headers) });
      directory.evict(caller.account);
      return { status: 200, body: user, headers: etag(user.version) };
    },
  });

const deleteUserRoute = (directory: AccountDirectory) =>
  route({
    ...common,
    method: 'DELETE',
    path: '/v1/account/users/:id',
    operationId: 'deleteUser',
    summary: 'Remove a user',
    description: 'The email is free again for another user. Repeating it is not an error. The last active owner cannot be removed.',
    access: 'owner',
    params,
    responses: { 204: { description: 'The user is removed.' } },
    errors: ['not_found', 'invalid_state'],
    async handle({ caller, params: { id }, execute }) {
      await execute(removeUser, { user_id: id });
      directory.evict(caller.account);
      return { status: 204 };
    },
  });
