/** What a form asks and does: the schema of it, and the problems that a schema alone does not find. */

import { baseFields, contactFields } from '../contacts/contact-fields.js';
import { isBlank } from '../kernel/blank.js';
import { channelNames, channelSchema } from '../kernel/channels.js';
import type { FieldProblem } from '../kernel/errors.js';
import { type Language, languageSchema, languages } from '../kernel/languages.js';
import { boundedText, flag, integer, lineOf, list, mapOf, named, nullable, oneOf, optional, partial, record, type Static } from '../kernel/schema.js';
import { keyPattern, oneLine, textPattern } from '../kernel/text-patterns.js';
import { isOrigin } from '../kernel/urls.js';

export const fieldTypes = [
  'text',
  'email',
  'phone',
  'number',
  'date',
  'select',
  'multi_select',
  'checkbox',
  'textarea',
  'hidden',
  'consent',
] as const;
export type FieldType = (typeof fieldTypes)[number];
export const fieldTypeSchema = named('FormFieldType', oneOf(...fieldTypes));

/** `draft`: not reachable. `archived`: no more reachable; its submissions stay. */
export const formStatuses = ['draft', 'live', 'archived'] as const;
export type FormStatus = (typeof formStatuses)[number];
export const formStatusSchema = named('FormStatus', oneOf(...formStatuses));

export const FIELD_KEY = keyPattern('_');
export const SLUG = textPattern(
  '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$',
  'Use small letters, digits and hyphens between them, 63 characters at most: for example spring-sale.',
);
/** A list of this many options is longer than people read. */
const MAX_OPTIONS = 250;
export const MAX_FIELDS = 50;

const line = (maxLength: number) => boundedText(lineOf(maxLength));
const prose = boundedText({ minLength: 1, maxLength: 5_000 });

const option = named('FormOption', record({ value: line(200), label: line(200) }));
export const formField = named(
  'FormField',
  record({
    /** Name of the value in a submission. */
    key: boundedText(FIELD_KEY),
    type: fieldTypeSchema,
    label: boundedText({ maxLength: 300, ...oneLine }),
    /** A line below the label. */
    help: nullable(line(500)),
    required: flag,
    /** The contact's field that takes the value: `email`, `first_name`, `custom_fields.plan`. */
    maps_to: nullable(line(80)),
    /** Of `select` and `multi_select`. */
    options: nullable(list(option, { minItems: 1, maxItems: MAX_OPTIONS })),
    /** What a `hidden` field holds if the page says nothing else. */
    value: nullable(boundedText({ maxLength: 1_000 })),
  }),
);
export type FormField = Static<typeof formField>;

/** The box that asks for consent to marketing on these channels. */
export const formConsent = named(
  'FormConsent',
  record({
    text: prose,
    /** The account's own name of this wording. */
    version: line(64),
    channels: list(channelSchema, { minItems: 1, maxItems: channelNames.length }),
    required: flag,
  }),
);
export type FormConsent = Static<typeof formConsent>;

const fieldTexts = named('FormFieldTexts', record({ label: optional(line(300)), help: optional(line(500)), options: optional(mapOf(line(200))) }));
/** Texts of the page in one language. In forms of earlier releases, what is missing is as in the form itself. */
export const formTexts = named(
  'FormTexts',
  record({
    title: optional(line(200)),
    description: optional(prose),
    button: optional(line(80)),
    success_message: optional(prose),
    consent: optional(prose),
    /** By the key of the field. */
    fields: optional(mapOf(fieldTexts)),
  }),
);
export type FormTexts = Static<typeof formTexts>;

/** By language. */
export const formTranslations = named(
  'FormTranslations',
  partial(record(Object.fromEntries(languages.map((language) => [language, formTexts])) as Record<Language, typeof formTexts>)),
);

