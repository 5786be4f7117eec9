import { setOwnField } from '../../../domain/kernel/own-fields.js';

/**
 * Removes personal data and secrets from texts before they are logged. Our own messages contain ids only, but the message
 * of an error may come from a library, a carrier or a receiver, and may quote anything.
 */

const HIDDEN = '<hidden>';

interface Pattern {
  readonly description: string;
  readonly pattern: RegExp;
  readonly replacement: string;
}

/** Applied in this order: URLs first, so that a token inside a URL does not leave half of the URL behind. */
const patterns: readonly Pattern[] = [
  // A path or query may be the secret itself (as in webhook addresses of chat services), so only the origin stays.
  {
    description: 'URL beyond its origin',
    pattern: /\b(https?|wss?):\/\/(?:[^\s/@"'<>]*@)?([^\s/?#"'<>)\],]+)(?:[/?#][^\s"'<>)\],]+)/gi,
    replacement: `$1://$2/${HIDDEN}`,
  },
  { description: 'URL with a password', pattern: /\b([a-z][a-z0-9+.-]*):\/\/[^\s/@"'<>]+@/gi, replacement: `$1://${HIDDEN}@` },
  { description: 'credential in a header', pattern: /\b(bearer|basic)\s+[a-z0-9._~+/=-]{6,}/gi, replacement: `$1 ${HIDDEN}` },
  { description: 'webhook signing secret', pattern: /\bwhsec_[\w+/=-]+/g, replacement: HIDDEN },
  { description: 'JSON Web Token', pattern: /\beyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/g, replacement: HIDDEN },
  {
    description: 'named secret',
    pattern:
      /\b((?:[\w-]*[_-])?(?:password|passwd|secret|token|api[_-]?key|authorization|pepper|seed))(["']?\s*[:=]\s*["']?)(?!<hidden>)[^\s"',;&)}\]]+/gi,
    replacement: `$1$2${HIDDEN}`,
  },
  // The last label is letters only: `package@1.2.0` is not an address.
  { description: 'email address', pattern: /[^\s@/<>"',;:()[\]{}=]+@[^\s@/<>"',;:()[\]{}]+\.\p{L}{2,}/gu, replacement: HIDDEN },
  { description: 'phone number with a country prefix', pattern: /(?<![\w])\+\d[\d ().-]{5,17}\d/g, replacement: HIDDEN },
  { description: 'grouped phone number', pattern: /(?<![\w.-])\(?\d{3}\)?[ .-]\d{3}[ .-]\d{4}(?![\w-])/g, replacement: HIDDEN },
  // Positions of the log have 20 digits and stay.
  { description: 'bare phone number', pattern: /(?<![\w.-])\d{9,15}(?![\w-])/g, replacement: HIDDEN },
  { description: '32 bytes in base64', pattern: /(?<![\w+/])[A-Za-z0-9+/]{43}=/g, replacement: HIDDEN },
  { description: '16 bytes or more in hex', pattern: /(?<![\w-])[0-9a-f]{32,}(?![\w-])/gi, replacement: HIDDEN },
  // Upper case, lower case and digits together are rare in identifiers of code. Our own ids have no lower case.
  {
    description: 'long random text',
    pattern: /(?<![\w-])(?=[\w+=-]*[A-Z])(?=[\w+=-]*[a-z])(?=[\w+=-]*\d)(?!(?:[a-z]+-)?[a-z]{3}_[0-9A-Z]{26}(?![\w-]))[\w+=-]{24,}/g,
    replacement: HIDDEN,
  },
];

/** Hides everything that looks like an address, a phone number, a credential or a key. */
export function scrub(text: string): string {
  let clean = text;
  for (const { pattern, replacement } of patterns) clean = clean.replace(pattern, replacement);
  return clean;
}

/** Fields whose value is never logged. Compared without case, `_` and `-`. */
const hiddenFields = new Set(
  `to from replyto recipient address email phone name firstname lastname contact subject message text html body title data payload metadata
  custom_fields properties url webhookurl query params ip useragent authorization cookie apikey xapikey key secret webhooksecret token password
  passwordhash signature masterkey operatortoken seed pepper sealed`
    .split(/\s+/)
    .map(normalizeFieldName),
);

function normalizeFieldName(field: string): string {
  return field.toLowerCase().replace(/[_-]/g, '');
}

const MAX_DEPTH = 6;
const MAX_TEXT = 2_000;
const MAX_ITEMS = 50;

/** A copy of the value: secret and personal fields are hidden, texts scrubbed and long ones cut. */
export function scrubValue(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return scrubText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'function' || typeof value === 'symbol' ? HIDDEN : value;
  if (value instanceof Date) return value;
  if (value instanceof Error) return scrubError(value, depth);
  if (depth >= MAX_DEPTH || ArrayBuffer.isView(value)) return HIDDEN;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => scrubValue(item, depth + 1));
  return scrubFields(value as Record<string, unknown>, depth);
}

function scrubFields(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(fields)) {
    setOwnField(
      clean,
      field,
      hiddenFields.has(normalizeFieldName(field)) && value !== null && value !== undefined ? HIDDEN : scrubValue(value, depth + 1),
    );
  }
  return clean;
}

/** An error as data. Of its own fields only `code` is included: libraries put their inputs into others. */
function scrubError(error: Error, depth: number): Record<string, unknown> {
  const { code } = error as { code?: unknown };
  const clean: Record<string, unknown> = { type: error.name, detail: scrubText(error.message) };
  if (typeof code === 'string' || typeof code === 'number') clean.code = scrubValue(code);
  if (error.stack) clean.stack = scrubText(stackFrames(error.stack));
  if (error.cause !== undefined && depth < MAX_DEPTH) clean.cause = scrubValue(error.cause, depth + 1);
  return clean;
}

/** The stack frames, without the message above them. */
const stackFrames = (stack: string): string => stack.slice(Math.max(0, stack.search(/^\s*at /m)));

const scrubText = (text: string): string => scrub(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text);
