import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import { pathText, type ValuePath, withoutPaths } from '../../../commands/runtime/rules.js';
import type { FieldProblem } from '../../../domain/kernel/errors.js';
import { LANGUAGE_TAG_FORMAT, languageTagOf } from '../../../domain/kernel/languages.js';
import { ownField, setOwnField } from '../../../domain/kernel/own-fields.js';
import type { TSchema } from '../../../domain/kernel/schema.js';
import { hintOf } from '../../../domain/kernel/text-patterns.js';
import { MAX_LISTED_PROBLEMS } from '../errors.js';
import { ADDRESS_FORMAT } from '../query-parameters.js';
import { isSchema, type JsonSchema, openObjects, simplifySchema } from './json-schema.js';
import { problemsOf, schemaFieldProblem } from './problems.js';
import { removeUnknownParameters, restorePlus } from './query-string.js';
import { type Findings, removeUnknownFields, shapeOf } from './unknown-fields.js';

export interface ValidationResult {
  /** Empty if the value matches its schema. At most 1,000. */
  readonly problems: readonly FieldProblem[];
  /** Number of further problems. */
  readonly truncated: number;
  /** Paths at which the value does not match its schema. */
  readonly malformed: readonly ValuePath[];
  /** `unknown field: x`, for the response to a write. */
  readonly warnings: readonly string[];
}

/** Validates a value in place: fields that its schema does not declare are removed and named as warnings. */
export type Validator = (value: unknown) => ValidationResult;

const MAX_FORMATTED_LENGTH = 2048;
/** More than all routes of a server have. */
const MAX_COMPILED_TEXTS = 1_000;
const VALID: ValidationResult = { problems: [], truncated: 0, malformed: [], warnings: [] };

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
export function parameterValidator(schema: TSchema, unknown: 'refused' | 'ignored'): Validator {
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
    return { ...result, problems: [...refused, ...problems], warnings: [] };
  };
}

function validatorOf(schema: TSchema, ajv: Ajv2020): Validator {
  let parts: { readonly shape: ReturnType<typeof shapeOf>; readonly check: ValidateFunction } | undefined;
  return (value) => {
    parts ??= partsOf(schema, ajv);
    const { shape, check } = parts;
    const findings: Findings = { unknown: new Set(), overlong: [] };
    if (shape) removeUnknownFields(shape, value, [], findings);
    const warnings = findings.unknown.size === 0 ? VALID.warnings : [...findings.unknown].map((path) => `unknown field: ${path}`);
    if (findings.overlong.length > 0) return withOverlong(findings.overlong, warnings, value, check);
    if (check(value)) return warnings === VALID.warnings ? VALID : { ...VALID, warnings };
    return { ...problemsOf(check.errors ?? [], MAX_LISTED_PROBLEMS), warnings };
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
  const text = JSON.stringify(schema, (_, part) => (isSchema(part) && hintOf(part) ? { ...part, hint: hintOf(part) } : part));
  const known = compiledTexts.get(ajv);
  const check = known?.get(text) ?? ajv.compile(schema);
  known?.set(text, check);
  return check;
}

/** A list that is too long is a problem by itself. Its elements are not validated, because there may be a million. */
function withOverlong(overlong: Findings['overlong'], warnings: readonly string[], value: unknown, check: ValidateFunction): ValidationResult {
  const paths = overlong.map(({ path }) => path);
  const long = overlong.map(({ path, maxItems }) => schemaFieldProblem(pathText(path) || 'body', 'maxItems', { limit: maxItems }));
  if (paths.some((path) => path.length === 0) || check(withoutPaths(value, paths))) return { ...VALID, problems: long, malformed: paths, warnings };
  const { problems, truncated, malformed } = problemsOf(check.errors ?? [], MAX_LISTED_PROBLEMS);
  const others = problems.filter(({ field }) => !long.some((problem) => problem.field === field));
  return { problems: [...long, ...others], truncated, malformed: [...paths, ...malformed], warnings };
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
