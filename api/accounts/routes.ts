import type { AccountDirectory } from '../../projections/accounts/directory.js';
import { accountQueries } from '../../projections/accounts/queries.js';
import { Cursors } from '../http/paging.js';
import type { AnyRoute } from '../http/route.js';
import type { Services } from '../http/services.js';
import { invitationRoutes } from './invitations.js';
import { keyRoutes } from './keys.js';
import { passwordRoutes } from './password.js';
import { secondFactorRoutes } from './second-factor.js';
import { SessionCookies } from './session-cookies.js';
import { sessionRoutes } from './sessions.js';
import { settingsRoutes } from './settings.js';
import { signInRoutes } from './sign-in.js';
import { SignInTokens } from './tokens.js';
import { userRoutes } from './users.js';

/** Signing in, sessions, users, keys and settings. The directory is that of the authenticator. */
export function accountRoutes(services: Services, directory: AccountDirectory): AnyRoute[] {
  const queries = accountQueries(services);
  const cursors = new Cursors(services.purposeKey('cursor'));
  const cookies = new SessionCookies(services.publicUrl);
  return [
    ...signInRoutes(services, queries, signInTokens(services)),
    ...sessionRoutes({ services, queries, directory, cookies, cursors }),
    ...passwordRoutes(services, queries, directory),
    ...secondFactorRoutes(services, queries),
    ...invitationRoutes(services, directory),
    ...userRoutes(queries, directory, cursors),
    ...keyRoutes(queries, directory, cursors),
    ...settingsRoutes(services, queries, directory),
  ];
}

/** The tokens of this installation: nodes with the same master key accept each other's tokens. */
export const signInTokens = ({ purposeKey, clock }: Pick<Services, 'purposeKey' | 'clock'>): SignInTokens =>
  new SignInTokens(purposeKey('jwt'), clock);
