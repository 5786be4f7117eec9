import type { FieldProblem } from '../../domain/kernel/errors.js';
import { normalizeEmail, normalizePhone } from './addresses.js';

export const PHONE_HINT = 'Use a country prefix, for example +14155550100.';
export const EMAIL_HINT = 'Use an email address, for example ada@example.com.';

/** The normalized address, or the problem of the field. */
export function parseAddress(field: 'email' | 'phone', text: string): string | FieldProblem {
  const address = field === 'email' ? normalizeEmail(text) : normalizePhone(text);
  if (address !== null) return address;
  return field === 'email' ? { field, code: 'invalid_email', message: EMAIL_HINT } : { field, code: 'invalid_phone', message: PHONE_HINT };
}

/** Whether a text is meant as an email address or a phone number. */
export const addressKind = (text: string): 'email' | 'phone' => (text.includes('@') ? 'email' : 'phone');
