/**
 * Checks a value against a schema, as far as the grammar of rules uses schemas. General validators answer a wrong rule with the
 * problems of every branch of the grammar; here the caller has chosen the branch.
 */
import { ownField } from '../kernel/own-fields.js';
import type { TSchema } from '../kernel/schema.js';
import { isInstant, TIME_HINT } from '../kernel/written-times.js';

/** What is wrong with a part of a rule. `pointer`: a JSON pointer (RFC 6901) from the rule. */
export interface RuleProblem {
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
  /** Of an unknown field: those that there are. */
  readonly known?: readonly string[];
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
}

const MAX_NAME = 64;

/** A step of a JSON pointer. Names of the caller are cut at 64 characters. */
export const step = (name: string | number): string => `/${String(name).slice(0, MAX_NAME).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The problems of a value. Fields in `skipped` of the outermost object are not checked, but known. */
export function shapeProblems(schema: TSchema, value: unknown, pointer: string, skipped: readonly string[] = []): RuleProblem[] {
  return checked(schema as Schema, value, pointer, skipped);
}

function checked(schema: Schema, value: unknown, pointer: string, skipped: readonly string[] = []): RuleProblem[] {
  if (schema.anyOf) return ofBranches(schema.anyOf, value, pointer);
  if (schema.enum) return schema.enum.includes(value as string) ? [] : [problem(pointer, 'not_allowed', `Use one of ${schema.enum.join(', ')}.`)];
  switch (schema.type) {
    case 'string':
      return ofText(schema, value, pointer);
    case 'number':
    case 'integer':
      return ofNumber(schema, value, pointer);
    case 'boolean':
      return typeof value === 'boolean' ? [] : [wrongType(pointer, 'true or false')];
    case 'array':
      return ofList(schema, value, pointer);
    case 'object':
      return schema.properties ? ofObject(schema, value, pointer, skipped) : ofMap(schema, value, pointer);
    case 'null':
      return value === null ? [] : [wrongType(pointer, 'null')];
    default:
      return [];
  }
}

const problem = (pointer: string, code: string, message: string): RuleProblem => ({ pointer, code, message });
const wrongType = (pointer: string, wanted: string): RuleProblem => problem(pointer, 'invalid_type', `Use ${wanted}.`);

function ofText({ format, pattern, minLength = 0, maxLength }: Schema, value: unknown, pointer: string): RuleProblem[] {
  if (typeof value !== 'string') return [wrongType(pointer, 'a text')];
  if (value.length < minLength) return [problem(pointer, 'too_short', 'Use at least one character.')];
  if (maxLength !== undefined && value.length > maxLength) return [problem(pointer, 'too_long', `Use at most ${maxLength} characters.`)];
  if (format === 'date-time' && !isInstant(value)) return [problem(pointer, 'invalid_time', TIME_HINT)];
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) return [problem(pointer, 'invalid_format', `Use the form ${pattern}.`)];
  return [];
}

function ofNumber({ type, minimum = -Infinity, maximum = Infinity }: Schema, value: unknown, pointer: string): RuleProblem[] {
  if (typeof value !== 'number' || !Number.isFinite(value)) return [wrongType(pointer, 'a number')];
  if (type === 'integer' && !Number.isInteger(value)) return [wrongType(pointer, 'a whole number')];
  if (value >= minimum && value <= maximum) return [];
  if (minimum === -Infinity || maximum === Infinity) return [problem(pointer, 'out_of_range', 'The number is out of range.')];
  return [problem(pointer, 'out_of_range', `Use a number from ${minimum} to ${maximum}.`)];
}

function ofList({ items = {}, minItems = 0, maxItems = Infinity }: Schema, value: unknown, pointer: string): RuleProblem[] {
  if (!Array.isArray(value)) return [wrongType(pointer, 'a list')];
  if (value.length < minItems) return [problem(pointer, 'too_few', `Use at least ${minItems} elements.`)];
  if (value.length > maxItems) return [problem(pointer, 'too_many', `Use at most ${maxItems} elements.`)];
  return value.flatMap((item, i) => checked(items, item, pointer + step(i)));
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function ofObject({ properties = {}, required = [] }: Schema, value: unknown, pointer: string, skipped: readonly string[]): RuleProblem[] {
  if (!isObject(value)) return [wrongType(pointer, 'an object')];
  const missing = required.filter((name) => !Object.hasOwn(value, name));
  const known = Object.entries(properties).filter(([name]) => Object.hasOwn(value, name) && !skipped.includes(name));
  const unknown = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  return [
    ...missing.map((name) => problem(pointer + step(name), 'required', 'This field is required.')),
    ...unknown.map((name) => unknownField(pointer + step(name), Object.keys(properties))),
    ...known.flatMap(([name, schema]) => checked(schema, ownField(value, name), pointer + step(name))),
  ];
}

const unknownField = (pointer: string, known: readonly string[]): RuleProblem => ({
  ...problem(pointer, 'unknown_field', `Use only the fields ${known.join(', ')}.`),
  known,
});

/** Values of one kind by any name. */
function ofMap({ patternProperties = {} }: Schema, value: unknown, pointer: string): RuleProblem[] {
  if (!isObject(value)) return [wrongType(pointer, 'an object')];
  const [schema = {}] = Object.values(patternProperties);
  return Object.entries(value).flatMap(([name, part]) => checked(schema, part, pointer + step(name)));
}

/** Where null is one of two branches, the problems are those of the other one. */
function ofBranches(branches: readonly Schema[], value: unknown, pointer: string): RuleProblem[] {
  const [other, ...more] = branches.filter(({ type }) => type !== 'null');
  if (!other || more.length > 0 || branches.length === 1) return ofBestBranch(branches, value, pointer);
  return value === null ? [] : checked(other, value, pointer);
}

/** The problems of the branch that fits best: of objects the one that shares a field with the value. */
function ofBestBranch(branches: readonly Schema[], value: unknown, pointer: string): RuleProblem[] {
  const found = branches.map((branch) => checked(branch, value, pointer));
  if (found.some((problems) => problems.length === 0)) return [];
  const objects = branches.filter(({ type }) => type === 'object');
  if (objects.length > 0 && !isObject(value)) return [wrongType(pointer, 'an object')];
  const sharing = branches.findIndex(({ properties = {} }) => isObject(value) && Object.keys(properties).some((name) => Object.hasOwn(value, name)));
  if (sharing >= 0) return found[sharing] as RuleProblem[];
  if (objects.length > 0) {
    const forms = objects.map(({ properties = {} }) => Object.keys(properties).join(' and '));
    return [problem(pointer, 'required', `Use ${forms.slice(0, -1).join(', ')}, or ${forms.at(-1)}.`)];
  }
  const typed = branches.findIndex(({ type }) => type === (Array.isArray(value) ? 'array' : typeof value));
  return typed >= 0 ? (found[typed] as RuleProblem[]) : [wrongType(pointer, 'a text, a number, true or false, or a list of them')];
}