export const formDefinition = record({
  name: line(200),
  /** Last part of the address of the page. */
  slug: boundedText(SLUG),
  fields: list(formField, { minItems: 1, maxItems: MAX_FIELDS }),
  list_ids: list(line(64), { maxItems: 20 }),
  tags: list(line(64), { maxItems: 20 }),
  double_opt_in: flag,
  redirect_url: nullable(line(2_000)),
  success_message: nullable(prose),
  consent: nullable(formConsent),
  honeypot_field: nullable(boundedText(FIELD_KEY)),
  min_seconds: integer({ minimum: 0, maximum: 3_600 }),
  /** Origins whose pages may submit; empty for all. */
  allowed_origins: list(line(300), { maxItems: 50 }),
  texts: formTranslations,
  /** In which it is written; forms from before they had one are in that of their account. */
  language: optional(languageSchema),
  status: formStatusSchema,
});
export type FormDefinition = Static<typeof formDefinition>;

/** Fields of a contact, with the types of form fields that can give them. */
const baseTypes: ReadonlyMap<string, readonly FieldType[]> = new Map(baseFields.map((name) => [name, contactFields[name].formTypes] as const));
/** Types of custom fields, with the types of form fields that can give them. */
const customTypes = new Map<string, readonly FieldType[]>(
  Object.entries({
    string: ['text', 'email', 'phone', 'date', 'select', 'textarea', 'hidden'],
    number: ['number'],
    boolean: ['checkbox'],
    date: ['date'],
    datetime: ['date'],
    string_list: ['multi_select'],
    json: fieldTypes.filter((type) => type !== 'consent'),
  }),
);
const CUSTOM = 'custom_fields.';
/** The key of the box of the consent in a submission. */
export const CONSENT_KEY = 'consent';

/** The key of the custom field that a field maps to; null for another one. */
export const mappedCustomKeyOf = (maps_to: string): string | null => (maps_to.startsWith(CUSTOM) ? maps_to.slice(CUSTOM.length) : null);

type CustomFieldTypes = ReadonlyMap<string, { readonly type: string }>;
/** A definition of which some parts may be malformed, and are then missing. */
export type PartialDefinition = { readonly [K in keyof FormDefinition]?: FormDefinition[K] | undefined };

/** All problems of a definition. `customFields`: of the account, by key. */
export function formDefinitionProblems(definition: PartialDefinition, customFields: CustomFieldTypes): FieldProblem[] {
  const { fields } = definition;
  return [
    ...(fields ?? []).flatMap((field, at) => (field ? fieldProblems(field, `fields[${at}].`, definition, customFields) : [])),
    ...repeated(fields ?? []),
    ...identityProblems(definition),
    ...addressProblems(definition),
    ...blankProblems(definition),
  ];
}

/** What people read. */
function blankProblems({ name, success_message, consent }: PartialDefinition): FieldProblem[] {
  const texts = { name, success_message, 'consent.text': consent?.text, 'consent.version': consent?.version };
  return Object.entries(texts).flatMap(([field, text]) =>
    typeof text === 'string' && text !== '' && isBlank(text)
      ? [problem(field, 'blank', 'This text is only white space. Give one that can be seen.')]
      : [],
  );
}

const problem = (field: string, code: string, message: string): FieldProblem => ({ field, code, message });

function fieldProblems(field: Partial<FormField>, at: string, { consent }: PartialDefinition, customFields: CustomFieldTypes): FieldProblem[] {
  const { key, type, required, options, maps_to, label } = field;
  const found: FieldProblem[] = [];
  const hasOptions = type === 'select' || type === 'multi_select';
  if (type && hasOptions && !options) found.push(problem(`${at}options`, 'required', `A field of type ${type} needs options.`));
  if (type && !hasOptions && options) found.push(problem(`${at}options`, 'not_allowed', `A field of type ${type} has no options.`));
  if (options && new Set(options.map(({ value }) => value)).size < options.length)
    found.push(problem(`${at}options`, 'duplicate', 'Each option has a value of its own.'));
  if (type === 'hidden' && required)
    found.push(problem(`${at}required`, 'not_allowed', 'A hidden field cannot be required: nobody could fill it in.'));
  if (type && type !== 'hidden' && type !== 'consent' && label !== undefined && isBlank(label))
    found.push(problem(`${at}label`, 'required', 'Say what the field asks for.'));
  if (type && key && (type === 'consent') !== (key === CONSENT_KEY))
    found.push(problem(`${at}key`, 'not_allowed', `The key '${CONSENT_KEY}' is that of the field of type consent, and of no other.`));
  if (type === 'consent' && consent === null) found.push(problem(`${at}type`, 'not_allowed', 'Give the text of the consent in `consent`.'));
  if (type && maps_to) found.push(...mappingProblems(type, maps_to, `${at}maps_to`, customFields));
  return found;
}

