/** Characters. Longer ones are no mailbox, and the expressions below take quadratic time. */
const MAX_MAILBOX = 1_000;

/** A mailbox as a header writes it: `Ada <ada@example.com>` or the address alone; null where there is no address. */
export function mailboxOf(text: string): { readonly address: string; readonly name: string | null } | null {
  if (text.length > MAX_MAILBOX) return null;
  const named = /^\s*"?([^"<]*?)"?\s*<([^<>\s]+@[^<>\s]+)>\s*$/.exec(text);
  if (named) return { address: named[2] as string, name: named[1] || null };
  const address = /^\s*([^<>\s,;]+@[^<>\s,;]+)\s*$/.exec(text)?.[1];
  return address === undefined ? null : { address, name: null };
}
