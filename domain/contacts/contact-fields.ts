/**
 * The fields that every contact has, beside the custom fields of an account. What the layers know of a field is here and nowhere else:
 * they derive their schemas, columns, forms, rules, template variables and webhooks from this table. Its order is that of answers,
 * exports and lists.
 *
 * Names are stored. So a released field keeps its name, and a personal field stays personal.
 */

import { MAX_LANGUAGE_TAG } from '../kernel/languages.js';
import { annotate, boundedText, lineOf, type Static } from '../kernel/schema.js';
import type { CustomFieldType } from './custom-field.js';

/** All that is known of a field. Values are texts. */
interface ContactField {
  /** What a request may give. Null, which removes the value, is added where a request may do so. */
  readonly schema: ReturnType<typeof boundedText>;
  /** How a given text becomes the stored one: `text` as it is, the others in one normal form or not at all. */
  readonly reading: 'email' | 'phone' | 'timezone' | 'language' | 'text';
  /** Personal data: events seal the value. */
  readonly isPersonal: boolean;
  /** Further names of the column in files of other services, in the form `family_name`. The field's own name is always known. */
  readonly columns: readonly string[];
  /** Types of form fields that can give the value. `domain/forms/` accepts only those that it has. */
  readonly formTypes: readonly string[];
  /** The token of HTML by which browsers fill in a form; null for a field that people do not type. */
  readonly autocomplete: string | null;
  /** How the catalog of templates describes `contact.<name>`. The example is a valid value. */
  readonly variable: { readonly description: string; readonly example: string };
  /** A change of the value is one of the `changes` of the webhook `contact.updated`. */
  readonly isPublished: boolean;
  /** As what rules of segments compare it. */
  readonly segmentType: CustomFieldType;
}

const name = (description: string) => annotate(boundedText(lineOf(200)), { description });

export const contactFields = {
  email: {
    schema: annotate(boundedText({ maxLength: 320 }), { examples: ['ada@example.com'] }),
    reading: 'email',
    isPersonal: true,
    columns: ['email_address', 'e_mail'],
    formTypes: ['email'],
    autocomplete: 'email',
    variable: { description: 'Email address.', example: 'ada@example.com' },
    isPublished: true,
    segmentType: 'string',
  },
  phone: {
    schema: annotate(boundedText({ maxLength: 64 }), { description: 'With country prefix.', examples: ['+14155550100'] }),
    reading: 'phone',
    isPersonal: true,
    columns: ['phone_number', 'mobile', 'mobile_phone'],
    formTypes: ['phone'],
    autocomplete: 'tel',
    variable: { description: 'Phone number.', example: '+14155550100' },
    isPublished: true,
    segmentType: 'string',
  },
  first_name: {
    schema: name('Given name.'),
    reading: 'text',
    isPersonal: true,
    columns: ['firstname', 'given_name'],
    formTypes: ['text', 'hidden'],
    autocomplete: 'given-name',
    variable: { description: 'First name.', example: 'Ada' },
    isPublished: true,
    segmentType: 'string',
  },
  last_name: {
    schema: name('Family name.'),
    reading: 'text',
    isPersonal: true,
    columns: ['lastname', 'surname', 'family_name'],
    formTypes: ['text', 'hidden'],
    autocomplete: 'family-name',
    variable: { description: 'Last name.', example: 'Lovelace' },
    isPublished: true,
    segmentType: 'string',
  },
  locale: {
    schema: annotate(boundedText({ maxLength: MAX_LANGUAGE_TAG }), { description: 'BCP 47, `en-GB`.', examples: ['en-GB'] }),
    reading: 'language',
    isPersonal: false,
    columns: ['language'],
    formTypes: ['hidden', 'select'],
    autocomplete: null,
    variable: { description: 'Language, as BCP 47 has it.', example: 'en-GB' },
    isPublished: true,
    segmentType: 'string',
  },
  timezone: {
    schema: annotate(boundedText({ maxLength: 64 }), { description: 'IANA name, `Europe/Paris`.' }),
    reading: 'timezone',
    isPersonal: false,
    columns: ['time_zone'],
    formTypes: ['hidden', 'select'],
    autocomplete: null,
    variable: { description: 'Time zone, as IANA has it.', example: 'Europe/London' },
    isPublished: true,
    segmentType: 'string',
  },
} as const satisfies Readonly<Record<string, ContactField>>;

/** The name of a field that every contact has. */
export type BaseField = keyof typeof contactFields;

/** The value of a field. */
export type BaseFieldValue = Static<(typeof contactFields)[BaseField]['schema']>;

/** In the order of the table. */
export const baseFields = Object.keys(contactFields) as readonly BaseField[];

export const isBaseField = (text: string): text is BaseField => Object.hasOwn(contactFields, text);

/** A value for each field, in the order of the table. */
export const mapContactFields = <V>(make: (name: BaseField, field: (typeof contactFields)[BaseField]) => V): Record<BaseField, V> =>
  Object.fromEntries(baseFields.map((name) => [name, make(name, contactFields[name])])) as Record<BaseField, V>;
