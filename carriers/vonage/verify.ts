import { createHash, createHmac, createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { ownField } from '../../domain/kernel/own-fields.js';
import { equalSecrets, formFields, isFields, parsedJsonOf, queryOf, type RawRequest, requestHeaderOf } from '../runtime/incoming.js';

const MAX_AGE_SECONDS = 300;

/**
 * Whether Vonage signed the request: by a token whose `payload_hash` is that of the body, or, of its older API for SMS, by the
 * field `sig`. A token without that hash signs no body and no query, so such a request needs `sig`. `now` in milliseconds since 1970.
 */
export function verifyVonage(request: RawRequest, { signatureSecret, now }: { readonly signatureSecret: string; readonly now: number }): boolean {
  const token = /^Bearer\s+(\S+)$/i.exec(requestHeaderOf(request, 'authorization'))?.[1];
  if (token !== undefined && request.body.length > 0) return isSignedBody(token, request.body, signatureSecret, now);
  return isSignedForm(vonageFieldsOf(request), signatureSecret);
}

function isSignedBody(token: string, body: Buffer, secret: string, now: number): boolean {
  try {
    // A key, not a text: the library would first try to read a text as a public key.
    const claims = jwt.verify(token, createSecretKey(secret, 'utf8'), {
      algorithms: ['HS256'],
      issuer: 'Vonage',
      maxAge: MAX_AGE_SECONDS,
      clockTimestamp: Math.floor(now / 1_000),
      // Clocks differ.
      clockTolerance: 30,
    });
    const hash = typeof claims === 'object' ? claims.payload_hash : undefined;
    return typeof hash === 'string' && equalSecrets(hash.toLowerCase(), createHash('sha256').update(body).digest('hex'));
  } catch {
    return false;
  }
}

/** The fields of a form, of JSON or, without a body, of the query. */
export function vonageFieldsOf({ target, body }: RawRequest): Readonly<Record<string, unknown>> {
  if (body.length === 0) return formFields(queryOf(target));
  const json = parsedJsonOf(body);
  return isFields(json) ? json : formFields(body.toString('utf8'));
}

/** The signature by its length: MD5 of fields and secret, or an HMAC. */
const signatures: Readonly<Record<number, readonly ((base: string, secret: string) => string)[]>> = {
  32: [
    (base, secret) =>
      createHash('md5')
        .update(base + secret)
        .digest('hex'),
    (base, secret) => createHmac('md5', secret).update(base).digest('hex'),
  ],
  40: [(base, secret) => createHmac('sha1', secret).update(base).digest('hex')],
  64: [(base, secret) => createHmac('sha256', secret).update(base).digest('hex')],
  128: [(base, secret) => createHmac('sha512', secret).update(base).digest('hex')],
};

/** The documented form, not that of Vonage's package for Node, which hashes `api_key_12345_…`. */
export function isSignedForm({ sig, ...fields }: Readonly<Record<string, unknown>>, secret: string): boolean {
  // What is within an object or a list has no part in the signature.
  if (typeof sig !== 'string' || Object.values(fields).some((value) => typeof value === 'object' && value !== null)) return false;
  const base = Object.keys(fields)
    .sort()
    .map((name) => `&${name}=${String(ownField(fields, name)).replace(/[&=]/g, '_')}`)
    .join('');
  return (signatures[sig.length] ?? []).some((sign) => equalSecrets(sign(base, secret), sig.toLowerCase()));
}
