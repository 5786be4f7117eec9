import { createHash, hash } from 'node:crypto';
import type { Entropy } from '../../domain/kernel/entropy.js';
import { ownField } from '../../domain/kernel/own-fields.js';

export const idPrefixes = [
  'acc',
  'usr',
  'key',
  'ses',
  'msg',
  'bat',
  'con',
  'lst',
  'seg',
  'cmp',
  'jrn',
  'enr',
  'tpl',
  'frm',
  'fsb',
  'fld',
  'sup',
  'psh',
  'inb',
  'evt',
  'whe',
  'whd',
  'job',
  'prk',
  'cnt',
  'req',
  'act',
  'vie',
] as const;
export type IdPrefix = (typeof idPrefixes)[number];

const CROCKFORD = [...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'];
/** Two characters at a time: by 10 bits. */
const PAIRS = CROCKFORD.flatMap((first) => CROCKFORD.map((second) => first + second));

/** The id of a new resource: prefix and ULID. Later ids sort later. `nowMs` in milliseconds since 1970. */
export const newId = (entropy: Pick<Entropy, 'ulid'>, prefix: IdPrefix, nowMs: number): string => `${prefix}_${entropy.ulid(nowMs)}`;

const BODY_LENGTH = 26;
/** Characters that a derived id shares with its source: the time of the ULID, and ten of its random bits. */
const SHARED_LENGTH = 12;

/** An id that is the same on every retry: prefix and 130 bits of a hash of `parts`. */
export const hashId = (prefix: IdPrefix, ...parts: readonly (string | number)[]): string => `${prefix}_${hashText(parts, BODY_LENGTH)}`;

/**
 * The same for a resource that belongs to another: it begins like the id of the other, so that resources that are created
 * together lie together in every index, followed by 70 bits of a hash.
 */
export const derivedId = (prefix: IdPrefix, of: string, ...parts: readonly (string | number)[]): string =>
  `${prefix}_${of.slice(-BODY_LENGTH, SHARED_LENGTH - BODY_LENGTH)}${hashText([of, ...parts], BODY_LENGTH - SHARED_LENGTH)}`;

/** Characters for an index of up to a million. */
const INDEX_LENGTH = 4;

/** The same for one of many: the ids sort by `nth`. */
export const nthId = (prefix: IdPrefix, of: string, nth: number, ...parts: readonly (string | number)[]): string =>
  `${prefix}_${of.slice(-BODY_LENGTH, SHARED_LENGTH - BODY_LENGTH)}${indexText(nth)}${hashText([of, nth, ...parts], BODY_LENGTH - SHARED_LENGTH - INDEX_LENGTH)}`;

const indexText = (nth: number): string => `${PAIRS[(nth >>> 10) & 1023]}${PAIRS[nth & 1023]}`;

/** The first `length` characters (even, at most 50) of the SHA-256 in Crockford's base32. */
function hashText(parts: readonly (string | number)[], length: number): string {
  // A binary string takes half the time of a Buffer.
  const bytes = hash('sha256', JSON.stringify(parts), 'binary');
  let out = '';
  let bits = 0;
  let value = 0;
  for (let i = 0; out.length < length; ) {
    for (; bits < 10; bits += 8) value = ((value << 8) | bytes.charCodeAt(i++)) & 0x3ffff;
    bits -= 10;
    out += PAIRS[(value >>> bits) & 1023];
  }
  return out;
}

/** Our own namespace for event ids (a UUID chosen once, at random). */
const NAMESPACE = Buffer.from('f3b7c8c26f0e4f2c9a550d2c57a1b6e4', 'hex');
/** RFC 9562, 5.5: the two highest bits of the byte after the version's are 10. By the hexadecimal digit that was there. */
const VARIANT: Readonly<Record<string, string>> = Object.fromEntries([...'0123456789abcdef'].map((digit, i) => [digit, '89ab'[i % 4] as string]));

/**
 * Event ids are UUID v5 of (invocation, stream, revision): the same on every retry of the same append. The uuid package takes
 * five times as long.
 */
export function eventId(invocation: string, stream: string, revision: number): string {
  const name = Buffer.from(`${invocation}/${stream}/${revision}`);
  const hex = hash('sha1', Buffer.concat([NAMESPACE, name]), 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${ownField(VARIANT, hex.charAt(16))}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Hash of a JSON value, independent of the order of keys and of white space. */
export const fingerprint = (value: unknown): string => createHash('sha256').update(canonical(value)).digest('base64url');

/** Characters that are hashed between two pauses. */
const HASHED_AT_ONCE = 256 * 1024;
/** Lists and objects so deep are hashed member by member. */
const SLICED_LEVELS = 3;

/** The same hash for a large value: `pause` is called after each part, so that other work can run. */
export async function fingerprintInSlices(value: unknown, pause: () => Promise<void>): Promise<string> {
  const whole = createHash('sha256');
  let text = '';
  for (const part of canonicalParts(value, SLICED_LEVELS)) {
    text += part;
    if (text.length < HASHED_AT_ONCE) continue;
    whole.update(text);
    text = '';
    await pause();
  }
  return whole.update(text).digest('base64url');
}

/** The canonical text in parts. */
function* canonicalParts(value: unknown, levels: number): Generator<string> {
  if (levels === 0 || typeof value !== 'object' || value === null) {
    yield canonical(value);
    return;
  }
  const list = Array.isArray(value);
  const members = list ? value.entries() : sortedEntries(value).values();
  let separator = list ? '[' : '{';
  for (const [name, member] of members) {
    yield list ? separator : `${separator}${JSON.stringify(name)}:`;
    yield* canonicalParts(member, levels - 1);
    separator = ',';
  }
  yield separator === ',' ? (list ? ']' : '}') : list ? '[]' : '{}';
}

const sortedEntries = (value: object): [string, unknown][] => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value !== null && typeof value === 'object') {
    return `{${sortedEntries(value)
      .map(([k, v]) => `${JSON.stringify(k)}:${canonical(v)}`)
      .join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}
