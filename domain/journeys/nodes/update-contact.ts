import type { CustomFieldType } from '../../contacts/custom-field.js';
import { annotate, boundedText, lineOf, list, mapOf, named, optional, rawSchema, record, type Static } from '../../kernel/schema.js';
import { fullFieldName } from '../../segments/fields.js';
import { operandProblem } from '../../segments/operands.js';
import { isObject, type RuleProblem, step } from '../../segments/shape.js';
import { typeOfField } from '../../segments/validate.js';
import { type PartContext, problem, unknownReference } from '../part-problems.js';
import { fieldText, inQuotes, type JourneyNames, joined, shortened } from '../texts.js';
import type { NodeDescriptor, UncheckedNode } from './descriptor.js';
import { base, nextNode } from './fields.js';
import { onlyNext } from './ways.js';

const schema = named(
  'JourneyUpdateContact',
  record({
    ...base('update_contact'),
    set: optional(
      annotate(mapOf(rawSchema<unknown>({})), {
        description: 'Values by field: `first_name`, `custom_fields.plan`, or `plan` for short; null removes.',
      }),
    ),
    add_tags: optional(list(boundedText(lineOf(100)), { maxItems: 50 })),
    remove_tags: optional(list(boundedText(lineOf(100)), { maxItems: 50 })),
    next: nextNode,
  }),
);
export type UpdateContactNode = Static<typeof schema>;

/** Changes fields and tags of the contact. */
export const updateContactDescriptor: NodeDescriptor<'update_contact', UpdateContactNode, UpdateContactNode> = {
  kind: 'update_contact',
  title: 'Contact',
  group: 'act',
  form: { schema },
  apart: [],
  ways: onlyNext,
  complete: (given) => given,
  describe,
  problems,
  references: ({ set = {} }) => ({ fields: Object.keys(set) }),
};

function describe({ set = {}, add_tags = [], remove_tags = [] }: UpdateContactNode, names: JourneyNames): string {
  const values = Object.entries(set).map(([field, value]) =>
    value === null
      ? `remove ${fieldText(field, names)}`
      : `set ${fieldText(field, names)} to ${typeof value === 'string' ? inQuotes(shortened(value)) : JSON.stringify(value)}`,
  );
  const tags = (verb: string, given: readonly string[]) =>
    given.length > 0 ? [`${verb} the tag${given.length > 1 ? 's' : ''} ${joined(given.map(inQuotes), 'and')}`] : [];
  const text = joined([...values, ...tags('add', add_tags), ...tags('remove', remove_tags)], 'and');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Fields that a journey does not set: they identify a contact, or follow from what happened. */
const fixed: readonly string[] = ['id', 'email', 'phone', 'source', 'tags', 'created_at'];

function problems(node: UncheckedNode, pointer: string, { catalog }: PartContext): RuleProblem[] {
  const { set, add_tags, remove_tags } = node;
  if (set === undefined && add_tags === undefined && remove_tags === undefined)
    return [problem(`${pointer}/set`, 'required', 'Give set, add_tags or remove_tags.')];
  if (!isObject(set)) return [];
  return Object.entries(set).flatMap(([field, value]) => {
    const at = `${pointer}/set${step(field)}`;
    const type = typeOfField(field, catalog.fields);
    if (type === undefined) return [unknownReference(at, 'field', field)];
    if (fixed.includes(fullFieldName(field))) return [problem(at, 'not_allowed', 'A journey does not set this field.')];
    return valueProblems(value, type).map((one) => ({ ...one, pointer: at + one.pointer }));
  });
}

/** A text with variables is not known before it is rendered. */
function valueProblems(value: unknown, type: CustomFieldType): RuleProblem[] {
  if (value === null || type === 'json' || (typeof value === 'string' && value.includes('{{'))) return [];
  if (type === 'string_list') return operandProblem('in', value, type);
  return operandProblem('eq', value, type);
}
