/** Problems of one node: its fields, and what it refers to. */
import type { CustomFieldType } from '../contacts/custom-field.js';
import { isChannel } from '../kernel/channels.js';
import { ownField } from '../kernel/own-fields.js';
import type { TSchema } from '../kernel/schema.js';
import { fullFieldName } from '../segments/fields.js';
import { operandProblem } from '../segments/operands.js';
import { isObject, type RuleProblem, shapeProblems, step } from '../segments/shape.js';
import { typeOfField } from '../segments/validate.js';
import { type ContentField, contentFields, templateChannelProblems } from '../templates/template-fields.js';
import { branchSchemas, delaySchemas, journeyNodeSchemas, MAX_BRANCHES, nodeKinds } from './nodes.js';
import {
  eachOf,
  occurrenceProblems,
  ofDateField,
  ofDuration,
  ofOffset,
  ofRule,
  oneOfTwo,
  type PartContext,
  problem,
  triggerProblems,
  unknownReference,
} from './part-problems.js';

type UncheckedNode = Readonly<Record<string, unknown>>;
type Check = (node: UncheckedNode, pointer: string, context: PartContext) => RuleProblem[];

/** The schemas of a kind that has several forms, by `mode`. */
const modes: Readonly<Record<string, Readonly<Record<string, TSchema>>>> = { delay: delaySchemas, branch: branchSchemas };
/** Fields with a check of their own. */
const apart = ['branches', 'for', 'on', 'filter'];

/** All problems of a node but those of its place in the graph. `node` can be any JSON value. */
export function nodeProblems(node: unknown, pointer: string, context: PartContext): RuleProblem[] {
  if (!isObject(node)) return [problem(pointer, 'invalid_type', 'Use an object with an id and a kind.')];
  const schema = schemaOf(node);
  if (!schema) return unknownForm(node, pointer);
  const shape = shapeProblems(schema, node, pointer, apart).map((one) => withPlace(one, pointer, node.kind));
  return [...shape.filter(isNotApart(pointer)), ...(ownField(checks, node.kind as string)?.(node, pointer, context) ?? [])];
}

function schemaOf({ kind, mode }: UncheckedNode): TSchema | null {
  if (typeof kind !== 'string') return null;
  const forms = ownField(modes, kind);
  if (forms) return typeof mode === 'string' ? (ownField(forms, mode) ?? null) : null;
  return ownField(journeyNodeSchemas, kind) ?? null;
}

function unknownForm({ kind, mode }: UncheckedNode, pointer: string): RuleProblem[] {
  const forms = typeof kind === 'string' ? ownField(modes, kind) : undefined;
  if (!forms) return [problem(`${pointer}/kind`, 'unknown_kind', `Use one of ${nodeKinds.join(', ')}.`)];
  return [problem(`${pointer}/mode`, mode === undefined ? 'required' : 'not_allowed', `Use one of ${Object.keys(forms).join(', ')}.`)];
}

/** A missing way out has a code of its own: null ends the journey, nothing is a mistake. */
function withPlace(found: RuleProblem, pointer: string, kind: unknown): RuleProblem {
  if (found.code !== 'required') return found;
  if (found.pointer === `${pointer}/else` && kind === 'branch')
    return { ...found, code: 'branch_without_else', message: 'Say where contacts go for whom no rule holds; null ends the journey.' };
  if (found.pointer.endsWith('/next') || found.pointer === `${pointer}/on_timeout`)
    return { ...found, code: 'missing_next', message: 'Name the node that comes next; null ends the journey.' };
  return found;
}

/** Whether a problem is not that a field is missing whose own check says so. */
const isNotApart =
  (pointer: string) =>
  (found: RuleProblem): boolean =>
    found.code !== 'required' || !apart.some((name) => found.pointer === `${pointer}/${name}`);

const checks: Readonly<Record<string, Check>> = {
  trigger: ({ on, filter }, pointer, { catalog }) => [
    ...triggerProblems(on, `${pointer}/on`, catalog),
    ...(filter === undefined ? [] : ofRule(filter, `${pointer}/filter`, catalog)),
  ],
  delay: delayProblems,
  branch: (node, pointer, context) => (node.mode === 'rule' ? ruleBranchProblems(node, pointer, context) : weightProblems(node, pointer)),
  send: sendProblems,
  wait: (node, pointer, context) => [
    ...ofDuration(node.timeout, `${pointer}/timeout`),
    ...branchParts(node.for, `${pointer}/for`, journeyNodeSchemas.wait.properties.for.items, ['on', 'rule'], (part, at) => [
      ...oneOfTwo(part, ['on', 'rule'], at),
      ...(part.on === undefined ? [] : occurrenceProblems(part.on, `${at}/on`, { ...context, inWait: true })),
      ...(part.rule === undefined ? [] : ofRule(part.rule, `${at}/rule`, context.catalog)),
    ]),
  ],
  digest: (node, pointer, { nodes }) => [
    ...ofDuration(node.window, `${pointer}/window`),
    ...(nodes.some((one) => isObject(one) && one.kind === 'trigger' && isObject(one.on) && one.on.type === 'event')
      ? []
      : [problem(`${pointer}/kind`, 'not_allowed', 'A digest collects the events of a trigger of type event.')]),
  ],
  update_contact: updateProblems,
  list: ({ list_id }, pointer, { catalog }) =>
    typeof list_id === 'string' && list_id !== '' && !catalog.lists.has(list_id) ? [unknownReference(`${pointer}/list_id`, 'list', list_id)] : [],
};

