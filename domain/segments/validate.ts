/** Validation of rules: all problems at once, each with a JSON pointer. */
import type { CustomFieldType } from '../contacts/custom-field.js';
import { DomainError } from '../kernel/errors.js';
import { ownField } from '../kernel/own-fields.js';
import { isDay, isInstant } from '../kernel/written-times.js';
import { recordedNames } from '../scores/scores.js';
import { ruleDurationProblem } from './durations.js';
import { customKeyOf, fullFieldName, isRuleField, operatorsOf, ruleFields } from './fields.js';
import { msOf } from './meaning.js';
import { operandProblem } from './operands.js';
import {
  type AttributeOp,
  type Condition,
  type Leaf,
  type LeafOf,
  type LeafType,
  leafSchemas,
  MAX_LEAVES,
  MAX_REFERENCES,
  MAX_RULE_BYTES,
  MAX_RULE_DEPTH,
  MAX_RULES,
  type Rule,
  ruleNodeSchemas,
  type Window,
} from './rule.js';
import { isObject, type RuleProblem, shapeProblems, step } from './shape.js';

/** What rules may refer to. */
export interface RuleCatalog {
  /** Types of the custom fields, by key. */
  readonly fields: ReadonlyMap<string, CustomFieldType>;
  /** Ids of lists. */
  readonly lists: ReadonlySet<string>;
  /** Ids of segments. */
  readonly segments: ReadonlySet<string>;
}

const scoreHint = `Use one of ${recordedNames.join(', ')}.`;

const typeHint = `Use one of ${[...Object.keys(ruleNodeSchemas), ...Object.keys(leafSchemas)].join(', ')}.`;

const problem = (pointer: string, code: string, message: string): RuleProblem => ({ pointer, code, message });

interface Check {
  readonly catalog: RuleCatalog;
  readonly problems: RuleProblem[];
  leaves: number;
}

/** All problems of a rule; empty if it is valid. `rule` may be any JSON value. Cycles of segments: `checkReferences`. */
export function ruleProblems(rule: unknown, catalog: RuleCatalog): RuleProblem[] {
  const check: Check = { catalog, problems: [], leaves: 0 };
  visit(rule, '', 1, check);
  if (check.leaves > MAX_LEAVES) check.problems.push(problem('', 'too_many_leaves', `A rule has at most ${MAX_LEAVES} leaves.`));
  if (check.problems.length === 0 && sizeOf(rule) > MAX_RULE_BYTES)
    check.problems.push(problem('', 'too_large', `A rule has at most ${MAX_RULE_BYTES} bytes.`));
  return check.problems;
}

const sizeOf = (rule: unknown): number => new TextEncoder().encode(JSON.stringify(rule)).length;

/** Beyond this, no more leaves are looked at. */
const STOP_AT_LEAVES = 2 * MAX_LEAVES;

function visit(rule: unknown, pointer: string, depth: number, check: Check): void {
  const { problems } = check;
  if (depth > MAX_RULE_DEPTH) {
    problems.push(problem(pointer, 'too_deep', `Rules are nested at most ${MAX_RULE_DEPTH} deep.`));
    return;
  }
  const type = isObject(rule) ? rule.type : undefined;
  const schema = typeof type === 'string' ? ownField(ruleNodeSchemas, type) : undefined;
  if (schema) {
    problems.push(...shapeProblems(schema, rule, pointer, ['rules', 'rule']));
    const { rules, rule: negated } = rule as { readonly rules?: unknown; readonly rule?: unknown };
    if (type === 'not') {
      if (negated !== undefined) visit(negated, `${pointer}/rule`, depth + 1, check);
    } else if (rules !== undefined) visitAll(rules, `${pointer}/rules`, depth + 1, check);
    return;
  }
  check.leaves += 1;
  if (typeof type === 'string' && Object.hasOwn(leafSchemas, type)) problems.push(...leafProblems(rule, type as LeafType, pointer, check.catalog));
  else if (!isObject(rule)) problems.push(problem(pointer, 'invalid_type', 'Use an object with a type.'));
  else if (type === undefined) problems.push(problem(`${pointer}/type`, 'required', typeHint));
  else problems.push(problem(`${pointer}/type`, 'not_allowed', typeHint));
}

