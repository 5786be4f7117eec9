/** The access token of a service account of Google, by the JWT bearer grant (RFC 7523). */
import jwt from 'jsonwebtoken';
import type { Clock } from '../../domain/kernel/clock.js';
import type { CarrierHttp } from '../runtime/http.js';
import { answerTextOf, responseJsonOf } from '../runtime/http-carrier.js';

/** What is needed of a service account, as the file of Google names it. Its own addresses are ignored: it may belong to an account. */
export interface ServiceAccount {
  readonly project_id: string;
  readonly client_email: string;
  readonly private_key: string;
  readonly private_key_id: string | null;
}

export const GOOGLE_TOKEN_URL = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const LIFE_S = 3_600;
/** A token is not used in its last minute. */
const MARGIN_MS = 60_000;

/** The service account in a JSON text; null where something is missing. */
export function readServiceAccount(text: string): ServiceAccount | null {
  const { project_id, client_email, private_key, private_key_id } = responseJsonOf({ body: text, status: 200, headers: {} });
  const [project, email, key] = [answerTextOf(project_id), answerTextOf(client_email), answerTextOf(private_key)];
  if (project === null || email === null || key === null) return null;
  return { project_id: project, client_email: email, private_key: key.replaceAll('\\n', '\n'), private_key_id: answerTextOf(private_key_id) };
}

/** Why there is no token: `misconfigured`: the key is not accepted; else it can be asked for again. */
export interface NoToken {
  readonly problem: 'misconfigured' | 'transient_error';
  readonly code: string;
}

/** Asks for a token and keeps it until shortly before its end. Calls at the same time share one request. */
export function accessTokens(account: ServiceAccount, url: string, http: CarrierHttp, clock: Pick<Clock, 'now'>) {
  let kept: { readonly token: string; readonly until: number } | null = null;
  let asking: Promise<string | NoToken> | null = null;

  const assertion = (): string => {
    const iat = Math.floor(clock.now() / 1_000);
    const claims = { iss: account.client_email, scope: SCOPE, aud: GOOGLE_TOKEN_URL, iat, exp: iat + LIFE_S };
    return jwt.sign(claims, account.private_key, { algorithm: 'RS256', ...(account.private_key_id && { keyid: account.private_key_id }) });
  };
  const ask = async (signal: AbortSignal): Promise<string | NoToken> => {
    let body: string;
    try {
      body = new URLSearchParams({ grant_type: GRANT, assertion: assertion() }).toString();
    } catch {
      return { problem: 'misconfigured', code: 'invalid_private_key' };
    }
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' };
    const answer = await http({ method: 'POST', url, headers, body }, signal).catch(() => null);
    if (answer === null) return { problem: 'transient_error', code: 'no_access_token' };
    const { access_token, expires_in } = responseJsonOf(answer);
    const token = answerTextOf(access_token);
    if (answer.status === 200 && token !== null) {
      kept = { token, until: clock.now() + (typeof expires_in === 'number' ? expires_in : LIFE_S) * 1_000 - MARGIN_MS };
      return token;
    }
    return { problem: answer.status >= 500 || answer.status === 429 ? 'transient_error' : 'misconfigured', code: `token_${answer.status}` };
  };

  return {
    /** The token, or why there is none. */
    async get(signal: AbortSignal): Promise<string | NoToken> {
      if (kept && kept.until > clock.now()) return kept.token;
      asking ??= ask(signal).finally(() => {
        asking = null;
      });
      return asking;
    },
    /** After an answer that refuses it. */
    forget(): void {
      kept = null;
    },
  };
}
