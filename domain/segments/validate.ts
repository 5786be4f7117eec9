/** Validation of rules: all problems at once, each with a JSON pointer. */
import type { CustomFieldType } from '../contacts/custom-field.js';
import { DomainError } from '../kernel/errors.js';
import { ownField } from '../kernel/own-fields.js';
import { isDay, isInstant } from '../kernel/written-times.js';
import { recordedNames } from '../scores/scores.js';
import { ruleDurationProblem } from './durations.js';
import { customKeyOf, fullFieldName, isOrderingOp, isRuleField, operatorsOf, ruleFields } from './fields.js';
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
  /** The known name that somebody most likely meant; null if none is similar. Absent where problems suggest no names. */
  readonly nearestName?: (name: string, known: readonly string[]) => string | null;
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
  // What a part of a leaf means is checked where its form is right; the other parts are checked in any case.
  return shape.length > 0
    ? [...shape, ...meaningProblems(rightPartsOf(leaf as Leaf, shape, pointer), pointer, catalog)]
    : meaningProblems(leaf as Leaf, pointer, catalog);
}

/** A leaf, of which parts of a wrong form may be missing. */
type PartsOf<L> = L extends { readonly type: infer T } ? { readonly type: T } & Partial<Omit<L, 'type'>> : never;

function rightPartsOf(leaf: Leaf, shape: readonly RuleProblem[], pointer: string): PartsOf<Leaf> {
  const isRight = (at: string): boolean => !shape.some((one) => one.pointer === at || one.pointer.startsWith(`${at}/`));
  const parts = Object.entries(leaf).flatMap(([name, part]): [string, unknown][] => {
    const at = pointer + step(name);
    if (isRight(at)) return [[name, part]];
    return name === 'where' && Array.isArray(part) && !shape.some((one) => one.pointer === at)
      ? [[name, part.map((condition, i) => (isRight(at + step(i)) ? condition : {}))]]
      : [];
  });
  return Object.fromEntries(parts) as PartsOf<Leaf>;
}

function meaningProblems(leaf: PartsOf<Leaf>, pointer: string, catalog: RuleCatalog): RuleProblem[] {
  const { lists, segments } = catalog;
  switch (leaf.type) {
    case 'attribute':
      return attributeProblems(leaf, pointer, catalog);
    case 'date':
      return dateProblems(leaf, pointer, catalog);
    case 'geo':
      return withField(leaf.field, pointer, catalog, (type) =>
        type === 'json' ? [] : [problem(`${pointer}/field`, 'invalid_type', `A place is a field of type json; this one is a ${type}.`)],
      );
    case 'event':
    case 'aggregate':
      return [...conditionProblems(leaf.where, `${pointer}/where`), ...windowProblems(leaf.window, `${pointer}/window`)];
    case 'message':
      return windowProblems(leaf.window, `${pointer}/window`);
    case 'list':
      return leaf.list_id === undefined || lists.has(leaf.list_id) ? [] : [unknown(`${pointer}/list_id`, 'list', leaf.list_id)];
    case 'segment':
      return leaf.segment_id === undefined || segments.has(leaf.segment_id) ? [] : [unknown(`${pointer}/segment_id`, 'segment', leaf.segment_id)];
    case 'score':
      return leaf.score === undefined || recordedNames.includes(leaf.score) ? [] : [problem(`${pointer}/score`, 'unknown_reference', scoreHint)];
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
  field: string | undefined,
  pointer: string,
  { fields, nearestName }: RuleCatalog,
  check: (type: CustomFieldType) => RuleProblem[],
): RuleProblem[] {
  if (field === undefined) return [];
  const type = typeOfField(field, fields);
  if (type !== undefined) return check(type);
  const found = unknown(`${pointer}/field`, 'field', field);
  const nearest = nearestName?.(field, [...Object.keys(ruleFields), ...fields.keys()]) ?? null;
  return [nearest === null ? found : { ...found, message: `${found.message} Do you mean ${nearest}?` }];
}

function attributeProblems({ field, op, value }: PartsOf<LeafOf<'attribute'>>, pointer: string, catalog: RuleCatalog): RuleProblem[] {
  return withField(field, pointer, catalog, (type) => {
    const fitting: readonly AttributeOp[] = operatorsOf[type];
    if (op === undefined) return [];
    const ofTexts = type === 'string' && customKeyOf(fullFieldName(field ?? '')) !== null;
    if (!fitting.includes(op) && !(ofTexts && isOrderingOp(op) && hasNumbers(value)))
      return [problem(`${pointer}/op`, 'invalid_operator', `A field of type ${type} takes ${fitting.join(', ')}${ofTexts ? WITH_NUMBERS : ''}.`)];
    // A text that says a number is compared with numbers.
    const known = ofTexts && hasNumbers(value) ? null : type;
    return operandProblem(op, value, known).map((one) => ({ ...one, pointer: `${pointer}/value${one.pointer}` }));
  });
}

const WITH_NUMBERS = '; with a number also gt, gte, lt, lte, between';
const hasNumbers = (value: unknown): boolean => [value].flat().some((one) => typeof one === 'number');

/** The type of a property is not known before the event. */
const conditionProblems = (where: readonly Partial<Condition>[] | undefined, pointer: string): RuleProblem[] =>
  (where ?? []).flatMap(({ op, value }, i) =>
    op === undefined ? [] : operandProblem(op, value, null).map((one) => ({ ...one, pointer: `${pointer}${step(i)}/value${one.pointer}` })),
  );

function dateProblems({ field, op, value }: PartsOf<LeafOf<'date'>>, pointer: string, catalog: RuleCatalog): RuleProblem[] {
  const ofField = withField(field, pointer, catalog, (type) =>
    type === 'date' || type === 'datetime' ? [] : [problem(`${pointer}/field`, 'invalid_type', `This field is a ${type}, not a date or datetime.`)],
  );
  if (op === undefined || value === undefined) return ofField;
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

/** The normal form of a text of a rule over a field that has one, or of a part of it; the text itself where there is none. */
export type FieldText = (field: string, op: AttributeOp, text: string) => string;

/** A rule with its values as contacts have them, so that they compare: moments in UTC with milliseconds. The rule is valid. */
export function normalized(rule: Rule, fields: RuleCatalog['fields'], fieldText: FieldText = (_, __, text) => text): Rule {
  if (rule.type === 'all' || rule.type === 'any') return { ...rule, rules: rule.rules.map((one) => normalized(one, fields, fieldText)) };
  if (rule.type === 'not') return { ...rule, rule: normalized(rule.rule, fields, fieldText) };
  if (rule.type !== 'attribute' || rule.value === undefined) return rule;
  const isMoment = typeOfField(rule.field, fields) === 'datetime';
  const name = fullFieldName(rule.field);
  const form = <V>(value: V) => (typeof value !== 'string' ? value : isMoment ? new Date(value).toISOString() : fieldText(name, rule.op, value));
  return { ...rule, value: (Array.isArray(rule.value) ? rule.value.map(form) : form(rule.value)) as LeafOf<'attribute'>['value'] };
}
