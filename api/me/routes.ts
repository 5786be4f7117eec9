import { keyModeSchema, roleSchema, scopeSchema } from '../../domain/accounts/access.js';
import { permissionSchema, permissionsOf } from '../../domain/accounts/permissions.js';
import { DomainError, notFound } from '../../domain/kernel/errors.js';
import { annotate, flag, list, named, nullable, record, type Static, text } from '../../domain/kernel/schema.js';
import type { AccountDirectory } from '../../projections/accounts/directory.js';
import { accounts } from '../../projections/accounts/projection.js';
import { type AccountQueries, accountQueries } from '../../projections/accounts/queries.js';
import { type AnyRoute, type Caller, route } from '../http/route.js';
import type { Services } from '../http/services.js';

const account = named(
  'CallersAccount',
  record({
    id: text,
    name: text,
    timezone: text,
    locale: annotate(text, { description: 'Of its pages and mails, where a recipient has none.' }),
    test: annotate(flag, { description: 'Whether all that this caller sends reaches the sandbox only, as with a test key.' }),
  }),
);
const user = named(
  'CallingUser',
  record({
    id: text,
    email: text,
    name: nullable(text),
    role: roleSchema,
    permissions: list(permissionSchema),
    two_factor: annotate(flag, { description: 'Whether this user signs in with a second factor.' }),
  }),
);
const key = named(
  'CallingKey',
  record({
    id: text,
    name: text,
    scopes: annotate(nullable(list(scopeSchema)), { description: 'Null is full access.' }),
    mode: keyModeSchema,
  }),
);
const me = named('Me', record({ account, user: nullable(user), key: nullable(key) }));

export interface MeParts {
  readonly directory: Pick<AccountDirectory, 'settings'>;
  /** The accounts whose owners operate the installation. */
  readonly operatorAccounts: readonly string[];
}

/** Who calls: the account, and the user or the key. */
export function meRoutes(services: Pick<Services, 'log' | 'views'>, parts: MeParts): AnyRoute[] {
  return [getMeRoute(accountQueries(services), parts)];
}

const getMeRoute = (queries: AccountQueries, { directory, operatorAccounts }: MeParts) =>
  route({
    method: 'GET',
    path: '/v1/me',
    operationId: 'getMe',
    summary: 'Read who is calling',
    description:
      'The account of the credential, and the user who signed in or the key; the other one is null. `permissions` are what the role of the user may do. A page shows by them what it offers, and each route decides for itself: what a role lacks is answered with 403. What a key may do is what its `scopes` say. `system:read` is of owners of the accounts that operate the installation.',
    tag: 'accounts',
    access: 'either',
    limit: 'general',
    responses: { 200: { description: 'Who is calling.', schema: me } },
    async handle({ caller, consistent }) {
      await consistent(accounts.name);
      const facts = await directory.settings(caller.account);
      if (facts === null) throw notFound('account', caller.account);
      const { name, timezone, branding } = facts.settings;
      const operates = operatorAccounts.includes(caller.account);
      return {
        status: 200,
        body: {
          account: { id: facts.id, name, timezone, locale: branding.locale, test: caller.mode === 'test' },
          user: caller.actor.kind === 'user' ? await userOf(queries, caller, operates) : null,
          key: caller.actor.kind === 'key' ? await keyOf(queries, caller) : null,
        } satisfies Static<typeof me>,
      };
    },
  });

async function userOf(queries: AccountQueries, { account: of, actor }: Caller, operates: boolean): Promise<Static<typeof user>> {
  const found = await queries.signedInUser(of, actor.id);
  if (!found) throw new DomainError('token_expired', 'The sign-in token was voided. Sign in again.');
  const { id, email, name, role, two_factor } = found;
  return { id, email, name, role, permissions: permissionsOf(role, operates), two_factor };
}

async function keyOf(queries: AccountQueries, { account: of, actor }: Caller): Promise<Static<typeof key>> {
  const found = await queries.key(of, actor.id);
  if (!found) throw new DomainError('unauthorized', 'This API key is not known, or was revoked.');
  const { id, name, scopes, mode } = found;
  return { id, name, scopes, mode };
}