function visitAll(rules: unknown, pointer: string, depth: number, check: Check): void {
  if (!Array.isArray(rules)) check.problems.push(problem(pointer, 'invalid_type', 'Use a list of rules.'));
  else if (rules.length === 0) check.problems.push(problem(pointer, 'too_few', 'Use at least 1 rule.'));
  else if (rules.length > MAX_RULES) check.problems.push(problem(pointer, 'too_many', `Use at most ${MAX_RULES} rules.`));
  else
    for (const [i, rule] of rules.entries()) {
      if (check.leaves > STOP_AT_LEAVES) return;
      visit(rule, pointer + step(i), depth, check);
    }
}

function leafProblems(leaf: unknown, type: LeafType, pointer: string, catalog: RuleCatalog): RuleProblem[] {
  const shape = shapeProblems(leafSchemas[type], leaf, pointer);
  // What a leaf means is checked where its form is right; the rest of the rule is checked in any case.
  return shape.length > 0 ? shape : meaningProblems(leaf as Leaf, pointer, catalog);
}

function meaningProblems(leaf: Leaf, pointer: string, { fields, lists, segments }: RuleCatalog): RuleProblem[] {
  switch (leaf.type) {
    case 'attribute':
      return attributeProblems(leaf, pointer, fields);
    case 'date':
      return dateProblems(leaf, pointer, fields);
    case 'geo':
      return withField(leaf.field, pointer, fields, (type) =>
        type === 'json' ? [] : [problem(`${pointer}/field`, 'invalid_type', `A place is a field of type json; this one is a ${type}.`)],
      );
    case 'event':
    case 'aggregate':
      return [...conditionProblems(leaf.where, `${pointer}/where`), ...windowProblems(leaf.window, `${pointer}/window`)];
    case 'message':
      return windowProblems(leaf.window, `${pointer}/window`);
    case 'list':
      return lists.has(leaf.list_id) ? [] : [unknown(`${pointer}/list_id`, 'list', leaf.list_id)];
    case 'segment':
      return segments.has(leaf.segment_id) ? [] : [unknown(`${pointer}/segment_id`, 'segment', leaf.segment_id)];
    case 'score':
      return recordedNames.includes(leaf.score) ? [] : [problem(`${pointer}/score`, 'unknown_reference', scoreHint)];
    default:
      return [];
  }
}

const unknown = (pointer: string, what: string, id: string): RuleProblem =>
  problem(pointer, 'unknown_reference', `There is no ${what} ${id.slice(0, 100)}.`);

/** The type of a field; undefined if the account has no such field. */
export function typeOfField(field: string, fields: ReadonlyMap<string, CustomFieldType>): CustomFieldType | undefined {
  const name = fullFieldName(field);
  const key = customKeyOf(name);
  if (key !== null) return fields.get(key);
  return isRuleField(name) ? ruleFields[name] : undefined;
}

function withField(
  field: string,
  pointer: string,
  fields: ReadonlyMap<string, CustomFieldType>,
  check: (type: CustomFieldType) => RuleProblem[],
): RuleProblem[] {
  const type = typeOfField(field, fields);
  return type === undefined ? [unknown(`${pointer}/field`, 'field', field)] : check(type);
}

function attributeProblems({ field, op, value }: LeafOf<'attribute'>, pointer: string, fields: RuleCatalog['fields']): RuleProblem[] {
  return withField(field, pointer, fields, (type) => {
    const fitting: readonly AttributeOp[] = operatorsOf[type];
    if (!fitting.includes(op)) return [problem(`${pointer}/op`, 'invalid_operator', `A field of type ${type} takes ${fitting.join(', ')}.`)];
    return operandProblem(op, value, type).map((one) => ({ ...one, pointer: `${pointer}/value${one.pointer}` }));
  });
}

/** The type of a property is not known before the event. */
const conditionProblems = (where: readonly Condition[] | undefined, pointer: string): RuleProblem[] =>
  (where ?? []).flatMap(({ op, value }, i) =>
    operandProblem(op, value, null).map((one) => ({ ...one, pointer: `${pointer}${step(i)}/value${one.pointer}` })),
  );

