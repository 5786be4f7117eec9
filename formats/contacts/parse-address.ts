import type { FieldProblem } from '../../domain/kernel/errors.js';
import { shortSenderOf } from '../../domain/messages/senders.js';
import { callingCodeOf, normalizeEmail, normalizePhone, wrongLengthOf } from './addresses.js';

export const PHONE_HINT = 'Use a country prefix, for example +14155550100.';
export const EMAIL_HINT = 'Use an email address, for example ada@example.com.';

/** What a text is that is given where another kind of address belongs; null if that is not known. */
export function otherKindOf(text: string, wanted: 'email' | 'phone'): string | null {
  const trimmed = text.trim();
  if (/^con_[0-9A-Za-z]+$/.test(trimmed)) return 'the id of a contact';
  if (/^custom_field\.[^:]+:/.test(trimmed)) return 'a custom field';
  if (/^https?:\/\//i.test(trimmed)) return 'a URL';
  if (wanted === 'phone') return /^[^\s@]+@[^\s@]+$|<[^\s@]+@[^\s@]+>$/.test(trimmed) ? 'an email address' : null;
  return /^(?=(?:\D*\d){5})\+?[\d\s().\p{Pd}/]+$/u.test(trimmed) ? 'a phone number' : null;
}

/** What is wrong with a text that is no email address. */
export function emailHint(text: string): string {
  const other = otherKindOf(text, 'email');
  if (other !== null) return `This is ${other}. ${EMAIL_HINT}`;
  const local = text.slice(0, Math.max(0, text.lastIndexOf('@')));
  if (/^\s*"/.test(local)) return 'Quotes before the @ are not supported. Use the other address of this person, for example ada@example.com.';
  return EMAIL_HINT;
}

/** What is wrong with a text that is no phone number. The number is not repeated: messages are stored, and it is personal. */
export function phoneHint(text: string): string {
  const other = otherKindOf(text, 'phone');
  if (other !== null) return `This is ${other}. Use a phone number with country prefix, for example +14155550100.`;
  const code = callingCodeOf(text);
  if (code === null) return PHONE_HINT;
  const length = wrongLengthOf(text);
  if (length === null) return `This is no valid number of ${code}. Use a number such as +14155550100.`;
  const digits = `such numbers have ${rangesOf(length.possible)} digits after it, this one has ${length.given}`;
  return `This is no valid number of ${code}: ${digits}. Use a number such as +14155550100.`;
}

/** `7, 9 to 11 or 13`. */
function rangesOf(lengths: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const length of lengths) {
    const before = ranges.at(-1);
    if (before && before[1] === length - 1) before[1] = length;
    else ranges.push([length, length]);
  }
  const named = ranges.map(([first, last]) => (first === last ? `${first}` : last === first + 1 ? `${first} or ${last}` : `${first} to ${last}`));
  return named.length === 1 ? `${named[0]}` : `${named.slice(0, -1).join(', ')} or ${named.at(-1)}`;
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
