import { ownField, setOwnField } from './own-fields.js';

/** The fields that have a value, as a copy: deleting fields makes later accesses of an object slow. */
export function omitUndefined<T extends object>(fields: T): T {
  const copy: Partial<T> = {};
  for (const name in fields) if (ownField(fields, name) !== undefined) setOwnField(copy, name, ownField(fields, name));
  return copy as T;
}
