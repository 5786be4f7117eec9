/** Values of rules over fields that have a normal form: addresses and languages. */
import { domainToASCII } from 'node:url';
import type { AttributeOp } from '../../domain/segments/rule.js';
import type { RuleProblem } from '../../domain/segments/shape.js';
import type { FieldText } from '../../domain/segments/validate.js';
import { normalizeEmail, normalizePhone } from '../../formats/contacts/addresses.js';
import { emailHint, phoneHint } from '../../formats/contacts/parse-address.js';

const WHOLE: readonly AttributeOp[] = ['eq', 'neq', 'in', 'not_in'];

/** A whole value in its normal form, or unchanged where it has none; of a part, what contacts would have of it. */
export const valueText: FieldText = (field, op, text) => {
  if (field === 'locale') return text.trim().replaceAll('_', '-');
  const reader = readerOf(field);
  if (!reader) return text;
  if (WHOLE.includes(op)) return reader.read(text) ?? text;
  return field === 'email' ? partOfEmail(text) : text;
};

/** What is wrong with a whole value that no contact can have: a text that is no address. Null for other fields. */
export function fieldValueProblem(field: string, text: string): Omit<RuleProblem, 'pointer'> | null {
  const reader = readerOf(field);
  return reader && reader.read(text) === null ? { code: reader.code, message: reader.hint(text) } : null;
}

interface AddressReader {
  readonly read: (text: string) => string | null;
  readonly code: string;
  readonly hint: (text: string) => string;
}

const readers: Readonly<Record<'email' | 'phone', AddressReader>> = {
  email: { read: normalizeEmail, code: 'invalid_email', hint: emailHint },
  phone: { read: normalizePhone, code: 'invalid_phone', hint: phoneHint },
};

const readerOf = (field: string): AddressReader | null => (field === 'email' || field === 'phone' ? readers[field] : null);

/** Emails have their domain in ASCII: `@bücher.example` is a part of none. */
function partOfEmail(text: string): string {
  const small = text.trim().toLowerCase();
  const at = small.lastIndexOf('@');
  const domain = small.slice(at + 1);
  if (Buffer.byteLength(domain) === domain.length || !domain.includes('.')) return small;
  const dot = domain.startsWith('.') ? '.' : '';
  const ascii = domainToASCII(domain.slice(dot.length));
  return ascii === '' ? small : small.slice(0, at + 1) + dot + ascii;
}
