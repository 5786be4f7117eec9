import Type, { type Static } from 'typebox';
import type { CustomFields } from '../../domain/contacts/custom-field.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { inexactNumbers } from '../../domain/kernel/exact-numbers.js';
import { anyRecord, lineOf, named } from '../../domain/kernel/schema.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { readContactInput } from '../contacts/contact-input.js';
import type { ContactRow } from '../contacts/row-identity.js';
import type { Context } from '../runtime/command.js';
import { type ValidationRule, type WellFormed, withRule } from '../runtime/rules.js';

/** Maximum size of `properties`, in bytes of JSON. */
export const MAX_PROPERTIES_BYTES = 32_768;
const MAX_NAME = 128;

export const eventContact = named(
  'EventContact',
  Type.Object(
    {
      email: Type.Optional(Type.String({ maxLength: 320, examples: ['ada@example.com'] })),
      phone: Type.Optional(Type.String({ maxLength: 64, description: 'With country prefix.', examples: ['+14155550100'] })),
      id: Type.Optional(
        Type.String({ minLength: 1, maxLength: 64, description: 'Id of an existing contact. Cannot be combined with other fields.' }),
      ),
      custom_field: Type.Optional(
        named(
          'ContactIdentifier',
          Type.Object(
            { key: Type.String({ minLength: 1, maxLength: 64 }), value: Type.Unknown() },
            { additionalProperties: false, description: 'Your own identifier: a `unique` custom field and its value.' },
          ),
        ),
      ),
    },
    { additionalProperties: false, description: 'The contact. An unknown address or identifier creates it.' },
  ),
);

/** Of one event, or of all of a batch. */
export const START_JOURNEYS = Type.Boolean({
  default: false,
  description:
    'Journeys start although the event is late: by the event, and by the contact that it creates. By default an event that lies further back than `events_start_journeys_within` of the settings (24 hours) starts none, nor does the contact that it creates, nor the segments that the event moves it into.',
});

/** A custom event in a request. */
const eventSchema = Type.Object(
  {
    contact: eventContact,
    event: Type.String({
      ...lineOf(MAX_NAME),
      description: 'Name of your choice, for example `purchase`. Not encrypted: do not put personal data into it.',
      examples: ['purchase'],
    }),
    properties: Type.Optional({ ...anyRecord, description: 'At most 32 kB of JSON. Encrypted with the key of the contact.' }),
    occurred_at: Type.Optional(Type.String({ format: 'date-time', description: 'Default: now. A time in the future counts as now.' })),
    start_journeys: Type.Optional(START_JOURNEYS),
    idempotency_key: Type.Optional(
      Type.String({ minLength: 1, maxLength: 255, description: 'Events with the same key are recorded once, in single and batch requests alike.' }),
    ),
  },
  { additionalProperties: false },
);
export type EventInput = Static<typeof eventSchema>;

const eventRule: ValidationRule<EventInput> = async ({ contact, properties }, { context, isMalformed }) => {
  const fields = await loadCustomFields(context.log, context.cause.account);
  const { addresses, cause } = context;
  const problems = contact === undefined ? [] : contactProblems(contact, fields, { account: cause.account, addresses });
  const named = ['email', 'phone', 'id', 'custom_field', 'custom_field.key', 'custom_field.value'].some((field) => isMalformed(`contact.${field}`));
  return [...problems.filter(({ field }) => !(named && field === 'contact')), ...propertiesProblems(properties)];
};

export const eventInput = withRule(eventSchema, eventRule);

/** A contact, by id or by its keys. */
export type ContactReference = { readonly id: string } | { readonly row: ContactRow };

export interface ParsedEvent {
  readonly contact: ContactReference;
  readonly name: string;
  readonly properties: Record<string, unknown>;
  readonly occurred_at: string;
}

/** Parses an event that matches `eventInput`; returns all problems if there are any. */
export function parseEvent(
  { contact, event: name, properties = {}, occurred_at }: EventInput,
  fields: CustomFields,
  { now, cause, addresses }: Pick<Context, 'now' | 'cause' | 'addresses'>,
): ParsedEvent | { readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = propertiesProblems(properties);
  const reference = parseContactReference(contact, fields, { account: cause.account, addresses }, problems);
  if (problems.length > 0 || !reference) return { problems };
  const time = occurred_at === undefined ? now : new Date(occurred_at).toISOString();
  return { contact: reference, name, properties, occurred_at: time > now ? now : time };
}

/** What is wrong with the properties of an event. */
export function propertiesProblems(properties: unknown = {}): FieldProblem[] {
  if (Buffer.byteLength(JSON.stringify(properties)) <= MAX_PROPERTIES_BYTES) return inexactNumbers(properties, 'properties');
  return [{ field: 'properties', code: 'too_long', message: `Properties have at most ${MAX_PROPERTIES_BYTES} bytes of JSON.` }];
}

/** What is wrong with a contact of which any field may be missing. */
export function contactProblems(contact: WellFormed<EventInput['contact']>, fields: CustomFields, reader: ParseContext): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const { custom_field, ...others } = contact;
  const whole = custom_field?.key !== undefined && custom_field.value !== undefined ? { custom_field } : {};
  parseContactReference({ ...others, ...whole } as EventInput['contact'], fields, reader, problems);
  return problems;
}

type ParseContext = Pick<Parameters<typeof readContactInput>[1], 'account' | 'addresses'>;

function parseContactReference(
  { id, ...found }: EventInput['contact'],
  fields: CustomFields,
  reader: ParseContext,
  problems: FieldProblem[],
): ContactReference | null {
  if (id === undefined) return parseContactKeys(found, fields, reader, problems);
  if (Object.values(found).every((value) => value === undefined)) return { id };
  problems.push({ field: 'contact.id', code: 'ambiguous', message: 'Give either the id of the contact, or its addresses and identifier.' });
  return null;
}

function parseContactKeys(
  { email, phone, custom_field }: Omit<EventInput['contact'], 'id'>,
  fields: CustomFields,
  reader: ParseContext,
  problems: FieldProblem[],
): ContactReference | null {
  const wrong = custom_field && identifierProblem(custom_field.key, fields);
  if (wrong) problems.push(wrong);
  const own = custom_field && !wrong ? { custom_fields: { [custom_field.key]: custom_field.value } } : {};
  const reading = readContactInput(
    { ...(email !== undefined && { email }), ...(phone !== undefined && { phone }), ...own },
    { ...reader, fields },
    'contact.',
  );
  if ('problems' in reading) {
    const renamed = (field: string): string => (field.startsWith('contact.custom_fields.') ? 'contact.custom_field.value' : field);
    problems.push(...reading.problems.map((problem) => ({ ...problem, field: renamed(problem.field) })));
    return null;
  }
  if (problems.length > 0) return null;
  if (reading.row.keys.length > 0 && !(custom_field?.value === null)) return reading;
  problems.push(custom_field ? { ...CONTACT_REQUIRED, field: 'contact.custom_field.value', message: 'Give a value.' } : CONTACT_REQUIRED);
  return null;
}

const CONTACT_REQUIRED: FieldProblem = {
  field: 'contact',
  code: 'required',
  message: 'Give the `email`, `phone`, `id` or a `unique` custom field of the contact.',
};

function identifierProblem(key: string, fields: CustomFields): FieldProblem | null {
  const field = fields.get(key);
  if (!field) return { field: 'contact.custom_field.key', code: 'unknown_field', message: `There is no custom field '${key}'. Define it first.` };
  if (field.unique) return null;
  return { field: 'contact.custom_field.key', code: 'not_unique', message: 'Use a custom field that is `unique`.' };
}
