import type { ErrorObject } from 'ajv';
import { pathText, type ValuePath } from '../../../commands/runtime/rules.js';
import type { FieldProblem } from '../../../domain/kernel/errors.js';
import { LANGUAGE_TAG_FORMAT, LANGUAGE_TAG_HINT } from '../../../domain/kernel/languages.js';
import { ownField } from '../../../domain/kernel/own-fields.js';
import { hintOf, needOf } from '../../../domain/kernel/text-patterns.js';

type Params = Readonly<Record<string, unknown>>;

interface Rule {
  readonly code: string;
  /** Describes how to correct the request, not only what is wrong. */
  readonly message: (params: Params) => string;
}

const fixedMessage = (message: string) => () => message;
const plural = (n: unknown, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
/** The words of the schema itself. */
const hintIn = ({ hint }: Params): string | undefined => (typeof hint === 'string' ? hint : undefined);
const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

const formats: Readonly<Record<string, string>> = {
  'date-time': 'Use an RFC 3339 time with a time zone, for example 2026-01-15T10:30:00.000Z.',
  date: 'Use a date, for example 2026-01-15.',
  time: 'Use a time of day, for example 10:30:00Z.',
  duration: 'Use an ISO 8601 duration, for example P7D or PT30M.',
  email: 'Use an email address, for example ada@example.com.',
  uri: 'Use an absolute URL, for example https://example.com/hooks.',
  url: 'Use an absolute URL, for example https://example.com/hooks.',
  uuid: 'Use a UUID.',
  [LANGUAGE_TAG_FORMAT]: LANGUAGE_TAG_HINT,
};
/** Formats whose problems have a code of their own. */
const formatCodes: Readonly<Record<string, string>> = { [LANGUAGE_TAG_FORMAT]: 'invalid_language' };

const bounds: Readonly<Record<string, string>> = { '>=': 'of at least', '>': 'greater than', '<=': 'of at most', '<': 'less than' };
const outOfRange: Rule = { code: 'out_of_range', message: (p) => `Use a number ${ownField(bounds, String(p.comparison))} ${p.limit}.` };

/** Messages for the keywords of JSON Schema. Keywords that are not listed here have the code `invalid`. */
const rules: Readonly<Record<string, Rule>> = {
  required: { code: 'required', message: (p) => hintIn(p) ?? 'Give this field, it is required.' },
  dependentRequired: { code: 'required', message: (p) => `Give this field, ${p.property} requires it.` },
  type: {
    code: 'wrong_type',
    message: (p) =>
      hintIn(p) ??
      `Use ${[p.type]
        .flat()
        .map((t) => ownField(typeNames, String(t)))
        .join(' or ')}.`,
  },
  maxLength: { code: 'too_long', message: (p) => `Use at most ${plural(p.limit, 'character')}.` },
  minLength: {
    code: 'too_short',
    message: (p) => (p.limit === 1 ? 'Use a non-empty text.' : `Use at least ${plural(p.limit, 'character')}.`),
  },
  maxItems: { code: 'too_many', message: (p) => `Use at most ${plural(p.limit, 'element')}.` },
  minItems: { code: 'too_few', message: (p) => `Use at least ${plural(p.limit, 'element')}.` },
  maxProperties: { code: 'too_many', message: (p) => `Use at most ${plural(p.limit, 'key')}.` },
  minProperties: { code: 'too_few', message: (p) => `Use at least ${plural(p.limit, 'key')}.` },
  uniqueItems: { code: 'duplicate', message: (p) => `Give each element once: ${p.i} and ${p.j} are equal.` },
  enum: { code: 'not_allowed', message: (p) => `Use one of: ${(p.allowedValues as unknown[]).map(String).join(', ')}.` },
  const: { code: 'not_allowed', message: (p) => `Use ${JSON.stringify(p.allowedValue)}.` },
  format: { code: 'invalid_format', message: (p) => ownField(formats, String(p.format)) ?? `Use the format ${p.format}.` },
  pattern: { code: 'invalid_format', message: (p) => hintIn(p) ?? `Use a text that matches ${p.pattern}.` },
  minimum: outOfRange,
  maximum: outOfRange,
  exclusiveMinimum: outOfRange,
  exclusiveMaximum: outOfRange,
  multipleOf: { code: 'out_of_range', message: (p) => `Use a multiple of ${p.multipleOf}.` },
  anyOf: { code: 'not_allowed', message: fixedMessage('Use one of the allowed forms.') },
  oneOf: { code: 'not_allowed', message: fixedMessage('Use exactly one of the allowed forms.') },
  propertyNames: { code: 'invalid_name', message: (p) => `Rename the key '${String(p.propertyName).slice(0, 100)}'.` },
};
const fallbackRule: Rule = { code: 'invalid', message: fixedMessage('This value is not allowed here.') };

/** The codes of problems with a field of a body or a query, for the documentation. */
export const fieldCodes: readonly string[] = [
  ...new Set([...Object.values(rules).map(({ code }) => code), ...Object.values(formatCodes), fallbackRule.code]),
  'unknown_field',
];

/** The errors of the validator as problems of fields: each with its path, a stable code, and how to correct it. */
export const problemsOf = (errors: readonly ErrorObject[], most: number): { problems: FieldProblem[]; truncated: number; malformed: ValuePath[] } => {
  const own = collapseUnions(errors);
  return { problems: own.slice(0, most).map(problemOfError), truncated: Math.max(0, own.length - most), malformed: own.map(pathOf) };
};

export function schemaFieldProblem(path: string, keyword: string, params: Params): FieldProblem {
  const rule = ownField(rules, keyword) ?? fallbackRule;
  const code = (keyword === 'format' && ownField(formatCodes, String(params.format))) || rule.code;
  return { field: path, code, message: rule.message(params) };
}

function problemOfError(error: ErrorObject): FieldProblem {
  const hint = hintFor(error);
  return schemaFieldProblem(pathText(pathOf(error)) || 'body', error.keyword, { ...error.params, ...(hint !== undefined && { hint }) });
}

/** Of the schema that is broken; of a missing field the one of that field. */
function hintFor({ keyword, params, parentSchema = {} }: ErrorObject): string | undefined {
  if (keyword === 'type') return needOf(parentSchema);
  const { missingProperty } = params as Params;
  if (typeof missingProperty !== 'string') return hintOf(parentSchema);
  const { properties } = parentSchema as { readonly properties?: Readonly<Record<string, object>> };
  return needOf(ownField(properties, missingProperty) ?? {});
}

function pathOf({ instancePath, params }: ErrorObject): ValuePath {
  const path = instancePath.split('/').slice(1).map(pointerPart);
  const { missingProperty, propertyName } = params as Params;
  const member = missingProperty ?? propertyName;
  return typeof member === 'string' ? [...path, member] : path;
}

function pointerPart(segment: string): string | number {
  return /^\d+$/.test(segment) ? Number(segment) : segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

/**
 * A union that fails reports every branch, and then itself. Only the branch that the caller most likely meant
 * is reported; if no branch has the right type, only the error of the union.
 */
function collapseUnions(errors: readonly ErrorObject[]): ErrorObject[] {
  const reported: ErrorObject[] = [];
  for (const error of errors) {
    // The reason why the name of a key is refused; the refusal follows, with the path of the key.
    if (error.propertyName !== undefined) continue;
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') {
      // A union's branches come right before it, so only the end of the list is read.
      let from = reported.length;
      while (from > 0 && isBranchOf(reported[from - 1] as ErrorObject, error)) from--;
      reported.push(...closestBranch(reported.splice(from), error));
    } else reported.push(error);
  }
  return reported;
}

const isBranchOf = (e: ErrorObject, union: ErrorObject): boolean =>
  e.schemaPath.startsWith(`${union.schemaPath}/`) && (e.instancePath === union.instancePath || e.instancePath.startsWith(`${union.instancePath}/`));

function closestBranch(branches: readonly ErrorObject[], union: ErrorObject): ErrorObject[] {
  const byBranch = new Map<string, ErrorObject[]>();
  for (const e of branches) {
    const branch = e.schemaPath.slice(union.schemaPath.length + 1).split('/')[0] as string;
    const found = byBranch.get(branch);
    if (found) found.push(e);
    else byBranch.set(branch, [e]);
  }
  const possible = [...byBranch.values()].filter((found) => !found.some((e) => e.instancePath === union.instancePath && e.keyword === 'type'));
  if (possible.length === 0) return [unionTypeError([...byBranch.values()].flat(), union)];
  const score = (found: readonly ErrorObject[]): number => found.length + 1000 * found.filter((e) => e.keyword === 'const').length;
  return possible.reduce((best, found) => (score(found) < score(best) ? found : best));
}

function unionTypeError(found: readonly ErrorObject[], union: ErrorObject): ErrorObject {
  const types = found.filter((e) => e.keyword === 'type' && e.instancePath === union.instancePath).flatMap((e) => (e.params as Params).type);
  return types.length > 0 ? { ...union, keyword: 'type', params: { type: [...new Set(types)] } } : union;
}
