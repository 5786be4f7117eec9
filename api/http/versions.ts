import { hash } from 'node:crypto';
import { DomainError } from '../../domain/kernel/errors.js';

/** The header of the response with a single resource: `ETag: "7"`. */
export const etag = (version: number): { readonly ETag: string } => ({ ETag: `"${version}"` });

/**
 * The version in `If-Match`; null if the header is missing or `*`. Throws `invalid_parameter` for an invalid
 * version, also a weak one, because a change must not be made to a state that is only similar.
 */
export function ifMatch(headers: { readonly 'if-match'?: string | string[] | undefined }): number | null {
  const header = headers['if-match'];
  if (header === undefined || header === '*') return null;
  const version = /^"(\d{1,15})(?:-[\w-]{16})?"$/.exec(String(header))?.[1];
  if (version !== undefined) return Number(version);
  const message = 'Use the ETag of the version that you read, for example "7".';
  throw new DomainError('invalid_parameter', message, { errors: [{ field: 'If-Match', code: 'invalid_format', message }] });
}

/**
 * The `ETag` of the answer to a GET: the version, if there is one, and the hash of the body, which can change without it (numbers, for
 * example). As `If-Match` only the version counts.
 */
export function bodyEtag(version: string | undefined, bytes: string | Uint8Array): string {
  const digest = hash('sha256', bytes, 'base64url').slice(0, 16);
  return version === undefined ? `W/"${digest}"` : `"${version.replaceAll('"', '')}-${digest}"`;
}

/** Whether `If-None-Match` names the tag, compared weakly (RFC 9110, 13.1.2). */
export function isNoneMatch(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = (text: string): string => text.trim().replace(/^W\//, '');
  return header.trim() === '*' || header.split(',').some((one) => opaque(one) === opaque(tag));
}

/** Throws `version_conflict` unless the current version is the expected one, or none is expected. */
export function requireVersion(expected: number | null, actual: number): void {
  if (expected === null || expected === actual) return;
  throw new DomainError('version_conflict', `This is at version ${actual}, not ${expected}. Read it again, then change it.`, { expected, actual });
}
