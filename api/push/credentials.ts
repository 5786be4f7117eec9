import type { ShownCredentials } from '../../commands/push/verify-identity.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import type { Authenticator, Services } from '../http/services.js';
import { INBOX_TOKEN_PURPOSE, InboxTokens } from '../inbox/signed-token.js';

/** Reads the credentials with which a public request may prove who a device belongs to. Those that are wrong count as none. */
export function shownCredentialsReader({ clock, purposeKey }: Pick<Services, 'clock' | 'purposeKey'>, { authenticate }: Authenticator) {
  const tokens = new InboxTokens(purposeKey(INBOX_TOKEN_PURPOSE));

  const keyOf = async (apiKey: string, account: string): Promise<string | null> => {
    try {
      const { account: own, actor, scopes, mode } = await authenticate({ apiKey, authorization: undefined });
      return own === account && mode !== 'test' && (scopes === null || scopes.includes('write')) ? actor.id : null;
    } catch (e) {
      if (isDomainError(e)) return null;
      throw e;
    }
  };
  const inboxContactOf = (authorization: string, account: string): string | null => {
    const grant = tokens.open(/^Bearer +(\S+)$/i.exec(authorization)?.[1] ?? '');
    return grant?.account === account && grant.expires * 1_000 > clock.now() ? grant.contact_id : null;
  };

  /** `account`: that of the device. Throws where a store cannot be asked. */
  return async (headers: Readonly<Record<string, string | string[] | undefined>>, account: string): Promise<ShownCredentials> => {
    const { 'x-api-key': apiKey, authorization } = headers;
    const api_key = typeof apiKey === 'string' && apiKey !== '' ? await keyOf(apiKey, account) : null;
    const inbox_contact = typeof authorization === 'string' ? inboxContactOf(authorization, account) : null;
    return { ...(api_key !== null && { api_key }), ...(inbox_contact !== null && { inbox_contact }) };
  };
}
