/** Faults that a JSON Schema of the OpenAPI document rules out, each at the path of one field. */

/** Marks a required field that is missing. */
export const MISSING = Symbol('missing');

export interface Fault {
  /** `contact.custom_field.key`, `messages[1].to`. */
  readonly path: string;
  readonly value: unknown;
  /** Paths of fields that have to be right for this to be a fault. */
  readonly needs?: readonly string[];
}

/** A JSON Schema as plain data. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly uniqueItems?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
}

export type Components = Readonly<Record<string, Schema>>;

/** Longer texts and lists make bodies that take seconds. */
const MAX_SIZE = 20_000;

const samples: Readonly<Record<string, readonly unknown[]>> = {
  string: ['x'],
  number: [5],
  integer: [5],
  boolean: [true],
  object: [{}],
  array: [[]],
  null: [null],
};

const wrongTexts = ['', 'a\u0007b', 'Ünï cödé?', '0', '-', 'p1d', '25:00'];

export function resolve(schema: Schema, components: Components): Schema {
  return schema.$ref === undefined ? schema : resolve(components[schema.$ref.split('/').at(-1) as string] as Schema, components);
}

/** All faults of the fields of an object schema, without those of the object itself. */
export function faultsOf(schema: Schema, components: Components, path = ''): Fault[] {
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const missing = required.includes(name) ? [{ path: at, value: MISSING }] : [];
    return [...missing, ...faultsAt(at, resolve(field, components), components)];
  });
}

function faultsAt(path: string, schema: Schema, components: Components): Fault[] {
  const branches = (schema.anyOf ?? [schema]).map((branch) => resolve(branch, components));
  const own = [...wrongTypes(branches), ...branches.flatMap(wrongValues)].map((value) => ({ path, value }));
  return isTagged(branches) ? own : [...own, ...branches.flatMap((branch) => innerFaults(path, branch, components))];
}

/**
 * Objects that say by their `type` or `kind` which branch they are: a field of one is no fault of another. Rules of segments and nodes
 * of journeys have specs of their own.
 */
const isTagged = (branches: readonly Schema[]): boolean =>
  branches.length > 1 && branches.every(({ properties }) => (properties?.kind ?? properties?.type)?.const !== undefined);

function innerFaults(path: string, schema: Schema, components: Components): Fault[] {
  const { items, additionalProperties, patternProperties = {} } = schema;
  const others = additionalProperties ?? Object.values(patternProperties)[0];
  const item = items && resolve(items, components);
  return [
    ...faultsOf(schema, components, path),
    ...(others ? faultsAt(`${path}.key`, resolve(others, components), components) : []),
    ...(item ? [...faultsAt(`${path}[0]`, item, components), ...(item.properties ? faultsAt(`${path}[1]`, item, components) : [])] : []),
  ];
}

const typesOf = ({ type }: Schema): readonly string[] => (type === undefined ? [] : [type].flat());

/** Values of all types that none of the branches has. A schema without a type has all. */
function wrongTypes(branches: readonly Schema[]): unknown[] {
  if (branches.some((branch) => typesOf(branch).length === 0)) return [];
  const allowed = branches.flatMap(typesOf);
  const has = (type: string): boolean => allowed.includes(type) || (allowed.includes('number') && type === 'integer') || allowed.includes('any');
  const wrong = Object.entries(samples).flatMap(([type, values]) => (has(type) || (type === 'number' && has('integer')) ? [] : values));
  return allowed.includes('integer') ? [...wrong, 1.5] : wrong;
}

/** Values of the right type that break another keyword. */
function wrongValues(schema: Schema): unknown[] {
  const { enum: words, const: only } = schema;
  if (words) return ['unheard_of', ''];
  if (only !== undefined) return [typeof only === 'boolean' ? !only : 'unheard_of'];
  return [...wrongTextsOf(schema), ...wrongNumbersOf(schema), ...wrongListsOf(schema), ...overfullObjectsOf(schema)];
}

function wrongTextsOf({ type, minLength = 0, maxLength, pattern, format }: Schema): unknown[] {
  if (![type].flat().includes('string')) return [];
  const form = pattern === undefined ? null : new RegExp(pattern, 'u');
  return [
    ...(minLength > 0 ? [''] : []),
    ...(minLength > 1 ? ['x'.repeat(minLength - 1)] : []),
    ...(maxLength !== undefined && maxLength < MAX_SIZE ? ['x'.repeat(maxLength + 1)] : []),
    ...(form ? wrongTexts.filter((text) => !form.test(text)) : []),
    ...(format === 'date-time' ? ['yesterday', '2026-02-30T00:00:00Z', '2026-01-15', '2016-12-31T23:59:60Z', '9999-12-31T23:59:59-00:01'] : []),
  ];
}

const wrongNumbersOf = ({ minimum, maximum }: Schema): unknown[] => [
  ...(minimum === undefined ? [] : [minimum - 1]),
  ...(maximum === undefined ? [] : [maximum + 1]),
];

const wrongListsOf = ({ minItems = 0, maxItems, uniqueItems }: Schema): unknown[] => [
  ...(minItems > 0 ? [[]] : []),
  ...(maxItems !== undefined && maxItems < MAX_SIZE ? [Array(maxItems + 1).fill(0)] : []),
  ...(uniqueItems ? [['a', 'a']] : []),
];

const overfullObjectsOf = ({ maxProperties }: Schema): unknown[] =>
  maxProperties === undefined ? [] : [Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, i) => [`k${i}`, 1]))];

const steps = (path: string): string[] => path.match(/[^.[\]]+/g) ?? [];

/** The body with these faults. Objects and lists on the way to a fault are created. */
export function withFaults(body: object, faults: readonly Fault[]): object {
  // Objects that occur twice in the body are cloned twice.
  const copy = JSON.parse(JSON.stringify(body)) as Record<string, unknown>;
  for (const { path, value } of faults) {
    const all = steps(path);
    const last = all.pop() as string;
    let holder = copy;
    for (const [i, step] of all.entries()) {
      const next = all[i + 1] ?? last;
      holder[step] ??= /^\d+$/.test(next) ? [] : {};
      holder = holder[step] as Record<string, unknown>;
    }
    if (value === MISSING) delete holder[last];
    else holder[last] = value;
  }
  return copy;
}

/** Whether a path is the same as another one, or inside it. */
export const isWithin = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);

/** Whether two faults can be in one body: neither is inside the other, and neither breaks what the other one needs. */
export function areIndependent(a: Fault, b: Fault): boolean {
  const breaks = (one: Fault, other: Fault): boolean => (other.needs ?? []).some((need) => isWithin(one.path, need) || isWithin(need, one.path));
  return !isWithin(a.path, b.path) && !isWithin(b.path, a.path) && !breaks(a, b) && !breaks(b, a);
}
