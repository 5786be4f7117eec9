import { createPublicKey, verify } from 'node:crypto';
import { type RawRequest, requestHeaderOf } from '../runtime/incoming.js';

const SIGNATURE = 'x-twilio-email-event-webhook-signature';
const TIMESTAMP = 'x-twilio-email-event-webhook-timestamp';

/** Whether SendGrid signed the events: ECDSA over the timestamp and the raw bytes. `publicKey`: DER (SPKI) in base64. */
export function verifySendGrid(request: RawRequest, { publicKey }: { readonly publicKey: string }): boolean {
  const signature = requestHeaderOf(request, SIGNATURE);
  if (signature === '') return false;
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
    return verify('sha256', Buffer.concat([Buffer.from(requestHeaderOf(request, TIMESTAMP)), request.body]), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}
