import { createHmac, timingSafeEqual } from 'node:crypto';

/** Name of the key that signs the links in confirmation mails. */
export const FORM_CONFIRMATION_PURPOSE = 'form-confirmation';

const MAC_BYTES = 16;

/** `key`: of the purpose FORM_CONFIRMATION_PURPOSE. The same submission has the same token, so a repeated mail is identical. */
export function submissionToken(submissionId: string, key: Buffer): string {
  const payload = Buffer.from(submissionId);
  return Buffer.concat([macOf(payload, key), payload]).toString('base64url');
}

/** The id of the submission; null if the token is forged. Whether it can still be used is decided by the submission's stream. */
export function readSubmissionToken(token: string, key: Buffer): string | null {
  const bytes = Buffer.from(token, 'base64url');
  const payload = bytes.subarray(MAC_BYTES);
  const genuine = payload.length > 0 && timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(payload, key));
  return genuine ? payload.toString() : null;
}

const macOf = (payload: Buffer, key: Buffer): Buffer => createHmac('sha256', key).update(payload).digest().subarray(0, MAC_BYTES);

export const submissionUrl = (baseUrl: string, token: string): string => `${baseUrl}/v1/public/forms/confirm/${token}`;
