/** The custom fields of an account. */

import type { Aggregate } from '../kernel/aggregate.js';
import type { UtcOffsetAt } from '../kernel/clocks.js';
import { DomainError, type FieldProblem, invalid, notFound } from '../kernel/errors.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { flag, list, named, nullable, oneOf, optional, record, text, time } from '../kernel/schema.js';
import { keyPattern } from '../kernel/text-patterns.js';

export const customFieldTypes = ['string', 'number', 'boolean', 'date', 'datetime', 'string_list', 'json'] as const;
export type CustomFieldType = (typeof customFieldTypes)[number];
export const customFieldTypeSchema = named('CustomFieldType', oneOf(...customFieldTypes));
/** Types whose values may identify a contact: those with one normal form. */
export const uniqueFieldTypes: readonly CustomFieldType[] = ['string', 'number'];

export const MAX_CUSTOM_FIELDS = 200;
export const CUSTOM_FIELD_KEY = keyPattern('_');

// Events

const definition = {
  field_id: text,
  key: text,
  label: text,
  type: oneOf(...customFieldTypes),
  /** The allowed values; null if any value is allowed. */
  options: nullable(list(text)),
  /** The value identifies one contact of the account. */
  unique: flag,
  /** The values are personal data: they are sealed. */
  pii: flag,
};

export const CustomFieldDefined = eventType('CustomFieldDefined', record({ ...definition, at: time }));
export const CustomFieldChanged = eventType(
  'CustomFieldChanged',
  record({ field_id: text, key: text, label: optional(text), options: optional(nullable(list(text))), at: time }),
);
/** Values that contacts have stay in the log; nothing shows them any more. */
export const CustomFieldRemoved = eventType('CustomFieldRemoved', record({ field_id: text, key: text, at: time }));

export const customFieldEvents = [CustomFieldDefined, CustomFieldChanged, CustomFieldRemoved] as const;
export type CustomFieldEvent = EventOf<(typeof customFieldEvents)[number]>;

// State

export interface CustomField extends Omit<EventOf<typeof CustomFieldDefined>['data'], 'at'> {
  readonly created_at: string;
  readonly updated_at: string;
  /** Of a loaded field of type datetime: the clocks of its account, by which a time without a zone is read. Without them UTC. */
  readonly clocks?: UtcOffsetAt;
}

/** By key. */
export type CustomFields = ReadonlyMap<string, CustomField>;

export function evolve(fields: CustomFields, event: CustomFieldEvent): CustomFields {
  const next = new Map(fields);
  switch (event.type) {
    case 'CustomFieldDefined': {
      const { at, ...defined } = event.data;
      return next.set(defined.key, { ...defined, created_at: at, updated_at: at });
    }
    case 'CustomFieldChanged': {
      const { key, label, options, at } = event.data;
      const field = fields.get(key);
      if (!field) return fields;
      return next.set(key, { ...field, ...(label !== undefined && { label }), ...(options !== undefined && { options }), updated_at: at });
    }
    case 'CustomFieldRemoved':
      next.delete(event.data.key);
      return next;
    default:
      return event satisfies never;
  }
}

// Commands

export type CustomFieldCommand =
  | { type: 'Define'; field: Omit<CustomField, 'created_at' | 'updated_at'>; now: string }
  | { type: 'Change'; field_id: string; label?: string; options?: string[] | null; now: string }
  | { type: 'Remove'; field_id: string; now: string };

export function decide(command: CustomFieldCommand, fields: CustomFields): readonly CustomFieldEvent[] {
  const { now: at } = command;
  switch (command.type) {
    case 'Define':
      return define(command.field, fields, at);
    case 'Change': {
      const { key, label, options, type } = find(fields, command.field_id);
      if (command.options) requireOptional(type);
      const changed = {
        ...(command.label !== undefined && command.label !== label && { label: command.label }),
        ...(command.options !== undefined && JSON.stringify(command.options) !== JSON.stringify(options) && { options: command.options }),
      };
      if (Object.keys(changed).length === 0) return [];
      return [{ type: 'CustomFieldChanged', data: { field_id: command.field_id, key, ...changed, at } }];
    }
    case 'Remove': {
      const field = [...fields.values()].find(({ field_id }) => field_id === command.field_id);
      return field ? [{ type: 'CustomFieldRemoved', data: { field_id: field.field_id, key: field.key, at } }] : [];
    }
    default:
      return command satisfies never;
  }
}

function define(field: Omit<CustomField, 'created_at' | 'updated_at'>, fields: CustomFields, at: string): readonly CustomFieldEvent[] {
  const known = fields.get(field.key);
  if (known?.field_id === field.field_id) return [];
  if (known) throw new DomainError('conflict', `There is a custom field '${field.key}' already.`, { field: 'key', id: known.field_id });
  if (fields.size >= MAX_CUSTOM_FIELDS) throw new DomainError('conflict', `An account has at most ${MAX_CUSTOM_FIELDS} custom fields.`);
  const problems = customFieldProblems(field);
  if (problems.length > 0) throw invalid(problems);
  return [{ type: 'CustomFieldDefined', data: { ...field, at } }];
}

interface CustomFieldRestrictions {
  readonly type?: CustomFieldType;
  readonly unique?: boolean;
  readonly options?: readonly string[] | null;
}

/** What a schema cannot express about a definition, of which any part may be missing. */
export function customFieldProblems({ type, unique, options }: CustomFieldRestrictions): FieldProblem[] {
  return [
    ...(unique && type !== undefined && !uniqueFieldTypes.includes(type) ? [NOT_IDENTIFYING] : []),
    ...(options && type !== undefined && !hasOptions(type) ? [NO_OPTIONS] : []),
    ...(options && new Set(options).size < options.length ? [REPEATED_OPTION] : []),
  ];
}

const NOT_IDENTIFYING = { field: 'unique', code: 'invalid_type', message: `Only fields of type ${uniqueFieldTypes.join(' or ')} can be unique.` };
const NO_OPTIONS = { field: 'options', code: 'invalid_type', message: 'Only fields of type string or string_list have options.' };
const REPEATED_OPTION = { field: 'options', code: 'duplicate', message: 'Name each option once.' };

const hasOptions = (type: CustomFieldType): boolean => type === 'string' || type === 'string_list';

function requireOptional(type: CustomFieldType): void {
  if (!hasOptions(type)) throw invalid([NO_OPTIONS]);
}

function find(fields: CustomFields, id: string): CustomField {
  const field = [...fields.values()].find(({ field_id }) => field_id === id);
  if (!field) throw notFound('custom_field', id);
  return field;
}

// Stream

export const customFieldsStream = (account: string): string => `customFields-${account}`;

export const customFields: Aggregate<CustomFields, CustomFieldCommand, CustomFieldEvent> = {
  stream: customFieldsStream,
  events: customFieldEvents,
  snapshots: { name: 'customFields', version: 1 },
  initial: new Map(),
  evolve,
  decide,
};
