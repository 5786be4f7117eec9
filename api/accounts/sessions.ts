import { endSession } from '../../commands/accounts/end-session.js';
import { startSession } from '../../commands/accounts/start-session.js';
import { sessionExpiry, sessionResource } from '../../domain/accounts/sessions.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { named, record, type Static, text } from '../../domain/kernel/schema.js';
import type { AccountDirectory } from '../../projections/accounts/directory.js';
import { accounts } from '../../projections/accounts/projection.js';
import type { AccountQueries } from '../../projections/accounts/queries.js';
import { type Cursors, pageOf, timedPagingQuery } from '../http/paging.js';
import { type AnyRoute, type Caller, type Request, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { checkCredentials, credentials, SIGN_IN, signedInUser } from './credentials.js';
import type { SessionCookies } from './session-cookies.js';

export interface SessionParts {
  readonly services: Services;
  readonly queries: AccountQueries;
  readonly directory: AccountDirectory;
  readonly cookies: SessionCookies;
  readonly cursors: Cursors;
}

const signedIn = named('SessionUser', record(signedInUser));
const example: Static<typeof signedIn> = {
  user: { id: 'usr_01JHM4B3W6TQ8X2N5R7Y9Z0A1C', email: 'ada@example.com', role: 'owner' },
  account_id: 'acc_01JHM4B3W6TQ8X2N5R7Y9Z0A1B',
};
const responses = (description: string) => ({ 200: { description, schema: signedIn, example } });
const common = { tag: 'accounts', access: 'either', limit: 'general' } as const;

/** Signing in by a browser: the session of the caller, and all sessions of its user. */
export const sessionRoutes = (parts: SessionParts): AnyRoute[] => [
  createSessionRoute(parts),
  getSessionRoute(parts),
  signOutRoute(parts),
  listSessionsRoute(parts),
  endSessionRoute(parts),
];

const createSessionRoute = ({ services, queries, directory, cookies }: SessionParts) =>
  route({
    method: 'POST',
    path: '/v1/auth/session',
    operationId: 'createSession',
    summary: 'Sign in with a browser',
    description: `Exchanges email and password for a cookie that scripts cannot read (\`HttpOnly\`, \`SameSite=Strict\`). It opens what the role of the user may do, until 12 hours without a request, at most for 30 days. A request by the cookie that changes something needs \`Sec-Fetch-Site: same-origin\`, which browsers send for pages of this service, or the header \`X-Requested-With\`; an API key or token in the same request wins. Every sign-in has a new secret, and ends the session that the browser had before for this user. A user has at most 50 sessions; above that the least recently used one ends. ${SIGN_IN.terms}`,
    tag: 'accounts',
    ...SIGN_IN.route,
    body: credentials,
    responses: responses('The user. `Set-Cookie` has the session.'),
    async handle(request) {
      const { user, email } = await checkCredentials(services, queries, request);
      const { id, account, role, token_version } = user;
      const replaces = await ownSession(directory, cookies, request, id);
      const { ip, headers } = request;
      const started = { user_id: id, token_version, ip, user_agent: textOf(headers['user-agent']), replaces };
      const { output } = await request.execute(startSession, started, account);
      directory.evictUser(id);
      return { status: 200, body: { user: { id, email, role }, account_id: account }, headers: cookies.set(output.cookie) };
    },
  });

const getSessionRoute = ({ queries }: SessionParts) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/auth/session',
    operationId: 'getSession',
    summary: 'Read the session',
    description: 'Who is signed in with this browser. Without a session that is still open the answer is 401.',
    responses: responses('The user.'),
    errors: ['token_expired'],
    async handle({ caller }) {
      requireSession(caller);
      const { account, actor } = caller;
      const user = await queries.user(account, actor.id);
      if (!user) throw new DomainError('token_expired', 'The session has ended. Sign in again.');
      const { id, email, role } = user;
      return { status: 200, body: { user: { id, email, role }, account_id: account } };
    },
  });

const signOutRoute = ({ directory, cookies }: SessionParts) =>
  route({
    ...common,
    method: 'DELETE',
    path: '/v1/auth/session',
    operationId: 'signOut',
    summary: 'Sign out',
    description: 'Ends the session of this browser and removes its cookie.',
    responses: { 204: { description: 'The session has ended.' } },
    errors: ['token_expired', 'forbidden'],
    async handle({ caller, execute }) {
      const session_id = requireSession(caller);
      await execute(endSession, { user_id: caller.actor.id, session_id, reason: 'signed_out' });
      directory.evictUser(caller.actor.id);
      return { status: 204, headers: cookies.clear() };
    },
  });

const listSessionsRoute = ({ services, queries, directory, cursors }: SessionParts) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/auth/sessions',
    operationId: 'listSessions',
    summary: 'List sessions',
    description:
      'The browsers in which the calling user is signed in. `current` is the one that asks. `last_used_at` and with it `expires_at` may lag by ten minutes.',
    query: record(timedPagingQuery()),
    responses: { 200: { description: 'The open sessions.', schema: pageOf(sessionResource) } },
    errors: ['invalid_cursor', 'forbidden'],
    async handle(request) {
      const user = requireUser(request.caller);
      await request.consistent(accounts.name);
      const found = await queries.sessions(user, new Date(services.clock.now()).toISOString());
      const page = cursors.read(request, `sessions of ${user}`);
      const shown = page.pageOfAll(
        found,
        ({ created_at, id }) => `${created_at}/${id}`,
        ({ used_at, ...session }) => {
          const used = Math.max(Date.parse(used_at), directory.lastUse(session.id) ?? 0);
          const times = {
            last_used_at: new Date(used).toISOString(),
            expires_at: new Date(sessionExpiry(Date.parse(session.created_at), used)).toISOString(),
          };
          return { ...session, ...times, current: session.id === request.caller.session };
        },
      );
      return { status: 200, body: shown };
    },
  });

const endSessionRoute = ({ directory }: SessionParts) =>
  route({
    ...common,
    method: 'DELETE',
    path: '/v1/auth/sessions/:id',
    operationId: 'endSession',
    summary: 'End a session',
    description: 'Signs the calling user out in another browser, or in this one. Repeating it is not an error.',
    params: record({ id: text }),
    responses: { 204: { description: 'The session has ended.' } },
    errors: ['not_found', 'forbidden'],
    async handle({ caller, params: { id }, execute }) {
      const user_id = requireUser(caller);
      await execute(endSession, { user_id, session_id: id, reason: 'ended' });
      directory.evictUser(user_id);
      return { status: 204 };
    },
  });

/** The id of the calling user. Throws `forbidden` for a key. */
export function requireUser({ actor }: Caller): string {
  if (actor.kind !== 'user') throw new DomainError('forbidden', 'Only a signed-in user may do this: an API key has no password and no sessions.');
  return actor.id;
}

/** The id of the session of the caller. Throws `unauthorized`. */
function requireSession({ session }: Caller): string {
  if (session === undefined) throw new DomainError('unauthorized', 'There is no session: sign in with `POST /v1/auth/session`.');
  return session;
}

const textOf = (header: string | string[] | undefined): string | null => (header === undefined ? null : String(header));

/** The open session of this user whose cookie the request has, or null. */
async function ownSession(directory: AccountDirectory, cookies: SessionCookies, { headers }: Pick<Request, 'headers'>, user: string) {
  const { cookie } = headers;
  const held = cookies.read(typeof cookie === 'string' ? cookie : undefined);
  return held?.user === user ? ((await directory.session(user, held.hash))?.session ?? null) : null;
}
