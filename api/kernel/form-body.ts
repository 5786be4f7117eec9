import { DomainError } from '../../domain/kernel/errors.js';
import type { BodyReader } from './route.js';

/** A form's fields: one that is given twice holds a list. Without a prototype, since the names are the sender's. */
export type FormFields = Record<string, string | string[]>;

const malformed = (): DomainError => new DomainError('invalid_parameter', 'The form is malformed.');

function formFields(pairs: Iterable<readonly [string, unknown]>): FormFields {
  const fields = Object.create(null) as FormFields;
  for (const [name, value] of pairs) {
    // A file is none of the fields that a form of ours has.
    if (typeof value !== 'string') continue;
    if (value.includes('\0')) throw malformed();
    const before = fields[name];
    if (before === undefined) fields[name] = value;
    else if (Array.isArray(before)) before.push(value);
    else fields[name] = [before, value];
  }
  return fields;
}

const urlencoded: BodyReader = (bytes) => formFields(new URLSearchParams(bytes.toString('utf8')));

/** Node's own reader; it keeps everything in memory, so it is for routes whose bodies are small. */
const multipart: BodyReader = async (bytes, contentType) => {
  try {
    return formFields(await new Response(bytes, { headers: { 'Content-Type': contentType } }).formData());
  } catch {
    throw malformed();
  }
};

/** What a browser, or a mail provider on behalf of a reader, sends for a form. */
export const formBodies: Readonly<Record<string, BodyReader>> = {
  'application/x-www-form-urlencoded': urlencoded,
  'multipart/form-data': multipart,
};
