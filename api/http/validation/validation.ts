import { parse } from 'node:querystring';
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import { nearestName } from '../../../commands/runtime/nearest-name.js';
import { pathText, type ValuePath, withoutPaths } from '../../../commands/runtime/rules.js';
import type { FieldProblem } from '../../../domain/kernel/errors.js';
import { LANGUAGE_TAG_FORMAT, languageTagOf } from '../../../domain/kernel/languages.js';
import { ownField, setOwnField } from '../../../domain/kernel/own-fields.js';
import type { TSchema } from '../../../domain/kernel/schema.js';
import { hintOf, needOf } from '../../../domain/kernel/text-patterns.js';
import { MAX_LISTED_PROBLEMS } from '../errors.js';
import { ADDRESS_FORMAT } from '../query-parameters.js';
import { isSchema, type JsonSchema, openObjects, simplifySchema } from './json-schema.js';
import { problemsOf, schemaFieldProblem } from './problems.js';
import {
  type Findings,
  judgeUnknown,
  removeUnknownFields,
  shapeOf,
  type UnknownField,
  type UnknownFieldPolicy,
  unknownFieldsOf,
  withoutMeant,
} from './unknown-fields.js';

export interface ValidationResult {
  /** Empty if the value matches its schema. At most 1,000. */
  readonly problems: readonly FieldProblem[];
  /** Number of further problems. */
  readonly truncated: number;
  /** Paths at which the value does not match its schema. */
  readonly malformed: readonly ValuePath[];
  /** Fields that the schema does not declare, and that were removed: `judgeUnknown` says what becomes of them. */
  readonly unknown: readonly UnknownField[];
}

/** Validates a value in place: fields that its schema does not declare are removed. */
export interface Validator {
  (value: unknown): ValidationResult;
  /** The fields of a value that the schema does not declare. Changes nothing. */
  readonly unknownIn: (value: unknown) => readonly UnknownField[];
}

const MAX_FORMATTED_LENGTH = 2048;
/** More than all routes of a server have. */
const MAX_COMPILED_TEXTS = 1_000;
const VALID: ValidationResult = { problems: [], truncated: 0, malformed: [], unknown: [] };

// `verbose`: an error has the schema that it breaks, which may have a hint.
const strict = { allErrors: true, messages: false, strict: false, strictSchema: true, addUsedSchema: false, verbose: true } as const;
const bodyAjv = withFormats(new Ajv2020(strict));
const queryAjv = withFormats(new Ajv2020({ ...strict, coerceTypes: 'array', useDefaults: true }));

/** Compiled schemas. Compiling takes milliseconds, so each schema is compiled once, when it is first needed. */
const compiled = new Map([bodyAjv, queryAjv].map((ajv) => [ajv, new WeakMap<TSchema, ValidateFunction>()] as const));
/** The same by the schema as text: a server makes some of its schemas anew. */
const compiledTexts = new Map([bodyAjv, queryAjv].map((ajv) => [ajv, new LRUCache<string, ValidateFunction>({ max: MAX_COMPILED_TEXTS })] as const));

/** Validates by the schema of a body or of a part of one. */
export const bodyValidator = (schema: TSchema): Validator => validatorOf(schema, bodyAjv);

/** Validates by the schema of a query or of path parameters: texts are converted to the declared type, defaults are filled in. */
export const queryValidator = (schema: TSchema): Validator => validatorOf(schema, queryAjv);

/**
 * Validates by the schema of a route's query. A parameter that the schema does not declare is a problem, or is ignored if the route is
 * public: mail programs add parameters to links.
 */
export function parameterValidator(schema: TSchema, unknown: 'refused' | 'ignored'): (value: unknown) => ValidationResult {
  const check = queryValidator(schema);
  const properties = Object.entries(((schema as JsonSchema).properties ?? {}) as Record<string, JsonSchema>);
  const known = properties.map(([name]) => name);
  const addresses = properties.filter(([, { format }]) => format === ADDRESS_FORMAT).map(([name]) => name);
  return (value) => {
    const query = value as Record<string, unknown>;
    const refused = unknown === 'refused' ? removeUnknownParameters(query, known) : [];
    for (const name of addresses) {
      const given = ownField(query, name);
      if (typeof given === 'string') setOwnField(query, name, restorePlus(given));
    }
    const { problems, ...result } = check(query);
    return { ...result, problems: [...refused, ...problems], unknown: [] };
  };
}

