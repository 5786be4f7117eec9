import { createHash, createHmac } from 'node:crypto';
import { textOf } from '../values.js';
import { FilterFailure, type FilterTable } from './filter.js';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const BASE64_URL = /^[A-Za-z0-9_-]*={0,2}$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const bytesOf = (value: unknown): Buffer => Buffer.from(textOf(value), 'utf8');

function decoded(text: string, encoding: 'base64' | 'base64url', pattern: RegExp): string {
  if (!pattern.test(text)) throw new FilterFailure('its text is no base64');
  try {
    return utf8.decode(Buffer.from(text, encoding));
  } catch {
    throw new FilterFailure('the bytes of its text are no UTF-8');
  }
}

/** The characters of base64 for addresses of pages, with the padding at the end. */
const forUrl = (base64: string): string => base64.replaceAll('+', '-').replaceAll('/', '_');

const digest = (algorithm: string) => (value: unknown) => createHash(algorithm).update(bytesOf(value)).digest('hex');
const keyedDigest = (algorithm: string) => (value: unknown, key: unknown) => createHmac(algorithm, bytesOf(key)).update(bytesOf(value)).digest('hex');

/** Filters that encode and digest texts, as UTF-8. */
export const digestFilters: FilterTable = {
  base64_encode: [0, 0, (value) => bytesOf(value).toString('base64')],
  base64_decode: [0, 0, (value) => decoded(textOf(value), 'base64', BASE64)],
  base64_url_safe_encode: [0, 0, (value) => forUrl(bytesOf(value).toString('base64'))],
  base64_url_safe_decode: [0, 0, (value) => decoded(textOf(value), 'base64url', BASE64_URL)],
  md5: [0, 0, digest('md5')],
  sha1: [0, 0, digest('sha1')],
  sha256: [0, 0, digest('sha256')],
  hmac_sha1: [1, 1, keyedDigest('sha1')],
  hmac_sha256: [1, 1, keyedDigest('sha256')],
};
