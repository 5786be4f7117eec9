import { parse } from 'node:querystring';
import { nearestName } from '../../../commands/runtime/nearest-name.js';
import type { FieldProblem } from '../../../domain/kernel/errors.js';
import { ownField, setOwnField } from '../../../domain/kernel/own-fields.js';

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
