/*
 * Tables that are asked by text from outside. `table[name]` finds `Object.prototype.constructor` under the name `constructor`,
 * and `table['__proto__'] = value` sets no field but the prototype. These functions know the fields of the table itself alone.
 * test/architecture refuses to index an object by a text in any other way; a Map serves as well.
 */

/** What the object itself has under the name; undefined if it has nothing there, or is missing itself. */
export const ownField = <T extends object>(table: T | null | undefined, name: string): T[keyof T] | undefined =>
  table && Object.hasOwn(table, name) ? table[name as keyof T] : undefined;

/** Gives the object itself a field of this name, or replaces the one it has. */
export function setOwnField<V>(table: Record<string, V>, name: string, value: NoInfer<V>): void {
  if (name !== '__proto__') table[name] = value;
  else Object.defineProperty(table, name, { value, writable: true, enumerable: true, configurable: true });
}

/** The fields that have a value, as a copy: deleting fields makes later accesses of an object slow. */
export function omitUndefined<T extends object>(fields: T): T {
  const copy: Partial<T> = {};
  for (const name in fields) if (ownField(fields, name) !== undefined) setOwnField(copy, name, ownField(fields, name));
  return copy as T;
}
