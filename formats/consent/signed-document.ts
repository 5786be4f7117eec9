import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/**
 * Documents that can be verified offline: canonical JSON (RFC 8785) with an Ed25519 signature (RFC 8032) and its public key,
 * and entries chained by hashes. Any change of a byte, and any removed entry, is detected. The verifier compares the
 * fingerprint of the key with one that it got by another way.
 */
export interface DocumentSignature {
  readonly public_key: string;
  readonly signature: string;
}

/** An entry in the chain: its hash covers all of it and the hash of the one before. */
export interface ChainLink {
  /** Null before the first. */
  readonly previous_hash: string | null;
  readonly hash: string;
}

export interface SigningKey {
  readonly secret: KeyObject;
  /** 32 bytes in base64url. */
  readonly public: string;
}

/** Prefixes of the 32 bytes of a private key in PKCS #8, and of a public key in SPKI (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const PUBLIC_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** The key of this installation. `seed`: 32 bytes derived from the master key for the purpose `consent-export`. */
export function signingKey(seed: Uint8Array): SigningKey {
  const secret = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(secret).export({ format: 'der', type: 'spki' });
  return { secret, public: spki.subarray(SPKI.length).toString('base64url') };
}

/** In the format of OpenSSH: `SHA256:` and the hash of the key's bytes. */
export const keyFingerprint = (publicKey: string): string =>
  `SHA256:${createHash('sha256').update(Buffer.from(publicKey, 'base64url')).digest('base64').replace(/=+$/, '')}`;

/** Canonical JSON (RFC 8785): no white space, members sorted by UTF-16 code units. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value));

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, v]) => v !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([k, v]) => [k, sorted(v)]));
}

const hashOf = (entry: object): string => createHash('sha256').update(canonicalJson(entry)).digest('base64url');

/** Chains entries: each with the hash of the one before it. */
export function chainEntries<T extends object>(entries: readonly T[]): (T & ChainLink)[] {
  let previous_hash: string | null = null;
  return entries.map((entry) => {
    const linked = { ...entry, previous_hash };
    const hash = hashOf(linked);
    previous_hash = hash;
    return { ...linked, hash };
  });
}

/** Signs a document. The members of the result are in canonical order, so `JSON.stringify` prints the canonical text. */
export function signDocument<T extends object>(document: T, key: SigningKey): T & DocumentSignature {
  const whole = { ...document, public_key: key.public };
  const signature = sign(null, Buffer.from(canonicalJson(whole)), key.secret).toString('base64url');
  return sorted({ ...whole, signature }) as T & DocumentSignature;
}

export type VerificationResult =
  | { readonly valid: true; readonly fingerprint: string; readonly document: Record<string, unknown> }
  | { readonly valid: false; readonly problem: string };

/**
 * Verifies a file by its own contents: it must be the canonical text of its document (with at most one line end after it),
 * signed by the key that it contains, and its chain of entries must be unbroken.
 */
export function verifyDocument(bytes: Uint8Array): VerificationResult {
  const parsed = parse(bytes);
  if (typeof parsed === 'string') return { valid: false, problem: parsed };
  const { signature, ...whole } = parsed;
  const publicKey = bytesOf(whole.public_key, PUBLIC_BYTES);
  const signatureBytes = bytesOf(signature, SIGNATURE_BYTES);
  if (!publicKey) return { valid: false, problem: 'it contains no public key' };
  if (!signatureBytes) return { valid: false, problem: 'it contains no signature' };
  const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });
  if (!verify(null, Buffer.from(canonicalJson(whole)), key, signatureBytes))
    return { valid: false, problem: 'its signature does not match: it was changed' };
  const broken = findBrokenLink(whole);
  if (broken !== null) return { valid: false, problem: broken };
  return { valid: true, fingerprint: keyFingerprint(whole.public_key as string), document: whole };
}

function parse(bytes: Uint8Array): Record<string, unknown> | string {
  let text: string;
  let document: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    document = JSON.parse(text);
  } catch {
    return 'it is not JSON';
  }
  if (document === null || typeof document !== 'object' || Array.isArray(document)) return 'it is not a JSON object';
  const canonical = canonicalJson(document);
  if (text !== canonical && text !== `${canonical}\n`) return 'its bytes are not those that were signed: it was changed or reformatted';
  return document as Record<string, unknown>;
}

/** The bytes of a canonical base64url text; null for any other text or length. */
function bytesOf(text: unknown, length: number): Buffer | null {
  if (typeof text !== 'string') return null;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === length && bytes.toString('base64url') === text ? bytes : null;
}

function findBrokenLink({ entries, chain_head }: Record<string, unknown>): string | null {
  if (!Array.isArray(entries)) return 'it contains no entries';
  let previous: string | null = null;
  for (const [i, entry] of entries.entries()) {
    const { hash, ...rest } = (entry ?? {}) as Record<string, unknown>;
    if (rest.previous_hash !== previous || hash !== hashOf(rest)) return `its chain is broken at entry ${i + 1}`;
    previous = hash as string;
  }
  return chain_head === previous ? null : 'its chain ends before its head';
}
