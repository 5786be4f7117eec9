import jwt from 'jsonwebtoken';
import type { UserRole } from '../../domain/accounts/access.js';
import { DomainError } from '../../domain/kernel/errors.js';
import type { Clock } from '../../domain/kernel/ports.js';

/** In seconds. */
export const TOKEN_LIFETIME_SECONDS = 3_600;

/** The user of a token. `version` is the user's at that time: any command that raises it invalidates the token. */
export interface TokenHolder {
  readonly user: string;
  readonly account: string;
  readonly role: UserRole;
  readonly version: number;
}

/** Sign-in tokens: JWT (RFC 7519) with HMAC-SHA256 only, valid for an hour. */
export class SignInTokens {
  /** `key`: of the purpose `jwt`. */
  constructor(
    private readonly key: Buffer,
    private readonly clock: Pick<Clock, 'now'>,
  ) {}

  issue({ user, account, role, version }: TokenHolder): { token: string; expires_at: string } {
    const iat = Math.floor(this.clock.now() / 1000);
    const exp = iat + TOKEN_LIFETIME_SECONDS;
    const token = jwt.sign({ sub: user, acc: account, role, ver: version, iat, exp }, this.key, { algorithm: 'HS256' });
    return { token, expires_at: new Date(exp * 1000).toISOString() };
  }

  /** Throws `token_expired` for an expired token of this service, `unauthorized` for any other text. */
  verify(token: string): Pick<TokenHolder, 'user' | 'account' | 'version'> {
    try {
      const clockTimestamp = Math.floor(this.clock.now() / 1000);
      const claims = jwt.verify(token, this.key, { algorithms: ['HS256'], clockTimestamp });
      if (typeof claims === 'object' && claims.sub !== undefined)
        return { user: claims.sub, account: String(claims.acc), version: Number(claims.ver) };
    } catch (e) {
      if (e instanceof jwt.TokenExpiredError) throw new DomainError('token_expired', 'The sign-in token has expired. Sign in again.');
    }
    throw new DomainError('unauthorized', 'This is not a sign-in token of this service.');
  }
}
