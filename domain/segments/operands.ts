/** Which values fit an operator. */
import type { CustomFieldType } from '../contacts/custom-field.js';
import { isDay, isInstant } from '../kernel/written-times.js';
import { numberIn } from './comparing.js';
import { isOrderingOp, isTextualOp } from './fields.js';
import type { AttributeOp, Scalar } from './rule.js';
import { type RuleProblem, step } from './shape.js';

/**
 * The problems of the value of a comparison; pointers are relative to it. `type` is that of the field, null where it is not known:
 * then any value fits that has an order where the operator needs one.
 */
export function operandProblem(op: AttributeOp, value: unknown, type: CustomFieldType | null): RuleProblem[] {
  if (op === 'exists' || op === 'not_exists') return value === undefined ? [] : [problem('', 'not_allowed', `The operator ${op} takes no value.`)];
  if (value === undefined) return [problem('', 'required', 'This field is required.')];
  if (op === 'in' || op === 'not_in') return Array.isArray(value) ? elements(op, value, type) : [problem('', 'invalid_type', 'Use a list.')];
  if (op === 'between') return rangeProblems(value, type);
  if (Array.isArray(value)) return [problem('', 'invalid_type', 'Use a single value.')];
  return single(op, value as Scalar, type, '');
}

const problem = (pointer: string, code: string, message: string): RuleProblem => ({ pointer, code, message });

const elements = (op: AttributeOp, values: readonly Scalar[], type: CustomFieldType | null): RuleProblem[] =>
  values.flatMap((value, i) => single(op, value, type, step(i)));

function rangeProblems(value: unknown, type: CustomFieldType | null): RuleProblem[] {
  if (!Array.isArray(value) || value.length !== 2) return [problem('', 'invalid_type', 'Use a list of the lowest and the highest value.')];
  const problems = elements('between', value, type);
  if (problems.length > 0) return problems;
  const [low, high] = value as [Scalar, Scalar];
  if (typeof low !== typeof high) return [problem('', 'invalid_type', 'Use two values of the same type.')];
  const [from, to] = type === 'datetime' ? [Date.parse(low as string), Date.parse(high as string)] : [low, high];
  return from <= to ? [] : [problem('', 'invalid_range', 'The first value is above the second.')];
}

/** Of properties, numbers have an order, and days and moments. */
function orderedProblem(value: Scalar, pointer: string): RuleProblem[] {
  if (typeof value === 'number' || (typeof value === 'string' && (isDay(value) || isInstant(value)))) return [];
  const number = numberIn(value);
  const example =
    number === undefined ? 'a number such as 10, or a time such as 2026-01-31 or 2026-01-31T12:00:00Z' : `the number ${number}, without quotes`;
  return [problem(pointer, 'invalid_type', `Use ${example}.`)];
}

function single(op: AttributeOp, value: Scalar, type: CustomFieldType | null, pointer: string): RuleProblem[] {
  if (isTextualOp(op))
    return typeof value === 'string' && value !== '' ? [] : [problem(pointer, 'invalid_type', 'Use a text of at least one character.')];
  if (type === null) return isOrderingOp(op) ? orderedProblem(value, pointer) : [];
  const wanted = wantedBy(type, value);
  return wanted === null ? [] : [problem(pointer, 'invalid_type', `Use ${wanted}: the field is of type ${type}.`)];
}

/** What a field of this type is compared with; null if the value is that. */
function wantedBy(type: CustomFieldType, value: Scalar): string | null {
  switch (type) {
    case 'number':
      return typeof value === 'number' ? null : 'a number';
    case 'boolean':
      return typeof value === 'boolean' ? null : 'true or false';
    case 'date':
      return typeof value === 'string' && isDay(value) ? null : 'a day such as 2026-01-31';
    case 'datetime':
      return typeof value === 'string' && isInstant(value) ? null : 'a time such as 2026-01-31T12:00:00Z';
    case 'string':
    case 'string_list':
    case 'json':
      return typeof value === 'string' ? null : 'a text';
    default:
      return type satisfies never;
  }
}
