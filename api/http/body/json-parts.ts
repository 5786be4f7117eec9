/** Elements of a list that are written at once. */
const ELEMENTS_AT_ONCE = 500;

const isLong = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length > 2 * ELEMENTS_AT_ONCE;

/** Whether an answer has a list so long that it is written in parts. */
export const hasLongList = (body: object): boolean => Object.values(body).some(isLong);

/** The JSON of an object in parts, which together are what JSON.stringify makes of it. Its long lists are divided. */
export function* jsonParts(body: object): Generator<string> {
  let separator = '{';
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const head = `${separator}${JSON.stringify(name)}:`;
    separator = ',';
    if (!isLong(value)) {
      yield head + JSON.stringify(value);
      continue;
    }
    yield `${head}[`;
    for (let from = 0; from < value.length; from += ELEMENTS_AT_ONCE) {
      yield (from > 0 ? ',' : '') + JSON.stringify(value.slice(from, from + ELEMENTS_AT_ONCE)).slice(1, -1);
    }
    yield ']';
  }
  yield separator === '{' ? '{}' : '}';
}
