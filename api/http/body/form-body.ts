import { isUtf8 } from 'node:buffer';
import { DomainError } from '../../../domain/kernel/errors.js';
import { ownField, setOwnField } from '../../../domain/kernel/own-fields.js';
import { windows1252Text } from '../../../domain/kernel/windows-1252.js';
import type { BodyReader } from '../route.js';

/** The fields of a form: a field that is given twice becomes a list. Without a prototype, because the names come from the client. */
export type FormFields = Record<string, string | string[]>;

const malformed = (): DomainError => new DomainError('invalid_parameter', 'The form is malformed.');

function formFields(pairs: Iterable<readonly [string, string]>): FormFields {
  const fields = Object.create(null) as FormFields;
  for (const [name, value] of pairs) {
    if (value.includes('\0')) throw malformed();
    const before = ownField(fields, name);
    if (before === undefined) setOwnField(fields, name, value);
    else if (Array.isArray(before)) before.push(value);
    else setOwnField(fields, name, [before, value]);
  }
  return fields;
}

/** Pairs whose texts stand for bytes: each character is one. */
type BytePairs = readonly (readonly [name: string, value: string])[];

/**
 * The texts of a form. Pages in UTF-8 send that; older ones send Windows-1252, which browsers also use where a page says ISO-8859-1. What is
 * no UTF-8 anywhere is taken for it in all fields: a form has one encoding.
 */
function decoded(pairs: BytePairs): [string, string][] {
  const isWhole = pairs.flat().every((text) => isUtf8(Buffer.from(text, 'latin1')));
  const textOf = (bytes: string): string => (isWhole ? Buffer.from(bytes, 'latin1').toString('utf8') : windows1252Text(bytes));
  return pairs.map(([name, value]) => [textOf(name), textOf(value)]);
}

const urlencoded: BodyReader = (bytes) => {
  const pairs = bytes
    .toString('latin1')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [byteText(name), byteText(value.join('='))] as const;
    });
  return formFields(decoded(pairs));
};

/** A text without its escapes. What is no escape stays as it is, as in browsers. */
const byteText = (text: string): string =>
  text.replaceAll('+', ' ').replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));

/** Node's own parser; it holds everything in memory, so it is only for routes with small bodies. It is given each byte as a character. */
const multipart: BodyReader = async (bytes, contentType) => {
  try {
    const body = Buffer.from(bytes.toString('latin1'), 'utf8');
    const form = await new Response(body, { headers: { 'Content-Type': contentType } }).formData();
    return formFields(decoded([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []))));
  } catch {
    throw malformed();
  }
};

/** Media types of forms from browsers and mail providers. */
export const formBodies: Readonly<Record<string, BodyReader>> = {
  'application/x-www-form-urlencoded': urlencoded,
  'multipart/form-data': multipart,
};
