import { ownField } from '../../../domain/kernel/own-fields.js';
import { charactersOf, elementsOf, isEqual, isNil, isTrue, plainOf, textOf } from '../values.js';
import { FilterFailure, type FilterTable } from './filter.js';

/** The property of an element: of an object its own field, of a list the element at an index. */
export function elementProperty(element: unknown, key: unknown): unknown {
  const [holder, name] = [plainOf(element), plainOf(key)];
  if (isNil(holder)) return null;
  if (Array.isArray(holder)) return typeof name === 'number' ? ((holder as unknown[]).at(name) ?? null) : null;
  if (typeof holder !== 'object') throw new FilterFailure(`it cannot read \`${textOf(name).slice(0, 50)}\` of a text or number`);
  return ownField(holder as Record<string, unknown>, textOf(name)) ?? null;
}

const read = (element: unknown, property: unknown): unknown => (isNil(property) ? element : elementProperty(element, property));

/** Whether an element has the value of the property, or one that is true where no value is asked for. */
const having =
  (property: unknown, value: unknown) =>
  (element: unknown): boolean =>
    isNil(value) ? isTrue(elementProperty(element, property)) : isEqual(elementProperty(element, property), value);

function compared(one: unknown, other: unknown): number {
  const [left, right] = [plainOf(one), plainOf(other)];
  if (isNil(left) || isNil(right)) return isNil(left) ? (isNil(right) ? 0 : 1) : -1;
  if (typeof left !== typeof right || (typeof left !== 'string' && typeof left !== 'number'))
    throw new FilterFailure('its elements cannot be compared with one another');
  return (left as string) < (right as string) ? -1 : (left as string) > (right as string) ? 1 : 0;
}

function comparedNaturally(one: unknown, other: unknown): number {
  if (isNil(one) || isNil(other)) return isNil(one) ? (isNil(other) ? 0 : 1) : -1;
  return compared(textOf(one).toLowerCase(), textOf(other).toLowerCase());
}

/** Sorted by a property that is read once for each element. */
function sortedBy(value: unknown, property: unknown, compare: (one: unknown, other: unknown) => number): unknown[] {
  const keyed = elementsOf(value).map((element) => ({ element, key: read(element, property) }));
  return keyed.sort((one, other) => compare(one.key, other.key)).map(({ element }) => element);
}

/** The first of those that have the same value. Texts and numbers are found at once, others by comparison. */
function uniqueBy(value: unknown, property: unknown): unknown[] {
  const simple = new Set<unknown>();
  const others: unknown[] = [];
  return elementsOf(value).filter((element) => {
    const key = plainOf(read(element, property)) ?? null;
    if (typeof key !== 'object' || key === null) return !simple.has(key) && simple.add(key);
    const isNew = !others.some((other) => isEqual(other, key));
    if (isNew) others.push(key);
    return isNew;
  });
}

function endOf(value: unknown, which: 0 | -1): unknown {
  const plain = plainOf(value);
  if (Array.isArray(plain)) return (plain as unknown[]).at(which) ?? null;
  return typeof plain === 'object' && plain !== null && which === 0 ? (Object.entries(plain)[0] ?? null) : null;
}

/** Characters of a text, elements of a list, fields of an object. */
function liquidSize(value: unknown): number {
  const plain = plainOf(value);
  if (typeof plain === 'string') return charactersOf(plain).length;
  if (Array.isArray(plain)) return plain.length;
  return typeof plain === 'object' && plain !== null ? Object.keys(plain).length : 0;
}

function requireList(given: unknown): unknown[] {
  const plain = plainOf(given);
  if (!Array.isArray(plain)) throw new FilterFailure('what it takes beside its value is no list');
  return plain as unknown[];
}

/** Filters over lists. A single value is a list of one, and lists in lists are taken apart. */
export const listFilters: FilterTable = {
  join: [
    0,
    1,
    (value, glue) =>
      elementsOf(value)
        .map(textOf)
        .join(isNil(glue) ? ' ' : textOf(glue)),
  ],
  first: [0, 0, (value) => endOf(value, 0)],
  last: [0, 0, (value) => endOf(value, -1)],
  size: [0, 0, liquidSize],
  reverse: [0, 0, (value) => elementsOf(value).reverse()],
  concat: [1, 1, (value, others) => [...elementsOf(value), ...requireList(others)]],
  sort: [0, 1, (value, property) => sortedBy(value, property, compared)],
  sort_natural: [0, 1, (value, property) => sortedBy(value, property, comparedNaturally)],
  uniq: [0, 1, uniqueBy],
  compact: [0, 1, (value, property) => elementsOf(value).filter((element) => !isNil(read(element, property)))],
  map: [1, 1, (value, property) => elementsOf(value).map((element) => elementProperty(element, property))],
  where: [1, 2, (value, property, wanted) => elementsOf(value).filter(having(property, wanted))],
  reject: [
    1,
    2,
    (value, property, wanted) => {
      const has = having(property, wanted);
      return elementsOf(value).filter((element) => !has(element));
    },
  ],
  find: [1, 2, (value, property, wanted) => elementsOf(value).find(having(property, wanted)) ?? null],
  find_index: [
    1,
    2,
    (value, property, wanted) => {
      const index = elementsOf(value).findIndex(having(property, wanted));
      return index < 0 ? null : index;
    },
  ],
  has: [1, 2, (value, property, wanted) => elementsOf(value).some(having(property, wanted))],
};
