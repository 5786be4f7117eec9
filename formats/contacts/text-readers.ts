/** How the fields of contacts that have a normal form are read, wherever their values are given: in requests, files and rules. */
import { isTimeZone } from '../../domain/accounts/settings.js';
import type { contactFields } from '../../domain/contacts/contact-fields.js';
import { LANGUAGE_TAG_HINT, languageTagOf } from '../../domain/kernel/languages.js';
import { normalizeEmail, normalizePhone } from './addresses.js';
import { emailHint, phoneHint } from './parse-address.js';

type ContactField = (typeof contactFields)[keyof typeof contactFields];

/** How a text that has a normal form is read: into that, or null with the problem. */
export interface TextReader {
  readonly read: (given: string) => string | null;
  readonly code: string;
  /** What is wrong with the text, and an example. */
  readonly hint: (given: string) => string;
  /** The value identifies the contact. */
  readonly isKey: boolean;
}

/** By the way of reading of a field. */
export const textReaders: Readonly<Record<Exclude<ContactField['reading'], 'text'>, TextReader>> = {
  email: { read: normalizeEmail, code: 'invalid_email', hint: emailHint, isKey: true },
  phone: { read: normalizePhone, code: 'invalid_phone', hint: phoneHint, isKey: true },
  timezone: {
    read: (given) => (isTimeZone(given) ? given : null),
    ...{ code: 'unknown_timezone', hint: (given) => `'${given}' is no time zone. Use an IANA time zone, for example Europe/Paris.`, isKey: false },
  },
  language: { read: languageTagOf, code: 'invalid_language', hint: (given) => `'${given}' is no language tag. ${LANGUAGE_TAG_HINT}`, isKey: false },
};
