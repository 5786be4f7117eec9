/**
 * Whole numbers beyond 2^53 are rounded by every program that keeps numbers as JavaScript does (I-JSON, RFC 7493, 2.2): an id of 19
 * digits becomes another one. A number that JSON.parse has rounded is still beyond 2^53, so the text of the JSON is not needed to find it.
 */
import type { FieldProblem } from './errors.js';

/** Whether a number is what was written. */
export const isExactNumber = (value: number): boolean => !Number.isInteger(value) || Number.isSafeInteger(value);

export const INEXACT_CODE = 'inexact_number';
/** What to do with a number that is not exact; it is shown as it was read. */
export const inexactHint = (value: number | string): string =>
  `${typeof value === 'number' ? BigInt(value) : value} is beyond 2^53, and would be rounded. Send it as a text, for example "1234567890123456789".`;

/** Every number in a JSON value that is not exact, by its path; the first hundred. */
export function inexactNumbers(value: unknown, path: string): FieldProblem[] {
  if (typeof value === 'number') return isExactNumber(value) ? [] : [{ field: path, code: INEXACT_CODE, message: inexactHint(value) }];
  if (typeof value !== 'object' || value === null) return [];
  const problems: FieldProblem[] = [];
  const members = Array.isArray(value)
    ? value.map((item, i) => [`${path}[${i}]`, item] as const)
    : Object.entries(value).map(([key, item]) => [`${path}.${key}`, item] as const);
  for (const [at, item] of members) {
    if (problems.length >= MAX_PROBLEMS) break;
    if (typeof item === 'number' || typeof item === 'object') problems.push(...inexactNumbers(item, at));
  }
  return problems;
}

const MAX_PROBLEMS = 100;