function validatorOf(schema: TSchema, ajv: Ajv2020): Validator {
  let parts: ReturnType<typeof partsOf> | undefined;
  const validate = (value: unknown): ValidationResult => {
    parts ??= partsOf(schema, ajv);
    const { shape, check } = parts;
    const findings: Findings = { unknown: [], overlong: [] };
    if (shape) removeUnknownFields(shape, value, findings);
    const { unknown, overlong } = findings;
    if (overlong.length > 0) return withOverlong(findings, value, check);
    if (check(value)) return unknown.length === 0 ? VALID : { ...VALID, unknown };
    return { ...problemsOf(check.errors ?? [], MAX_LISTED_PROBLEMS), unknown };
  };
  const unknownIn = (value: unknown): readonly UnknownField[] => {
    parts ??= partsOf(schema, ajv);
    return parts.shape ? unknownFieldsOf(parts.shape, value) : [];
  };
  return Object.assign(validate, { unknownIn });
}

/** A result in which unknown fields are either problems or warnings. */
export interface JudgedResult extends Omit<ValidationResult, 'unknown'> {
  readonly warnings: readonly string[];
  /** Of the problems, those of unknown fields alone: without them the value was valid. */
  readonly onlyUnknown: boolean;
}

/** Decides about the unknown fields of a value, and names with all other problems those that are refused. */
export function judged({ unknown, ...result }: ValidationResult, policy: UnknownFieldPolicy): JudgedResult {
  const { problems, warnings, meant } = judgeUnknown(unknown, policy);
  if (problems.length === 0) return { ...result, warnings, onlyUnknown: false };
  const all = [...withoutMeant(result.problems, meant), ...problems];
  return {
    problems: all.slice(0, MAX_LISTED_PROBLEMS),
    truncated: result.truncated + Math.max(0, all.length - MAX_LISTED_PROBLEMS),
    malformed: [...result.malformed, ...meant],
    warnings,
    onlyUnknown: result.problems.length === 0,
  };
}

/** Made when the first value comes: a server has many routes that few of its callers use. */
function partsOf(schema: TSchema, ajv: Ajv2020) {
  const plain = simplifySchema(schema);
  return { shape: shapeOf(plain), check: compiledBy(ajv, schema, plain) };
}

function compiledBy(ajv: Ajv2020, schema: TSchema, plain: JsonSchema): ValidateFunction {
  const known = compiled.get(ajv);
  const check = known?.get(schema) ?? compiledByText(ajv, openObjects(plain));
  known?.set(schema, check);
  return check;
}

function compiledByText(ajv: Ajv2020, schema: JsonSchema): ValidateFunction {
  const text = JSON.stringify(schema, (_, part) =>
    isSchema(part) && (hintOf(part) || needOf(part)) ? { ...part, hint: hintOf(part), need: needOf(part) } : part,
  );
  const known = compiledTexts.get(ajv);
  const check = known?.get(text) ?? ajv.compile(schema);
  known?.set(text, check);
  return check;
}

/** A list that is too long is a problem by itself. Its elements are not validated, because there may be a million. */
function withOverlong({ overlong, unknown }: Findings, value: unknown, check: ValidateFunction): ValidationResult {
  const paths = overlong.map(({ path }) => path);
  const long = overlong.map(({ path, maxItems }) => schemaFieldProblem(pathText(path) || 'body', 'maxItems', { limit: maxItems }));
  if (paths.some((path) => path.length === 0) || check(withoutPaths(value, paths))) return { ...VALID, problems: long, malformed: paths, unknown };
  const { problems, truncated, malformed } = problemsOf(check.errors ?? [], MAX_LISTED_PROBLEMS);
  const others = problems.filter(({ field }) => !long.some((problem) => problem.field === field));
  return { problems: [...long, ...others], truncated, malformed: [...paths, ...malformed], unknown };
}

