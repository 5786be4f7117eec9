/** The names under which every plain object has something that nobody has put there: `constructor`, `__proto__`, `toString`, … */
export const inheritedNames: readonly string[] = Object.getOwnPropertyNames(Object.prototype);

/** An object with a field of this very name, also `__proto__`. */
export const withField = (name: string, value: unknown): Readonly<Record<string, unknown>> => Object.fromEntries([[name, value]]);

/** Copies of a JSON value: each of its parts replaced in turn, and each of its objects with one field more of the name. */
export function* replaced(value: unknown, replacement: unknown, name: string): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [i, part] of value.entries()) for (const one of replaced(part, replacement, name)) yield value.with(i, one);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) for (const one of replaced(part, replacement, name)) yield { ...value, ...withField(key, one) };
    yield { ...value, ...withField(name, replacement) };
  }
  yield replacement;
}
