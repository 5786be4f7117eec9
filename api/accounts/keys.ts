import { issueKey } from '../../commands/accounts/issue-key.js';
import { revokeKey } from '../../commands/accounts/revoke-key.js';
import { keyModeSchema, scopeSchema } from '../../domain/accounts/access.js';
import { type KeyResource, keyResource } from '../../domain/accounts/resources.js';
import { annotate, boundedText, flag, list as listOf, named, nullable, optional, record, text } from '../../domain/kernel/schema.js';
import type { AccountDirectory } from '../../projections/accounts/directory.js';
import { accounts } from '../../projections/accounts/projection.js';
import type { AccountQueries } from '../../projections/accounts/queries.js';
import { type Cursors, pageOf, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, route } from '../http/route.js';

const common = { tag: 'accounts', limit: 'general' } as const;
const STRICT_KEY = 'Every request of this key with an unknown field in its body is refused (`unknown_field`), as with `?strict=true`.';
const issued = named('IssuedApiKey', record({ ...keyResource.properties, key: text }));

/** The API keys of an account. */
export function keyRoutes(queries: AccountQueries, directory: AccountDirectory, cursors: Cursors): AnyRoute[] {
  return [listApiKeysRoute(queries, directory, cursors), createApiKeyRoute, revokeApiKeyRoute(directory)];
}

const listApiKeysRoute = (queries: AccountQueries, directory: AccountDirectory, cursors: Cursors) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/api-keys',
    operationId: 'listApiKeys',
    summary: 'List API keys',
    description: 'By prefix; the keys themselves are not stored. `last_used_at` may lag by an hour.',
    access: 'read',
    query: record(timedPagingQuery()),
    responses: { 200: { description: 'The keys that are not revoked.', schema: pageOf(keyResource) } },
    errors: ['invalid_cursor'],
    async handle(request) {
      await request.consistent(accounts.name);
      const { range, pageOfItems } = cursors.read(request, 'api-keys');
      const found = await queries.keys(request.caller.account, range);
      return { status: 200, body: pageOfItems(found, (key) => withLastUse(directory, key)) };
    },
  });

const createApiKeyRoute = route({
  ...common,
  method: 'POST',
  path: '/v1/api-keys',
  operationId: 'createApiKey',
  summary: 'Issue an API key',
  description:
    'The response shows the key in full, only this once. `scopes`: null or absent is full access; a list grants only what it contains (`read` for GET, `write` for anything that changes state), `[]` grants nothing. What a key with the mode `test` causes reaches the sandbox only: its messages carry `test: true`, and neither ask nor change suppressions and frequency caps. It changes nothing that is live (`forbidden`).',
  access: 'owner',
  body: record({
    name: boundedText({ minLength: 1, maxLength: 100 }),
    scopes: optional(nullable(listOf(scopeSchema, { maxItems: 10 }))),
    mode: optional(annotate(keyModeSchema, { default: 'live' })),
    strict: optional(annotate(flag, { default: false, description: STRICT_KEY })),
  }),
  responses: { 201: { description: 'The key.', schema: issued } },
  errors: ['conflict', 'forbidden'],
  async handle({ caller, body, execute }) {
    const { output } = await execute(issueKey, {
      name: body.name,
      scopes: body.scopes ?? null,
      mode: body.mode ?? 'live',
      strict: body.strict ?? false,
      granted_by: caller.scopes && [...caller.scopes],
    });
    return { status: 201, body: output };
  },
});

const revokeApiKeyRoute = (directory: AccountDirectory) =>
  route({
    ...common,
    method: 'DELETE',
    path: '/v1/api-keys/:id',
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'Permanent and immediate. Repeating it is not an error.',
    access: 'owner',
    params: record({ id: text }),
    responses: { 204: { description: 'The key is revoked.' } },
    errors: ['not_found'],
    async handle({ caller, params: { id }, execute }) {
      await execute(revokeKey, { key_id: id });
      directory.evict(caller.account);
      return { status: 204 };
    },
  });

/** The use of a key on this node is exact; the read model has the use on all nodes. */
const withLastUse = (directory: AccountDirectory, key: KeyResource): KeyResource => {
  const here = directory.lastUse(key.id);
  const at = here === null ? '' : new Date(here).toISOString();
  return at > (key.last_used_at ?? '') ? { ...key, last_used_at: at } : key;
};
