/** How the body of a request is read, within a budget of bytes that all requests share. */

import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { toUSVString } from 'node:util';
import { DomainError } from '../../../domain/kernel/errors.js';
import { ownField } from '../../../domain/kernel/own-fields.js';
import { invalidJson, MAX_JSON_DEPTH, malformed, parseInSlices, tooDeep } from './json-in-slices.js';

/** Maximum size of a body in bytes, unless the route sets its own. */
export const DEFAULT_BODY_LIMIT = 2 * 1024 * 1024;

/** The client closed the connection before its body was complete. No response can be sent. */
export class RequestAborted extends Error {
  override readonly name = 'Aborted';
}

export const payloadTooLarge = (limit: number): DomainError =>
  new DomainError('payload_too_large', `The body is larger than ${limit} bytes. Send less at once.`, { limit_bytes: limit });

/** Checks the declared size. A body of unknown length is measured while it is read. */
export const hasBody = (request: IncomingMessage): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** The length of the body by its headers, in bytes; null if only reading it gives the length. */
export function declaredLength({ headers }: IncomingMessage): number | null {
  if (headers['transfer-encoding'] !== undefined) return null;
  return Number(headers['content-length'] ?? 0);
}

/**
 * Reads the whole body. Throws `payload_too_large` at the limit, RequestAborted if the connection breaks, and what `onBytes` throws,
 * which is given the length of each part that arrives.
 */
export function readBody(request: IncomingMessage, limit: number, onBytes: (count: number) => void = () => {}): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let first: Buffer | null = null;
    let chunks: Buffer[] | null = null;
    let size = 0;
    let refused = false;
    const length = declaredLength(request) ?? 0;
    // Filled as the bytes arrive: to join a large body at its end would hold the thread.
    let whole: Buffer | null = length > LARGE_BODY && length <= limit ? Buffer.allocUnsafeSlow(length) : null;
    const refuse = (error: unknown): void => {
      refused = true;
      first = null;
      chunks = null;
      whole = null;
      reject(error);
    };
    request.on('data', (chunk: Buffer) => {
      if (refused) return;
      size += chunk.length;
      if (size > limit) {
        refuse(payloadTooLarge(limit));
        return;
      }
      try {
        onBytes(chunk.length);
      } catch (error) {
        refuse(error);
        return;
      }
      if (whole) chunk.copy(whole, size - chunk.length);
      else if (first === null) first = chunk;
      else if (chunks === null) chunks = [first, chunk];
      else chunks.push(chunk);
    });
    request.on('end', () => resolve(whole ? whole.subarray(0, size) : chunks === null ? (first ?? Buffer.alloc(0)) : Buffer.concat(chunks, size)));
    request.on('error', () => reject(new RequestAborted()));
    request.on('close', () => {
      if (!request.complete) reject(new RequestAborted());
    });
  });
}

const JSON_TYPE = /^application\/(?:[\w.!#$&^-]+\+)?json\s*(?:;|$)/i;
const CHARSET = /;\s*charset\s*=\s*"?([^\s;"]+)/i;

/** Throws `unsupported_media_type` if the body is compressed. */
export function requireUncompressed(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw unsupported(`Send the body without the content encoding '${encoding.slice(0, 40)}'.`);
}

/** The type without its parameters, in lower case. */
export const mediaType = (request: IncomingMessage): string => (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

/** Throws `unsupported_media_type` unless the headers declare uncompressed JSON in UTF-8. `others`: the types that the route takes besides. */
export function requireJson(request: IncomingMessage, others: readonly string[]): void {
  const type = request.headers['content-type'];
  requireUncompressed(request);
  if (type === 'application/json') return;
  if (type === undefined || !JSON_TYPE.test(type))
    throw unsupported(`Send the body as JSON, with Content-Type: ${['application/json', ...others].join(', or as ')}.`);
  const charset = CHARSET.exec(type)?.[1];
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) throw unsupported('Send the body in UTF-8.');
}

const unsupported = (message: string): DomainError => new DomainError('unsupported_media_type', message);

/**
 * Strict JSON: valid UTF-8, an object or an array, at most 64 levels deep, no NUL and no half of a surrogate pair.
 * An own key `__proto__` is dropped and named in `warnings`, so that no copy of the body can set a prototype.
 */
export function parseJson(bytes: Buffer, warnings: string[]): object {
  const text = textBytes(bytes).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (e) {
    throw malformed((e as Error).message);
  }
  inspect(requireHolder(value), 1, mayHoldForbidden(text), warnings);
  return value as object;
}

/** Bodies of more bytes than this are read in slices. */
export const LARGE_BODY = 256 * 1024;

