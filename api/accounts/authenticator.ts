import { DomainError } from '../../domain/kernel/errors.js';
import { hasApiKeyFormat, hashApiKey } from '../../formats/accounts/secrets.js';
import type { AccountDirectory, Credential } from '../../projections/accounts/directory.js';
import type { Caller } from '../http/route.js';
import type { Authenticator } from '../http/services.js';
import type { SessionCookies } from './session-cookies.js';
import type { SignInTokens } from './tokens.js';

const BEARER = /^Bearer +(\S+)$/i;

const unauthorized = (message: string) => new DomainError('unauthorized', message);
const requireCaller = (key: Credential | null): Caller => {
  if (key === null) throw unauthorized('This API key is not known, or was revoked.');
  return key;
};

const requireSession = (session: Credential | null): Caller => {
  if (session === null) throw new DomainError('token_expired', 'The session has ended. Sign in again.');
  return session;
};

/** Whether a key is where other services take theirs: as a bearer token, or as a name or password of Basic authentication. */
function isMisplacedKey(authorization: string): boolean {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) +(\S+)$/i.exec(authorization) ?? [];
  const texts = scheme.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString().split(':') : [value];
  return texts.some(hasApiKeyFormat);
}

/**
 * Authenticates API keys, sign-in tokens and the cookies of browsers; of several the first in this order is used. A cached key or session is
 * answered synchronously, without a promise.
 */
export function accountAuthenticator(directory: AccountDirectory, tokens: SignInTokens, cookies: SessionCookies): Authenticator {
  function byKey(text: string): Caller | Promise<Caller> {
    if (!hasApiKeyFormat(text)) throw unauthorized('This API key is not known, or was revoked.');
    const found = directory.key(hashApiKey(text));
    return found instanceof Promise ? found.then(requireCaller) : requireCaller(found);
  }

  async function byToken(authorization: string): Promise<Caller> {
    const token = BEARER.exec(authorization)?.[1];
    if (isMisplacedKey(authorization)) throw unauthorized('This is an API key. Send it in the header `X-API-Key`, not in `Authorization`.');
    if (token === undefined) throw unauthorized('Send the sign-in token as `Authorization: Bearer <token>`.');
    const { user, version } = tokens.verify(token);
    const caller = await directory.user(user, version);
    if (caller === null) throw new DomainError('token_expired', 'The sign-in token was voided. Sign in again.');
    return caller;
  }

  function bySession({ user, hash }: { readonly user: string; readonly hash: string }): Caller | Promise<Caller> {
    const found = directory.session(user, hash);
    return found instanceof Promise ? found.then(requireSession) : requireSession(found);
  }

  return {
    authenticate({ apiKey, authorization, cookie }) {
      if (apiKey !== undefined) return byKey(apiKey);
      if (authorization !== undefined) return byToken(authorization);
      const session = cookies.read(cookie);
      if (session !== null) return bySession(session);
      throw unauthorized('Send an API key as `X-API-Key`, or a sign-in token as `Authorization: Bearer <token>`.');
    },
  };
}
