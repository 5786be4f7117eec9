import jwt from 'jsonwebtoken';
import type { Role } from '../../domain/accounts/access.js';
import { DomainError } from '../../domain/kernel/errors.js';
import type { Clock } from '../../domain/kernel/ports.js';

/** Seconds. */
export const TOKEN_LIFETIME_SECONDS = 3_600;

/** Whom a token was given to. `version` is the user's at that time: whatever raises it voids the token. */
export interface TokenHolder {
  readonly user: string;
  readonly account: string;
  readonly role: Role;
  readonly version: number;
}

/** Sign-in tokens: JWT (RFC 7519), HMAC with SHA-256 and nothing else, valid for an hour. */
export class SignInTokens {
  /** `key` is of the purpose `jwt`. */
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

  /** Throws `token_expired` for one of ours that is too old, `unauthorized` for anything else. */
  verify(token: string): Pick<TokenHolder, 'user' | 'account' | 'version'> {
    try {
      const clockTimestamp = Math.floor(this.clock.now() / 1000);
      const claims = jwt.verify(token, this.key, { algorithms: ['HS256'], clockTimestamp });
      if (typeof claims === 'object' && claims.sub !== undefined)
        return { user: claims.sub, account: String(claims.acc), version: Number(claims.ver) };
    } catch (e) {
      if (e instanceof jwt.TokenExpiredError) throw new DomainError('token_expired', 'The sign-in token has expired. Sign in again.');
    }
    throw new DomainError('unauthorized', 'This is no sign-in token of this service.');
  }
}
