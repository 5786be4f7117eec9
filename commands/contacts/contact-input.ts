import Type, { type Static } from 'typebox';
import { baseFields, contactFields, mapContactFields } from '../../domain/contacts/contact-fields.js';
import type { CustomField, CustomFields } from '../../domain/contacts/custom-field.js';
import { customFieldKeyText, hasKey, valueFor } from '../../domain/contacts/custom-field-values.js';
import { type ContactPatch, customFieldName } from '../../domain/contacts/facts.js';
import {
  type AddressName,
  type OtherAddressField,
  otherAddressFields,
  otherAddressName,
  otherAddressNames,
} from '../../domain/contacts/other-addresses.js';
import { spellingName } from '../../domain/contacts/phone-spellings.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { inexactNumbers } from '../../domain/kernel/exact-numbers.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { lineOf, nullable } from '../../domain/kernel/schema.js';
import { textReaders } from '../../formats/contacts/text-readers.js';
import type { IdentifyingKey } from '../../log/aggregates/contacts/load-claims.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { otherSpellingKeys } from '../../log/vault/address-keys.js';
import type { AddressKeys } from '../../log/vault/vault.js';
import { type ValidationRule, withRule } from '../runtime/rules.js';
import type { ContactRow } from './row-identity.js';

/** Further addresses of one kind that a request may name. */
const MAX_OTHER_ADDRESSES = 50;

export const tag = Type.String(lineOf(64));

const further = (name: OtherAddressField) =>
  Type.Optional(
    nullable(
      Type.Array(contactFields[otherAddressFields[name].of].schema, {
        maxItems: MAX_OTHER_ADDRESSES,
        description: `${otherAddressFields[name].description} They are added; a PATCH makes them the only ones.`,
      }),
    ),
  );
const furtherAddresses = { other_emails: further('other_emails'), other_phones: further('other_phones') };

/** The fields of a contact in requests. Null removes a value where the route allows it. */
const contactSchema = Type.Object(
  {
    ...mapContactFields((_, { schema }) => Type.Optional(nullable(schema))),
    ...furtherAddresses,
    custom_fields: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        maxProperties: 200,
        description: 'Values by the key of the field. Those of fields without `pii` are not encrypted: do not put personal data into them.',
      }),
    ),
    tags: Type.Optional(
      Type.Array(tag, { maxItems: 100, description: 'Labels to find contacts by. Not encrypted: do not put personal data into them.' }),
    ),
  },
  { additionalProperties: false },
);
export type ContactInput = Static<typeof contactSchema>;

export const contactRule: ValidationRule<ContactInput> = async (input, { context }) => {
  const fields = await loadCustomFields(context.log, context.cause.account);
  const read = readContactInput(input as ContactInput, { account: context.cause.account, addresses: context.addresses, fields });
  return 'problems' in read ? read.problems : [];
};

export const contactInput = withRule(contactSchema, contactRule);

/** The rule of an input that has to name its contact. */
export const identifiedContactRule: ValidationRule<ContactInput> = async (input, about) => {
  const problems = await contactRule(input, about);
  const named = ['email', 'phone', 'custom_fields'].some((field) => ownField(input, field) != null || about.isMalformed(field));
  return named ? problems : [...problems, missingKey];
};

/** What is wrong with an input that has nothing by which a contact could be found. */
export const missingKey: FieldProblem = {
  field: 'email',
  code: 'required',
  message: 'Name the contact by its email, its phone or a unique custom field.',
};

/** The largest value of a custom field, in bytes of JSON. */
const MAX_VALUE_BYTES = 8_192;

type ReadResult = { readonly row: ContactRow } | { readonly problems: readonly FieldProblem[] };

interface Reader {
  readonly account: string;
  readonly addresses: AddressKeys;
  readonly fields: CustomFields;
}

/**
 * Parses a body or a row: normalizes addresses and custom fields and derives the keys. Returns all problems at once; `path`
 * is prepended to their fields.
 */
