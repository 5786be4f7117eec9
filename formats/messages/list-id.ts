/** The header `List-Id` (RFC 2919) of mail to the subscribers of a list, by which mail programs sort it. */

/** A name that a header can hold without an encoding. */
const PLAIN = /^[\x20-\x7e]{1,200}$/;
const IP_ADDRESS = /^(?:\[.*\]|[\d.]+)$/;

/** The domain in the identifiers of lists, of the base address at which recipients reach this service; null where nobody knows that address. */
export function listDomainOf(publicUrl: string | null): string | null {
  if (publicUrl === null) return null;
  const { hostname } = new URL(publicUrl);
  return IP_ADDRESS.test(hostname) ? 'localhost' : hostname;
}

/** `"Summer news" <lst_….example.com>`. The identifier never changes; the name is left out where it is not in plain ASCII. */
export const listIdHeader = ({ id, name }: { readonly id: string; readonly name: string }, domain: string): string =>
  PLAIN.test(name.trim()) ? `"${name.trim().replace(/["\\]/g, '\\$&')}" <${id}.${domain}>` : `<${id}.${domain}>`;