function mappingProblems(type: FieldType, maps_to: string, at: string, customFields: CustomFieldTypes): FieldProblem[] {
  const custom = mappedCustomKeyOf(maps_to);
  const known = custom === null ? baseTypes.get(maps_to) : customTypes.get(customFields.get(custom)?.type ?? '');
  if (!known) {
    const names = [...baseTypes.keys(), 'custom_fields.<key>'].join(', ');
    return [problem(at, 'unknown_field', custom === null ? `Use one of: ${names}.` : `There is no custom field '${custom}'. Define it first.`)];
  }
  return known.includes(type) ? [] : [problem(at, 'invalid_type', `A field of type ${type} cannot map to ${maps_to}. Use ${known.join(', ')}.`)];
}

/** Keys and mappings that an earlier field has, too. */
function repeated(fields: readonly (FormField | undefined)[]): FieldProblem[] {
  return fields.flatMap((field, at) => {
    const earlier = fields.slice(0, at);
    const sameKey = field?.key !== undefined && earlier.some((other) => other?.key === field.key);
    const sameTarget = field?.maps_to != null && earlier.some((other) => other?.maps_to === field.maps_to);
    return [
      ...(sameKey ? [problem(`fields[${at}].key`, 'duplicate', 'Another field has this key.')] : []),
      ...(sameTarget ? [problem(`fields[${at}].maps_to`, 'duplicate', 'Another field maps to it.')] : []),
    ];
  });
}

/** A submission is about a contact, so the form has to ask for an address. */
function identityProblems({ fields, double_opt_in }: PartialDefinition): FieldProblem[] {
  if (!fields || fields.some((field) => !field)) return [];
  const of = (target: string): FormField | undefined => fields.find(({ maps_to }) => maps_to === target);
  const email = of('email');
  if (double_opt_in && !email?.required)
    return [problem('fields', 'required', 'A double opt-in needs a required field that maps to `email`: the confirmation goes there.')];
  if (email?.required || of('phone')?.required) return [];
  return [problem('fields', 'required', 'A form needs a required field that maps to `email` or `phone`: a submission is about a contact.')];
}

function addressProblems({ fields, honeypot_field, allowed_origins, redirect_url }: PartialDefinition): FieldProblem[] {
  const found = (allowed_origins ?? []).flatMap((origin, at) =>
    origin === undefined || isOrigin(origin)
      ? []
      : [problem(`allowed_origins[${at}]`, 'invalid_url', 'Use an origin, for example https://www.example.com.')],
  );
  if (redirect_url != null && !WEB_ADDRESS.test(redirect_url))
    found.push(problem('redirect_url', 'invalid_url', 'Use an absolute URL that begins with https:// or http://.'));
  if (honeypot_field != null && (honeypot_field === CONSENT_KEY || fields?.some((field) => field?.key === honeypot_field)))
    found.push(problem('honeypot_field', 'duplicate', 'A field of the form has this key.'));
  return found;
}

/** No spaces, quotes or brackets: it stands in a header and in a page. */
const WEB_ADDRESS = /^https?:\/\/[^\s/?#"'<>\\@]+(?:[/?#][^\s"'<>\\]*)?$/i;