export function readContactInput(input: ContactInput, { account, addresses, fields }: Reader, path = ''): ReadResult {
  const problems: FieldProblem[] = [];
  const patch: ContactPatch = { values: {}, personal: {}, said: [], cleared: [], keys: {}, tags_added: input.tags ?? [], tags_removed: [] };
  const keys: IdentifyingKey[] = [];
  const others: IdentifyingKey[] = [];
  const put: Put = (name, value, { pii, key, names = true }) => {
    if (value === null) {
      patch.cleared.push(name);
      if (key !== null) setOwnField(patch.keys, name, null);
      return;
    }
    setOwnField(pii ? patch.personal : patch.values, name, value);
    if (key === null) return;
    const hash = addresses.key(account, key);
    setOwnField(patch.keys, name, hash);
    const spelled = name === 'phone' ? putSpellings(hash, key) : {};
    if (names) keys.push({ name, key: hash, ...spelled });
  };
  const putSpellings = (hash: string, phone: string): Pick<IdentifyingKey, 'spellings'> => {
    const spellings = otherSpellingKeys(addresses, account, phone);
    for (const one of spellings) setOwnField(patch.keys, spellingName(hash), one);
    return spellings.length > 0 ? { spellings } : {};
  };
  const problem = (field: string, code: string, message: string) => void problems.push({ field: `${path}${field}`, code, message });

  readBaseFields(input, put, problem);
  readFurtherAddresses(
    input,
    (kind, address) => {
      const key = addresses.key(account, address);
      const name = otherAddressName(kind, key);
      // A number that is named in both spellings is named once.
      if (Object.values(patch.keys).includes(key)) return;
      setOwnField(patch.personal, name, address);
      setOwnField(patch.keys, name, key);
      others.push({ name, key, ...(kind === 'phone' ? putSpellings(key, address) : {}) });
    },
    problem,
  );
  for (const [key, given] of Object.entries(input.custom_fields ?? {})) {
    const name = customFieldName(key);
    const field = fields.get(key);
    const wrong = customValueProblem(key, given, field);
    if (wrong || !field) problem(name, ...(wrong ?? UNKNOWN));
    else put(name, given === null ? null : valueFor(given, field), { pii: field.pii, key: keyTextOf(given, field), names: field.unique });
  }

  return problems.length > 0 ? { problems } : { row: { keys, others, patch: { ...patch, said: Object.keys(patch.personal) } } };
}

/** `key`: the text whose HMAC is the value's key, or null. `names`: whether the key identifies the contact or is only searched by. */
type Put = (name: string, value: unknown, options: { pii: boolean; key: string | null; names?: boolean }) => void;
type Problem = (field: string, code: string, message: string) => void;

function readBaseFields(input: ContactInput, put: Put, problem: Problem): void {
  for (const name of baseFields) {
    const { reading, isPersonal } = contactFields[name];
    const reader = reading === 'text' ? null : textReaders[reading];
    const given = input[name];
    if (given === undefined) continue;
    const value = given === null || !reader ? given : reader.read(given);
    if (reader && given !== null && value === null) problem(name, reader.code, reader.hint(given));
    else put(name, value, { pii: isPersonal, key: reader?.isKey ? (value ?? '') : null });
  }
}

function readFurtherAddresses(input: ContactInput, put: (kind: AddressName, address: string) => void, problem: Problem): void {
  for (const name of otherAddressNames) {
    const { of } = otherAddressFields[name];
    // A malformed element is undefined here, and reported by the schema.
    for (const [nth, given] of ((input[name] ?? []) as readonly (string | undefined)[]).entries()) {
      if (given === undefined) continue;
      const { read, code, hint } = textReaders[of];
      const address = read(given);
      if (address === null) problem(`${name}[${nth}]`, code, hint(given));
      else put(of, address);
    }
  }
}

const UNKNOWN = ['unknown_field', 'There is no such custom field. Define it first.'] as const;

/** Code and message of the problem with a value of a custom field, or null. */
export function customValueProblem(key: string, given: unknown, field: CustomField | undefined): readonly [string, string] | null {
  if (!field) return [UNKNOWN[0], `There is no custom field '${key}'. Define it first.`];
  if (given === null) return null;
  const [inexact] = inexactNumbers(given, customFieldName(key));
  if (inexact) return [inexact.code, inexact.message];
  const value = valueFor(given, field);
  if (value === undefined) return ['invalid_type', `Use ${kinds[field.type]}.`];
  if (Buffer.byteLength(JSON.stringify(value)) > MAX_VALUE_BYTES) return ['too_long', `A value has at most ${MAX_VALUE_BYTES} bytes.`];
  const { options } = field;
  const unlisted = options && [value].flat().some((one) => !options.includes(String(one)));
  return unlisted ? ['not_an_option', `Use one of: ${options.join(', ')}.`] : null;
}

/** Personal values are searched by their HMAC too, unless they are lists or JSON. */
function keyTextOf(given: unknown, field: CustomField): string | null {
  if (!hasKey(field)) return null;
  return given === null ? '' : customFieldKeyText(field.key, valueFor(given, field));
}

const kinds: Readonly<Record<CustomField['type'], string>> = {
  string: 'a text',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2026-01-31',
  datetime: 'a time such as 2026-01-31T10:30:00Z, or without a zone in that of the account',
  string_list: 'a list of texts',
  json: 'any JSON',
};
