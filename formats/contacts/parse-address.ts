import type { FieldProblem } from '../../domain/kernel/errors.js';
import { shortSenderOf } from '../../domain/messages/senders.js';
import { callingCodeOf, normalizeEmail, normalizePhone } from './addresses.js';

export const PHONE_HINT = 'Use a country prefix, for example +14155550100.';
export const EMAIL_HINT = 'Use an email address, for example ada@example.com.';

/** What is wrong with a text that is no email address. */
export function emailHint(text: string): string {
  const local = text.slice(0, Math.max(0, text.lastIndexOf('@')));
  if (/^\s*"/.test(local)) return 'Quotes before the @ are not supported. Use the other address of this person, for example ada@example.com.';
  return EMAIL_HINT;
}

/** What is wrong with a text that is no phone number. The number is not repeated: messages are stored, and it is personal. */
export function phoneHint(text: string): string {
  const code = callingCodeOf(text);
  return code === null ? PHONE_HINT : `This is no valid number of ${code}. Use a number such as +14155550100.`;
}

/** The normalized address, or the problem of the field. */
export function parseAddress(field: 'email' | 'phone', text: string): string | FieldProblem {
  const address = field === 'email' ? normalizeEmail(text) : normalizePhone(text);
  if (address !== null) return address;
  return field === 'email' ? { field, code: 'invalid_email', message: emailHint(text) } : { field, code: 'invalid_phone', message: phoneHint(text) };
}

/** The sender of a received text: a phone number in E.164, or a short code or a name as it is. Null for everything else. */
export const parseTextSender = (text: string): string | null => normalizePhone(text) ?? shortSenderOf(text);

/** Whether a text is meant as an email address or a phone number. */
export const addressKind = (text: string): 'email' | 'phone' => (text.includes('@') ? 'email' : 'phone');
