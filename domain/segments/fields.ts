/** The fields of a contact that rules may name, and which operators fit their types. */
import { mapContactFields } from '../contacts/contact-fields.js';
import type { CustomFieldType } from '../contacts/custom-field.js';
import { CUSTOM_FIELD_PREFIX, customFieldName } from '../contacts/facts.js';
import { type AttributeOp, leavesOf, type Rule } from './rule.js';

/** Fields that every contact has, by name, with their types. */
export const ruleFields = {
  id: 'string',
  ...mapContactFields((_, { segmentType }) => segmentType),
  source: 'string',
  tags: 'string_list',
  created_at: 'datetime',
} as const satisfies Record<string, CustomFieldType>;

export const isRuleField = (name: string): name is keyof typeof ruleFields => Object.hasOwn(ruleFields, name);

/** The full name of a field: `plan` is short for `custom_fields.plan`, unless every contact has a field of that name. */
export const fullFieldName = (field: string): string =>
  isRuleField(field) || field.startsWith(CUSTOM_FIELD_PREFIX) ? field : customFieldName(field);

/** The key of a custom field by its full name; null for a field that every contact has. */
export const customKeyOf = (fullName: string): string | null =>
  fullName.startsWith(CUSTOM_FIELD_PREFIX) ? fullName.slice(CUSTOM_FIELD_PREFIX.length) : null;

const whole = ['eq', 'neq', 'in', 'not_in'] as const satisfies readonly AttributeOp[];
const wholeOps: ReadonlySet<AttributeOp> = new Set(whole);
/** Whether an operator asks for a whole value, not for a part of one. */
export const isWholeOp = (op: AttributeOp): boolean => wholeOps.has(op);

const ordering = ['gt', 'gte', 'lt', 'lte', 'between'] as const satisfies readonly AttributeOp[];
const orderingOps: ReadonlySet<AttributeOp> = new Set(ordering);
/** Whether an operator asks which of two values is the greater one. */
export const isOrderingOp = (op: AttributeOp): boolean => orderingOps.has(op);

const textual = ['contains', 'not_contains', 'starts_with', 'ends_with'] as const satisfies readonly AttributeOp[];
const textualOps: ReadonlySet<AttributeOp> = new Set(textual);
/** Whether an operator asks for a part of a text, or for an element of a list. */
export const isTextualOp = (op: AttributeOp): boolean => textualOps.has(op);

const comparing = [...whole, ...ordering, 'exists', 'not_exists'] as const;

/** The operators that fit a type. Texts have no order; lists contain texts. */
export const operatorsOf: Readonly<Record<CustomFieldType, readonly AttributeOp[]>> = {
  string: [...whole, ...textual, 'exists', 'not_exists'],
  number: comparing,
  boolean: ['eq', 'neq', 'exists', 'not_exists'],
  date: comparing,
  datetime: comparing,
  string_list: ['contains', 'not_contains', 'in', 'not_in', 'exists', 'not_exists'],
  json: ['exists', 'not_exists'],
};

/** Operators that are the negation of another one. */
export const negatedOps = { neq: 'eq', not_in: 'in', not_contains: 'contains', not_exists: 'exists' } as const;
export type NegatedOp = keyof typeof negatedOps;
export type PositiveOp = Exclude<AttributeOp, NegatedOp>;
export const isNegatedOp = (op: AttributeOp): op is NegatedOp => Object.hasOwn(negatedOps, op);

/** The lists and custom fields that a rule names, each once: `list/<id>`, `field/<key>`. */
export const namedBy = (rule: Rule): string[] => [
  ...new Set(
    leavesOf(rule).flatMap((leaf) => {
      if (leaf.type === 'list') return [namedList(leaf.list_id)];
      const key = 'field' in leaf ? customKeyOf(fullFieldName(leaf.field)) : null;
      return key === null ? [] : [namedField(key)];
    }),
  ),
];
export const namedList = (id: string): string => `list/${id}`;
export const namedField = (key: string): string => `field/${key}`;
