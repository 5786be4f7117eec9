import { sessionLimits } from '../../domain/accounts/sessions.js';
import { parseSessionCookie } from '../../formats/accounts/secrets.js';

/**
 * The cookie of a signed-in browser. Scripts cannot read it, and browsers send it from pages of the same site alone. Over https its name
 * has the prefix `__Host-`, so that neither another host of the domain nor plain http can set it (RFC 6265bis, section 4.1.3.2).
 */
export class SessionCookies {
  readonly #name: string;
  readonly #attributes: string;

  constructor(publicUrl: string) {
    const secure = publicUrl.startsWith('https:');
    this.#name = secure ? '__Host-heliograph_session' : 'heliograph_session';
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  }

  /** The user and the hash of the secret in a `Cookie` header, or null. Of several cookies with the name the first one counts. */
  read(header: string | undefined): { readonly user: string; readonly hash: string } | null {
    if (header === undefined) return null;
    const begin = `${this.#name}=`;
    const cookie = header.split(/; */).find((pair) => pair.startsWith(begin));
    return cookie === undefined ? null : parseSessionCookie(cookie.slice(begin.length));
  }

  /** The header that sets the cookie. */
  set = (value: string) => ({ 'Set-Cookie': `${this.#name}=${value}; Max-Age=${sessionLimits.ageMs / 1000}; ${this.#attributes}` });

  /** The header that removes it. */
  clear = () => ({ 'Set-Cookie': `${this.#name}=; Max-Age=0; ${this.#attributes}` });
}
