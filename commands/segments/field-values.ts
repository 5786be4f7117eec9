/** Values of rules over fields that have a normal form: addresses, languages and time zones. */
import { domainToASCII } from 'node:url';
import { contactFields, isBaseField } from '../../domain/contacts/contact-fields.js';
import { fullFieldName, isWholeOp } from '../../domain/segments/fields.js';
import { leavesOf, type Rule } from '../../domain/segments/rule.js';
import type { FieldText } from '../../domain/segments/validate.js';
import { type TextReader, textReaders } from '../../formats/contacts/text-readers.js';

/** A whole value in its normal form, or unchanged where it has none; of a part, what contacts would have of it. */
export const valueText: FieldText = (field, op, text) => {
  if (isWholeOp(op)) return readValue(readerOf(field), text) ?? text;
  if (field === 'locale') return text.trim().replaceAll('_', '-');
  return field === 'email' ? partOfEmail(text) : text;
};

/** A whole value of a rule that no contact can have: the rule matches nobody by it, and excludes nobody. */
export interface UnreadableValue {
  readonly field: string;
  readonly value: string;
  /** How it is written, with an example. */
  readonly hint: string;
}

/** Those of a rule: texts that are no addresses, language tags or time zones. */
export const unreadableValuesOf = (rule: Rule): UnreadableValue[] =>
  leavesOf(rule).flatMap((leaf) => {
    const reader = leaf.type === 'attribute' && isWholeOp(leaf.op) ? readerOf(fullFieldName(leaf.field)) : null;
    if (leaf.type !== 'attribute' || !reader) return [];
    return [leaf.value ?? []].flat().flatMap((value) => {
      return typeof value === 'string' && readValue(reader, value) === null ? [{ field: leaf.field, value, hint: reader.hint(value) }] : [];
    });
  });

/** How contacts read a field, by its full name; null where they take any text. */
function readerOf(field: string): TextReader | null {
  const reading = isBaseField(field) ? contactFields[field].reading : 'text';
  return reading === 'text' ? null : textReaders[reading];
}

/** Blanks around a value do not count in rules, see `fieldForms`. */
const readValue = (reader: TextReader | null, text: string): string | null => reader?.read(text.trim()) ?? null;

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