/** Formats are checked only on texts of limited length, because some of their patterns are slow on long ones. */
function withFormats(ajv: Ajv2020): Ajv2020 {
  addFormats.default(ajv);
  // For the documentation only: the handler parses the address, in any spelling.
  ajv.addFormat(ADDRESS_FORMAT, () => true);
  ajv.addFormat(LANGUAGE_TAG_FORMAT, (given: string) => languageTagOf(given) !== null);
  for (const [name, format] of Object.entries(ajv.formats)) {
    const holds = matcher(format);
    if (holds) ajv.addFormat(name, (text: string) => text.length <= MAX_FORMATTED_LENGTH && holds(text) && (name !== 'date-time' || isInstant(text)));
  }
  return ajv;
}

/** RFC 3339 knows leap seconds; clocks here do not. In UTC the year has four digits, so that times compare as texts. */
function isInstant(text: string): boolean {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && /^\d{4}-/.test(new Date(ms).toISOString());
}

function matcher(format: unknown): ((text: string) => boolean) | null {
  const of = typeof format === 'object' && format !== null && 'validate' in format ? format.validate : format;
  if (of instanceof RegExp) return (text) => of.test(text);
  return typeof of === 'function' && !isNumeric(format) ? (of as (text: string) => boolean) : null;
}

function isNumeric(format: unknown): boolean {
  return typeof format === 'object' && format !== null && 'type' in format && format.type === 'number';
}

/** `name[key]`, one level deep. */
const NESTED = /^([^[\]]+)\[([^[\]]+)\]$/;

/**
 * The query of a URL as an object without a prototype. A name that is given twice becomes a list, and `custom_field[plan]=pro`
 * becomes `{ custom_field: { plan: 'pro' } }`. A name that cannot be nested, because the outer name also has a value of its own,
 * stays unchanged.
 */
export function parseQuery(url: string): Record<string, unknown> {
  const at = url.indexOf('?');
  if (at < 0) return Object.create(null) as Record<string, unknown>;
  const flat: Record<string, unknown> = parse(url.slice(at + 1), '&', '=', { maxKeys: 0 });
  for (const name in flat) {
    if (!name.endsWith(']')) continue;
    const [, outer, inner] = NESTED.exec(name) ?? [];
    if (outer === undefined || inner === undefined) continue;
    const nested = ownField(flat, outer) ?? (Object.create(null) as Record<string, unknown>);
    if (!isRecord(nested)) continue;
    setOwnField(nested, inner, ownField(flat, name));
    setOwnField(flat, outer, nested);
    delete flat[name];
  }
  return flat;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Longer names are truncated in error messages. */
const MAX_NAME_LENGTH = 100;

/** Removes parameters that the route does not declare from the query. Returns a problem for each, with the nearest declared name. */
export function removeUnknownParameters(query: Record<string, unknown>, known: readonly string[]): FieldProblem[] {
  const problems: FieldProblem[] = [];
  for (const name of Object.keys(query)) {
    if (known.includes(name)) continue;
    for (const written of spellings(name, ownField(query, name))) problems.push(unknownParameter(written, known));
    delete query[name];
  }
  return problems;
}

/** A nested parameter as the caller wrote it. */
const spellings = (name: string, value: unknown): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value).map((key) => `${name}[${key}]`) : [name];

function unknownParameter(name: string, known: readonly string[]): FieldProblem {
  const field = name.slice(0, MAX_NAME_LENGTH);
  return { field, code: 'unknown_parameter', message: `There is no query parameter '${field}'. ${suggestion(field, known)}` };
}

function suggestion(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'This route has none.';
  const nearest = nearestName(name, known);
  return nearest === null ? `Use one of: ${known.join(', ')}.` : `Did you mean '${nearest}'?`;
}

/** A `+` that was not encoded arrives as a space. Neither a phone number nor an email address begins with or contains a space. */
export const restorePlus = (text: string): string => (/^ +\d/.test(text) ? `+${text.trimStart()}` : text.replace(/^([^\s@]+) ([^\s@]+@)/, '$1+$2'));
