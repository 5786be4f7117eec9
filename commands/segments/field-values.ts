/** Values of rules over fields that have a normal form: addresses and languages. */
import { domainToASCII } from 'node:url';
import { type AttributeOp, leavesOf, type Rule } from '../../domain/segments/rule.js';
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

/** A whole value of a rule that no contact can have: the rule matches nobody by it, and excludes nobody. */
export interface UnreadableValue {
  readonly field: string;
  readonly value: string;
  /** How it is written, with an example. */
  readonly hint: string;
}

/** Those of a rule: texts that are no addresses. */
export const unreadableValuesOf = (rule: Rule): UnreadableValue[] =>
  leavesOf(rule).flatMap((leaf) => {
    const reader = leaf.type === 'attribute' && WHOLE.includes(leaf.op) ? readerOf(leaf.field) : null;
    if (leaf.type !== 'attribute' || !reader) return [];
    return [leaf.value ?? []].flat().flatMap((value) => {
      return typeof value === 'string' && reader.read(value) === null ? [{ field: leaf.field, value, hint: reader.hint(value) }] : [];
    });
  });

interface AddressReader {
  readonly read: (text: string) => string | null;
  readonly hint: (text: string) => string;
}

const readers: Readonly<Record<'email' | 'phone', AddressReader>> = {
  email: { read: normalizeEmail, hint: emailHint },
  phone: { read: normalizePhone, hint: phoneHint },
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
