import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Language, languages } from '../../domain/kernel/languages.js';

/** Name of the key that signs the tokens of pages. */
export const FORM_PAGE_PURPOSE = 'form-page';

/** What a page knows of itself: which version of the form it shows, in which language, and since when. */
export interface FormPage {
  readonly form_id: string;
  readonly version: number;
  readonly language: Language;
  /** Milliseconds since 1970. */
  readonly shown_at: number;
}

const MAC_BYTES = 16;

/** `key`: of the purpose FORM_PAGE_PURPOSE. */
export function formPageToken({ form_id, version, language, shown_at }: FormPage, key: Buffer): string {
  const payload = Buffer.from(JSON.stringify([form_id, version, language, shown_at]));
  return Buffer.concat([macOf(payload, key), payload]).toString('base64url');
}

/** Null if the token is forged, or is of another form. */
export function readFormPageToken(token: string, formId: string, key: Buffer): FormPage | null {
  const bytes = Buffer.from(token, 'base64url');
  const payload = bytes.subarray(MAC_BYTES);
  if (payload.length === 0 || !timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(payload, key))) return null;
  const [form_id, version, language, shown_at] = JSON.parse(payload.toString()) as [string, number, Language, number];
  return form_id === formId && languages.includes(language) ? { form_id, version, language, shown_at } : null;
}

const macOf = (payload: Buffer, key: Buffer): Buffer => createHmac('sha256', key).update(payload).digest().subarray(0, MAC_BYTES);