function dateProblems({ field, op, value }: LeafOf<'date'>, pointer: string, fields: RuleCatalog['fields']): RuleProblem[] {
  const ofField = withField(field, pointer, fields, (type) =>
    type === 'date' || type === 'datetime' ? [] : [problem(`${pointer}/field`, 'invalid_type', `This field is a ${type}, not a date or datetime.`)],
  );
  if (op !== 'before' && op !== 'after') return [...ofField, ...ofDuration(value, `${pointer}/value`)];
  return isInstant(value) || isDay(value) ? ofField : [...ofField, problem(`${pointer}/value`, 'invalid_time', DATE_HINT)];
}

const DATE_HINT = 'Use a time such as 2026-01-31T12:00:00Z, or a day such as 2026-01-31.';

function ofDuration(duration: string, pointer: string, shortest?: number): RuleProblem[] {
  const message = ruleDurationProblem(duration, shortest);
  return message === null ? [] : [problem(pointer, 'invalid_duration', message)];
}

function windowProblems(window: Window | undefined, pointer: string): RuleProblem[] {
  if (!window || 'since' in window) return [];
  if ('last' in window) return ofDuration(window.last, `${pointer}/last`);
  if ('between' in window) {
    const [from, to] = window.between.map((time) => Date.parse(time)) as [number, number];
    return from <= to ? [] : [problem(`${pointer}/between`, 'invalid_range', 'The first time is after the second.')];
  }
  const problems = [...ofDuration(window.from, `${pointer}/from`), ...ofDuration(window.to, `${pointer}/to`, 0)];
  if (problems.length > 0) return problems;
  return msOf(window.from) > msOf(window.to) ? [] : [problem(pointer, 'invalid_range', 'The time `from` must be longer ago than `to`.')];
}

// References between segments

/** A resource whose rules name a list or a custom field. */
export interface RuleUse {
  readonly resource: 'segment' | 'journey';
  readonly id: string;
}

/** The segments of an account with those that each refers to. */
export type SegmentReferences = ReadonlyMap<string, readonly string[]>;

/**
 * Throws `conflict` if a segment with these references would refer to itself, directly or through others, or if a chain through
 * it would be longer than five references.
 */
export function checkReferences(id: string, references: readonly string[], known: SegmentReferences): void {
  const below = new Map([...known, [id, references] as const]);
  const above = new Map<string, string[]>();
  for (const [from, targets] of below) for (const to of targets) above.set(to, [...(above.get(to) ?? []), from]);
  const down = longestChain(id, below);
  if (down === null) throw new DomainError('conflict', 'The segment would refer to itself.', { reason: 'cycle', segment_id: id });
  const length = down + (longestChain(id, above) ?? 0);
  if (length <= MAX_REFERENCES) return;
  const message = `Segments refer to each other in chains of at most ${MAX_REFERENCES} references; this one would have ${length}.`;
  throw new DomainError('conflict', message, { reason: 'too_deep', segment_id: id });
}

/** The number of references of the longest chain from a segment; null if a chain comes back to it. */
function longestChain(id: string, edges: SegmentReferences): number | null {
  const known = new Map<string, number>();
  const visitOne = (at: string, path: ReadonlySet<string>): number => {
    const done = known.get(at);
    if (done !== undefined) return done;
    let longest = 0;
    for (const next of edges.get(at) ?? []) {
      if (next === id) return Number.POSITIVE_INFINITY;
      // A circle of others was there before; it ends here.
      if (!path.has(next)) longest = Math.max(longest, 1 + visitOne(next, new Set([...path, next])));
    }
    known.set(at, longest);
    return longest;
  };
  const length = visitOne(id, new Set([id]));
  return Number.isFinite(length) ? length : null;
}

/** A rule with its moments as contacts have them, so that they compare: in UTC with milliseconds. The rule is valid. */
export function normalized(rule: Rule, fields: RuleCatalog['fields']): Rule {
  if (rule.type === 'all' || rule.type === 'any') return { ...rule, rules: rule.rules.map((one) => normalized(one, fields)) };
  if (rule.type === 'not') return { ...rule, rule: normalized(rule.rule, fields) };
  if (rule.type !== 'attribute' || rule.value === undefined || typeOfField(rule.field, fields) !== 'datetime') return rule;
  const inUtc = <V>(value: V) => (typeof value === 'string' ? new Date(value).toISOString() : value);
  return { ...rule, value: (Array.isArray(rule.value) ? rule.value.map(inUtc) : inUtc(rule.value)) as LeafOf<'attribute'>['value'] };
}
