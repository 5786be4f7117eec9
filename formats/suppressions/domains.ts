/** A suppression of all addresses of a domain is the entry of `*@example.com`, an address that nobody has. */
import { normalizeEmail } from '../contacts/addresses.js';

const ALL = '*@';

/** The address of the entry for a domain, `*@example.com`; null if the text is no domain. An `@` or `*@` in front is taken off. */
export const domainEntry = (domain: string): string | null => normalizeEmail(`${ALL}${domain.trim().replace(/^\*?@/, '')}`);

/** The entry that holds for an email address beside its own; null of what is no email, and of the entry of a domain itself. */
export function domainEntryOf(address: string): string | null {
  const at = address.lastIndexOf('@');
  return at < 1 || address.startsWith(ALL) ? null : `${ALL}${address.slice(at + 1)}`;
}

/** The domain that an entry is for; null of the entry of one address. */
export const domainOfEntry = (address: string | null): string | null => (address?.startsWith(ALL) ? address.slice(ALL.length) : null);