function delayProblems(node: UncheckedNode, pointer: string, { catalog }: PartContext): RuleProblem[] {
  if (node.mode === 'duration') return ofDuration(node.duration, `${pointer}/duration`);
  if (node.mode === 'until')
    return [
      ...oneOfTwo(node, ['at', 'field'], pointer),
      ...ofDateField(node.field, `${pointer}/field`, catalog, true),
      ...ofOffset(node.offset, `${pointer}/offset`),
    ];
  const windows = Array.isArray(node.windows) ? node.windows : [];
  return windows.flatMap((window, i) =>
    isObject(window) && typeof window.start === 'string' && typeof window.end === 'string' && window.start >= window.end
      ? [problem(`${pointer}/windows${step(i)}/end`, 'invalid_range', 'The hours end after their start, on the same day.')]
      : [],
  );
}

/** The branches of a node: their fields, their ids, and what `check` finds. */
function branchParts(
  given: unknown,
  pointer: string,
  schema: TSchema,
  skipped: readonly string[],
  check: (part: UncheckedNode, pointer: string) => RuleProblem[],
): RuleProblem[] {
  const seen = new Set<unknown>();
  return eachOf(given, pointer, { most: MAX_BRANCHES, code: 'too_large' }, (part, at) => {
    const id = part.id ?? String(Number(at.slice(at.lastIndexOf('/') + 1)) + 1);
    const twice = seen.has(id) ? [problem(`${at}/id`, 'duplicate_id', 'Each branch of a node needs an id of its own.')] : [];
    seen.add(id);
    const shape = shapeProblems(schema, part, at, skipped).map((one) => withPlace(one, at, null));
    return [...shape, ...twice, ...check(part, at)];
  });
}

const ruleBranchProblems: Check = (node, pointer, { catalog }) =>
  branchParts(node.branches, `${pointer}/branches`, branchSchemas.rule.properties.branches.items, ['rule'], (part, at) =>
    part.rule === undefined ? [] : ofRule(part.rule, `${at}/rule`, catalog),
  );

/** Weights are percent with two decimals: a hash modulo 10,000 chooses. */
function weightProblems(node: UncheckedNode, pointer: string): RuleProblem[] {
  const at = `${pointer}/branches`;
  const found = branchParts(node.branches, at, branchSchemas.random.properties.branches.items, [], ({ weight }, part) =>
    typeof weight === 'number' && Math.abs(weight * 100 - Math.round(weight * 100)) > 1e-6
      ? [problem(`${part}/weight`, 'out_of_range', 'Use at most two decimals.')]
      : [],
  );
  if (!Array.isArray(node.branches) || node.branches.length === 0) return found;
  const weights = node.branches.map((part) => (isObject(part) && typeof part.weight === 'number' ? part.weight : 0));
  const sum = Math.round(weights.reduce((a, b) => a + b, 0) * 100) / 100;
  return sum === 100 ? found : [...found, problem(at, 'weights_sum', `The weights are ${sum} together, not 100.`)];
}

function sendProblems(node: UncheckedNode, pointer: string, { catalog }: PartContext): RuleProblem[] {
  const { channel, template_id } = node;
  const given = contentFields.filter((name) => node[name] !== undefined);
  if (typeof template_id === 'string' && template_id !== '') {
    const both = given.map((name) => problem(`${pointer}/${name}`, 'not_allowed', 'Give a template or a text, not both.'));
    const ofTemplate = catalog.templates.get(template_id);
    if (ofTemplate === undefined) return [...both, unknownReference(`${pointer}/template_id`, 'template', template_id)];
    if (ofTemplate === channel || typeof channel !== 'string') return both;
    const message = `This template is for ${ofTemplate}, the message for ${channel.slice(0, 64)}.`;
    return [...both, problem(`${pointer}/template_id`, 'channel_template_mismatch', message)];
  }
  if (typeof channel !== 'string' || !isChannel(channel)) return [];
  const names = new Set<ContentField>(given.filter((name) => name !== 'mjml'));
  const found = templateChannelProblems(channel, names).map(({ field, code, message }) => problem(`${pointer}/${field}`, code, message));
  const noSubject = channel === 'email' && !names.has('subject') ? [problem(`${pointer}/subject`, 'required', 'An email needs a subject.')] : [];
  return [...found, ...noSubject];
}

/** Fields that a journey does not set: they identify a contact, or follow from what happened. */
const fixed: readonly string[] = ['id', 'email', 'phone', 'source', 'tags', 'created_at'];

function updateProblems(node: UncheckedNode, pointer: string, { catalog }: PartContext): RuleProblem[] {
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
