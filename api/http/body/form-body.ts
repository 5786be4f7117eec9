import { DomainError } from '../../../domain/kernel/errors.js';
import { ownField, setOwnField } from '../../../domain/kernel/own-fields.js';
import type { BodyReader } from '../route.js';

/** The fields of a form: a field that is given twice becomes a list. Without a prototype, because the names come from the client. */
export type FormFields = Record<string, string | string[]>;

const malformed = (): DomainError => new DomainError('invalid_parameter', 'The form is malformed.');

function formFields(pairs: Iterable<readonly [string, unknown]>): FormFields {
  const fields = Object.create(null) as FormFields;
  for (const [name, value] of pairs) {
    // Forms of this service have no file fields.
    if (typeof value !== 'string') continue;
    if (value.includes('\0')) throw malformed();
    const before = ownField(fields, name);
    if (before === undefined) setOwnField(fields, name, value);
    else if (Array.isArray(before)) before.push(value);
    else setOwnField(fields, name, [before, value]);
  }
  return fields;
}

const urlencoded: BodyReader = (bytes) => formFields(new URLSearchParams(bytes.toString('utf8')));

/** Node's own parser; it holds everything in memory, so it is only for routes with small bodies. */
const multipart: BodyReader = async (bytes, contentType) => {
  try {
    return formFields(await new Response(bytes, { headers: { 'Content-Type': contentType } }).formData());
  } catch {
    throw malformed();
  }
};

/** Media types of forms from browsers and mail providers. */
export const formBodies: Readonly<Record<string, BodyReader>> = {
  'application/x-www-form-urlencoded': urlencoded,
  'multipart/form-data': multipart,
};
