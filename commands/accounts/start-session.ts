import { userSessions, userSessionsStream } from '../../domain/accounts/sessions.js';
import { count, nullable, record, text } from '../../domain/kernel/schema.js';
import { formatSessionCookie, hashSessionSecret } from '../../formats/accounts/secrets.js';
import { command } from '../runtime/command.js';

/** What is kept of a user agent, in characters. */
const MAX_USER_AGENT = 300;

export interface StartedSession {
  readonly session_id: string;
  /** The value of the cookie, this once. */
  readonly cookie: string;
}

/** Starts a session with a secret of its own. `replaces`: the session of the same browser, which ends. */
export const startSession = command({
  name: 'StartSession',
  input: record({ user_id: text, token_version: count, ip: text, user_agent: nullable(text), replaces: nullable(text) }),

  async handle({ user_id, token_version, ip, user_agent, replaces }, context): Promise<StartedSession> {
    const secret = context.newSecret('session');
    const session = {
      ...{ user_id, session_id: context.newId('ses'), hash: hashSessionSecret(secret.toString('base64url')), token_version },
      ...{ ip, user_agent: user_agent?.slice(0, MAX_USER_AGENT) || null },
    };
    await context.decide(userSessions, userSessionsStream(user_id), { type: 'StartSession', session, replaces, now: context.now }, { sealed: true });
    return { session_id: session.session_id, cookie: formatSessionCookie(user_id, secret) };
  },
});
