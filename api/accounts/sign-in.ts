import type { UserRole } from '../../domain/accounts/access.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { count, named, oneOf, record, type Static, text, time } from '../../domain/kernel/schema.js';
import type { AccountQueries } from '../../projections/accounts/queries.js';
import { type AnyRoute, type HttpResponse, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { checkCredentials, credentials, SIGN_IN, signedInUser } from './credentials.js';
import { type SignInTokens, TOKEN_LIFETIME_SECONDS } from './tokens.js';

const signedIn = named(
  'SignInResult',
  record({
    token: text,
    token_type: named('TokenType', oneOf('Bearer')),
    expires_in: count,
    expires_at: time,
    ...signedInUser,
  }),
);
const example: Static<typeof signedIn> = {
  token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9…',
  token_type: 'Bearer',
  expires_in: TOKEN_LIFETIME_SECONDS,
  expires_at: '2026-01-15T11:30:00.000Z',
  user: { id: 'usr_01JHM4B3W6TQ8X2N5R7Y9Z0A1C', email: 'ada@example.com', role: 'owner' },
  account_id: 'acc_01JHM4B3W6TQ8X2N5R7Y9Z0A1B',
};
const responses = { 200: { description: 'A token for `Authorization: Bearer`.', schema: signedIn, example } };

/** Signing in with email and password, and prolonging a sign-in. */
export function signInRoutes(services: Services, queries: AccountQueries, tokens: SignInTokens): AnyRoute[] {
  return [signInRoute(services, queries, tokens), refreshTokenRoute(queries, tokens)];
}

const signInRoute = (services: Services, queries: AccountQueries, tokens: SignInTokens) =>
  route({
    method: 'POST',
    path: '/v1/auth/login',
    operationId: 'signIn',
    summary: 'Sign in',
    description: `Exchanges email and password for a token that is valid for an hour, or until the password changes or the user is disabled. ${SIGN_IN.terms}`,
    tag: 'accounts',
    ...SIGN_IN.route,
    body: credentials,
    responses,
    async handle(request) {
      const { user, email } = await checkCredentials(services, queries, request);
      return admit(tokens, user, email);
    },
  });

const refreshTokenRoute = (queries: AccountQueries, tokens: SignInTokens) =>
  route({
    method: 'POST',
    path: '/v1/auth/refresh',
    operationId: 'refreshToken',
    summary: 'Prolong a sign-in',
    description: 'Exchanges a valid sign-in token for one that is valid for another hour. The old one stays valid until it expires.',
    tag: 'accounts',
    access: 'either',
    limit: 'general',
    responses,
    errors: ['token_expired', 'forbidden'],
    async handle({ caller }) {
      // Otherwise a script that cannot read the cookie would get a token that outlives the session.
      if (caller.session !== undefined)
        throw new DomainError('forbidden', 'A session cannot be exchanged for a token; it goes on with each request.');
      if (caller.actor.kind !== 'user') throw new DomainError('forbidden', 'Only a sign-in token can be exchanged; API keys do not expire.');
      const { id } = caller.actor;
      const [doc, user] = await Promise.all([queries.userDoc(id), queries.user(caller.account, id)]);
      if (!doc || !user) throw new DomainError('token_expired', 'The sign-in token was voided. Sign in again.');
      return admit(tokens, doc, user.email);
    },
  });

function admit(
  tokens: SignInTokens,
  user: { id: string; account: string; role: UserRole; token_version: number },
  email: string,
): HttpResponse<Static<typeof signedIn>> {
  const { id, account, role, token_version: version } = user;
  const issued = tokens.issue({ user: id, account, role, version });
  const body = { ...issued, token_type: 'Bearer', expires_in: TOKEN_LIFETIME_SECONDS, user: { id, email, role }, account_id: account } as const;
  return { status: 200, body };
}
