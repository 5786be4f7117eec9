/** What addresses of mail name as a message of ours with its tag: `bounces+msg_…-<tag>@example.com`. */

/** Of a tag. */
export const TAG_LENGTH = 10;
/** Crockford's base32: mail systems may change the case. */
export const TAG_LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const ULID = '[0-9a-hjkmnp-tv-z]{26}';
const TAGGED = new RegExp(`\\b(msg_${ULID})-([${TAG_LETTERS}]{${TAG_LENGTH}})(?![0-9a-z])`, 'gi');
/** More are not looked at. */
const MAX_TOKENS = 20;

/** RFC 5321, 4.5.3.1.1. */
const MAX_LOCAL_PART = 64;

/** `inbox@example.com` becomes `inbox+msg_…-<tag>@example.com`. Null where the part before the @ has no room for both. */
export function taggedAddress(address: string, messageId: string, tag: string): string | null {
  const at = address.lastIndexOf('@');
  const local = `${address.slice(0, at)}+${messageId}-${tag}`;
  return local.length > MAX_LOCAL_PART ? null : `${local}${address.slice(at)}`;
}

/** What looks like an id of ours with a tag, `msg_…-<tag>`, as it is written by us. At most 20. */
export function tokensIn(texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts)
    for (const [, id = '', tag = ''] of text.matchAll(TAGGED)) {
      found.add(`msg_${id.slice('msg_'.length).toUpperCase()}-${tag.toLowerCase()}`);
      if (found.size === MAX_TOKENS) return [...found];
    }
  return [...found];
}