/** The same in slices, with a pause after each, so that other requests go on. */
export async function parseLargeJson(bytes: Buffer, warnings: string[], pause: () => Promise<void>): Promise<object> {
  const inspectSlice = (slice: object, text: string): void => inspect(slice, 1, mayHoldForbidden(text), warnings);
  return requireHolder(await parseInSlices(textBytes(bytes), { pause, inspect: inspectSlice, sliceBytes: LARGE_BODY }));
}

/** Without a byte order mark. Throws unless the bytes are UTF-8. */
function textBytes(bytes: Buffer): Buffer {
  if (!isUtf8(bytes)) throw invalidJson('The body is not valid UTF-8.');
  const marked = bytes.length > 2 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return marked ? bytes.subarray(3) : bytes;
}

function requireHolder(value: unknown): object {
  if (typeof value !== 'object' || value === null) throw invalidJson('The body must be a JSON object or array.');
  return value;
}

/** Only an escape can produce the forbidden characters, so the texts of most bodies need no check. */
const mayHoldForbidden = (text: string): boolean => text.includes('\\u');

function inspect(value: object, depth: number, texts: boolean, warnings: string[]): void {
  if (depth > MAX_JSON_DEPTH) throw tooDeep();
  if (Array.isArray(value)) {
    for (const item of value) inspectMember(item, depth, texts, warnings);
    return;
  }
  const holder = value as Record<string, unknown>;
  for (const key in holder) {
    if (key === '__proto__') {
      delete holder[key];
      if (!warnings.includes(PROTO_WARNING)) warnings.push(PROTO_WARNING);
      continue;
    }
    if (texts) checkText(key);
    inspectMember(ownField(holder, key), depth, texts, warnings);
  }
}

const PROTO_WARNING = 'unknown field: __proto__';

function inspectMember(member: unknown, depth: number, texts: boolean, warnings: string[]): void {
  if (typeof member === 'object' && member !== null) inspect(member, depth + 1, texts, warnings);
  else if (texts && typeof member === 'string') checkText(member);
}

function checkText(text: string): void {
  if (text.includes('\0')) throw invalidJson('The body contains the character U+0000, which is not allowed in texts.');
  if (toUSVString(text) !== text) throw invalidJson('The body contains half of a surrogate pair.');
}

/** 64 MB: two bodies of the maximum size. */
const DEFAULT_BODY_BUDGET = 64 * 1024 * 1024;
/** Bodies up to this size have an eighth of the budget for themselves, and no share of a caller limits them. */
const SMALL_BODY = 64 * 1024;

/** What one request holds of the budget. */
export interface BodyReservation {
  /** Takes more for a body that is longer than was known. Throws `unavailable` where there is no room; what is held stays held. */
  grow(bytes: number): void;
  /** Gives everything back. A second call does nothing. */
  release(): void;
}

/**
 * Counts the bytes of all request bodies that are being read, or are accepted and not yet on disk. No caller holds more than half of the
 * budget by large bodies, so that another one finds room, and large bodies leave room for small ones: single messages are accepted
 * while bulks are refused.
 */
export class BodyBudget {
  #held = 0;
  readonly #large = new Map<string, number>();

  constructor(private readonly limit: number = DEFAULT_BODY_BUDGET) {}

  /** Bytes held by all requests. */
  get held(): number {
    return this.#held;
  }

  /** Takes `bytes` for a caller: an account, or one name for all callers without a credential. Throws `unavailable`. */
  reserve(caller: string, bytes: number): BodyReservation {
    let own = 0;
    const grow = (more: number): void => {
      this.#take(caller, own, own + more);
      own += more;
    };
    grow(bytes);
    const release = (): void => {
      this.#count(caller, own, 0);
      own = 0;
    };
    return { grow, release };
  }

  #take(caller: string, before: number, after: number): void {
    const small = after <= SMALL_BODY;
    const room = small ? this.limit + this.limit / 8 : this.limit;
    const share = small ? 0 : (this.#large.get(caller) ?? 0) - (before > SMALL_BODY ? before : 0) + after;
    if (this.#held - before + after > room || share > this.limit / 2) throw tooMuchAtOnce();
    this.#count(caller, before, after);
  }

  #count(caller: string, before: number, after: number): void {
    this.#held += after - before;
    const change = (after > SMALL_BODY ? after : 0) - (before > SMALL_BODY ? before : 0);
    if (change === 0) return;
    const large = (this.#large.get(caller) ?? 0) + change;
    if (large === 0) this.#large.delete(caller);
    else this.#large.set(caller, large);
  }
}

const tooMuchAtOnce = (): DomainError =>
  new DomainError('unavailable', 'Too much is being accepted at this moment. Try again in a second. This request does not count for the rate limit.');
