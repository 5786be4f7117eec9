import { createHash } from 'node:crypto';
import { DomainError, invalid } from '../../domain/kernel/errors.js';
import { parseJson } from '../http/body/body.js';
import type { BodyReader } from '../http/route.js';

/** The parts of a form: the file, its options, and unknown parts. */
const MAX_PARTS = 20;
const MAX_PART_HEADER_BYTES = 16_384;
const MAX_OPTIONS_BYTES = 1024 * 1024;
const HASHED_AT_ONCE = 1024 * 1024;
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;

/** The uploaded file of a request. In the body itself the field `file` has the hash of the file. */
const FILE = Symbol('file');

/** The uploaded file, or null for a JSON request. */
export const uploadedFile = (body: object): Buffer | null => (body as { readonly [FILE]?: Buffer })[FILE] ?? null;

/**
 * A form with `file` and `options` (RFC 7578), parsed in place: the file is never copied. The contents of `options` become the
 * body.
 */
export const readImportForm: BodyReader = async (bytes, contentType, pause) => {
  const match = BOUNDARY.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (!boundary) throw malformedForm();
  const parts = partsOf(bytes, boundary);
  const file = parts.get('file');
  if (!file) throw invalid([{ field: 'file', code: 'required', message: 'Send the CSV as the field `file`.' }]);
  const options = parts.get('options');
  if (options && options.length > MAX_OPTIONS_BYTES)
    throw new DomainError('payload_too_large', 'The options are too long.', { limit_bytes: MAX_OPTIONS_BYTES });
  const body: Record<string, unknown> = {
    ...(options && options.length > 0 ? (parseJson(options, []) as Record<string, unknown>) : {}),
    file: await hashOf(file, pause),
  };
  return Object.defineProperty(body, FILE, { value: file });
};

/** In slices, so that other requests go on. */
async function hashOf(file: Buffer, pause: () => Promise<void>): Promise<string> {
  const hash = createHash('sha256');
  for (let from = 0; from < file.length; from += HASHED_AT_ONCE) {
    hash.update(file.subarray(from, from + HASHED_AT_ONCE));
    await pause();
  }
  return hash.digest('hex');
}

function partsOf(bytes: Buffer, boundary: string): Map<string, Buffer> {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const parts = new Map<string, Buffer>();
  const first = Buffer.from(`--${boundary}`);
  let at = bytes.subarray(0, first.length).equals(first) ? first.length : offsetAfter(bytes, delimiter, 0);
  for (let n = 0; n <= MAX_PARTS; n++) {
    if (bytes.toString('latin1', at, at + 2) === '--') return parts;
    const begin = offsetAfter(bytes, Buffer.from('\r\n'), at);
    const end = bytes.indexOf(delimiter, begin - 2);
    if (end === -1) throw malformedForm();
    const [name, content] = partOf(bytes.subarray(begin, Math.max(begin, end)));
    if (parts.has(name)) throw malformedForm();
    parts.set(name, content);
    at = end + delimiter.length;
  }
  throw malformedForm();
}

function offsetAfter(bytes: Buffer, what: Buffer, from: number): number {
  const at = bytes.indexOf(what, from);
  if (at === -1) throw malformedForm();
  return at + what.length;
}

function partOf(part: Buffer): [name: string, content: Buffer] {
  const end = part.indexOf('\r\n\r\n');
  if (end === -1 || end > MAX_PART_HEADER_BYTES) throw malformedForm();
  const head = part.toString('utf8', 0, end);
  const name = /^content-disposition:\s*form-data\s*;(?:.*;)?\s*name="([^"]{0,200})"/im.exec(head)?.[1];
  if (name === undefined) throw malformedForm();
  return [name, part.subarray(end + 4)];
}

const malformedForm = (): DomainError => new DomainError('invalid_parameter', 'The form is malformed.');
