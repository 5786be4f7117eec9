import { meantName } from '../../../commands/runtime/nearest-name.js';
import { pathText, type ValuePath } from '../../../commands/runtime/rules.js';
import type { FieldProblem } from '../../../domain/kernel/errors.js';
import { ownField } from '../../../domain/kernel/own-fields.js';
import type { JsonSchema } from './json-schema.js';

/** The fields that a schema declares, and the maximum length of its lists. Null if it declares none. */
export interface Shape {
  readonly object: ObjectShape | null;
  readonly array: { readonly items: Shape | null; readonly maxItems: number } | null;
}

interface ObjectShape {
  readonly fields: ReadonlyMap<string, Shape | null>;
  /** False if all other fields are unknown. */
  readonly open: boolean;
  /** Of the values of other fields. */
  readonly otherFields: Shape | null;
  /** Unknown names that were looked at, with the known one that each looks like. */
  readonly looked: Map<string, string | null>;
}

type Path = (string | number)[];

/** A field that no schema declares. */
export interface UnknownField {
  readonly path: ValuePath;
  /** The declared field that it looks like. */
  readonly meant: string | null;
  /** Whether that one is missing. */
  readonly isMissing: boolean;
}

export interface Findings {
  /** At most 1,000 of them. */
  readonly unknown: UnknownField[];
  /** Lists longer than their schema allows. */
  readonly overlong: { readonly path: ValuePath; readonly maxItems: number }[];
}

/** Derives the shape from a schema. The branches of a union are combined: a field is known if any of them declares it. */
export function shapeOf(schema: JsonSchema): Shape | null {
  const branches = [schema.anyOf, schema.oneOf, schema.allOf].filter(Array.isArray).flat() as JsonSchema[];
  let shape: Shape | null = null;
  for (const branch of branches) shape = mergeShapes(shape, shapeOf(branch));
  if (isObject(schema)) shape = mergeShapes(shape, { object: objectShape(schema), array: null });
  if (schema.items !== undefined || schema.maxItems !== undefined) {
    const items = schema.items === undefined ? null : shapeOf(schema.items as JsonSchema);
    shape = mergeShapes(shape, { object: null, array: { items, maxItems: (schema.maxItems as number | undefined) ?? Number.POSITIVE_INFINITY } });
  }
  return shape;
}

const isObject = (schema: JsonSchema): boolean => schema.properties !== undefined || schema.additionalProperties !== undefined;

function objectShape(schema: JsonSchema): ObjectShape {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>);
  const others = schema.patternProperties ? Object.values(schema.patternProperties as Record<string, JsonSchema>) : [];
  if (typeof schema.additionalProperties === 'object') others.push(schema.additionalProperties as JsonSchema);
  return {
    fields: new Map(properties.map(([name, s]) => [name, shapeOf(s)])),
    open: schema.additionalProperties !== false || others.length > 0,
    otherFields: others.reduce<Shape | null>((shape, s) => mergeShapes(shape, shapeOf(s)), null),
    looked: new Map(),
  };
}

function mergeShapes(a: Shape | null, b: Shape | null): Shape | null {
  if (!a || !b) return a ?? b;
  return { object: mergeObjects(a.object, b.object), array: mergeArrays(a.array, b.array) };
}

function mergeObjects(a: ObjectShape | null, b: ObjectShape | null): ObjectShape | null {
  if (!a || !b) return a ?? b;
  const fields = new Map(a.fields);
  for (const [name, shape] of b.fields) fields.set(name, mergeShapes(fields.get(name) ?? null, shape));
  return { fields, open: a.open || b.open, otherFields: mergeShapes(a.otherFields, b.otherFields), looked: new Map() };
}

function mergeArrays(a: Shape['array'], b: Shape['array']): Shape['array'] {
  if (!a || !b) return a ?? b;
  return { items: mergeShapes(a.items, b.items), maxItems: Math.max(a.maxItems, b.maxItems) };
}

/** Maximum number of unknown fields that are found; the others are removed without. */
const MAX_FOUND = 1_000;
/** Maximum number of unknown fields that warnings name. */
const MAX_NAMED_FIELDS = 100;
/** Below these fields the names are the caller's own. */
const FREE = new Set(['properties', 'data', 'metadata', 'custom_fields']);

/** Removes unknown fields from a value, in place, and finds lists that are too long, whose elements are not checked. */
export const removeUnknownFields = (shape: Shape, value: unknown, findings: Findings): void => new Search(findings, true).visit(shape, value, false);

/** The unknown fields of a value, which stays as it is. */
export function unknownFieldsOf(shape: Shape, value: unknown): readonly UnknownField[] {
  const findings: Findings = { unknown: [], overlong: [] };
  new Search(findings, false).visit(shape, value, false);
  return findings.unknown;
}

class Search {
  readonly #path: Path = [];

  constructor(
    private readonly findings: Findings,
    private readonly removes: boolean,
  ) {}

  /** `free`: below a field whose names are the caller's own. */
  visit(shape: Shape, value: unknown, free: boolean): void {
    if (Array.isArray(value)) {
      const { array } = shape;
      if (!array) return;
      if (value.length > array.maxItems) this.findings.overlong.push({ path: [...this.#path], maxItems: array.maxItems });
      else if (array.items) for (let i = 0; i < value.length; i++) this.#visitMember(array.items, value[i], i, free);
    } else if (typeof value === 'object' && value !== null && shape.object) {
      this.#visitObject(shape.object, value as Record<string, unknown>, free);
    }
  }

  #visitObject(shape: ObjectShape, value: Record<string, unknown>, free: boolean): void {
    for (const key in value) {
      const known = shape.fields.get(key);
      if (known !== undefined) {
        if (known) this.#visitMember(known, ownField(value, key), key, free || FREE.has(key));
      } else if (!shape.open) {
        if (this.removes) delete value[key];
        if (this.findings.unknown.length < MAX_FOUND) this.findings.unknown.push(this.#found(shape, value, key, free));
      } else if (shape.otherFields) this.#visitMember(shape.otherFields, ownField(value, key), key, free);
    }
  }

  #found(shape: ObjectShape, value: object, key: string, free: boolean): UnknownField {
    const meant = free ? null : meantField(shape, key);
    return { path: [...this.#path, key], meant, isMissing: meant !== null && !Object.hasOwn(value, meant) };
  }

  #visitMember(shape: Shape, value: unknown, key: string | number, free: boolean): void {
    if (typeof value !== 'object' || value === null) return;
    this.#path.push(key);
    this.visit(shape, value, free);
    this.#path.pop();
  }
}

/** Names that are remembered for each object of a schema: the elements of a list mostly have the same ones. */
const MAX_REMEMBERED = 1_000;

function meantField({ fields, looked }: ObjectShape, name: string): string | null {
  const known = looked.get(name);
  if (known !== undefined) return known;
  const meant = meantName(name, [...fields.keys()]);
  if (looked.size >= MAX_REMEMBERED) looked.clear();
  looked.set(name, meant);
  return meant;
}

/** The same fields as if they looked like none. */
export const unlike = (unknown: readonly UnknownField[]): UnknownField[] => unknown.map(({ path }) => ({ path, meant: null, isMissing: false }));

/** What becomes of unknown fields. */
export interface UnknownFieldPolicy {
  /** All of them are refused, not only those that look like a known one. */
  readonly strict: boolean;
  /** Names of the outermost fields that cannot be changed, although the resource has them. */
  readonly fixed?: ReadonlySet<string>;
}

export interface JudgedFields {
  /** `unknown field: x`; a field of several elements of a list is named once, as `messages[].x`. */
  readonly warnings: readonly string[];
  readonly problems: readonly FieldProblem[];
  /** Where the fields are missing that were meant: whether they are required does not matter then. */
  readonly meant: readonly ValuePath[];
}

const NONE: JudgedFields = { warnings: [], problems: [], meant: [] };

/** Which unknown fields are refused, and which are ignored with a warning. */
export function judgeUnknown(unknown: readonly UnknownField[], { strict, fixed }: UnknownFieldPolicy): JudgedFields {
  if (unknown.length === 0) return NONE;
  const warnings = new Set<string>();
  const problems: FieldProblem[] = [];
  const meant: ValuePath[] = [];
  for (const one of unknown) {
    const isFixed = one.path.length === 1 && fixed?.has(String(one.path[0]));
    if (!isFixed && (strict || one.meant !== null)) {
      problems.push(unknownFieldProblem(pathText(one.path), one.meant));
      if (one.meant !== null && one.isMissing) meant.push([...one.path.slice(0, -1), one.meant]);
    } else if (warnings.size < MAX_NAMED_FIELDS) {
      warnings.add(`${isFixed ? 'fixed' : 'unknown'} field: ${pathText(one.path.map((part) => (typeof part === 'number' ? '' : part)))}`);
    }
  }
  return { warnings: [...warnings], problems, meant };
}

/** A field that is refused. `meant`: the known one that it looks like. */
export function unknownFieldProblem(field: string, meant: string | null): FieldProblem {
  const name = field.split('.').at(-1);
  if (meant === null) return { field, code: 'unknown_field', message: `There is no field '${name}' here. Leave it out.` };
  return { field, code: 'unknown_field', message: `There is no field '${name}'. Did you mean '${meant}'?`, details: { did_you_mean: meant } };
}

/** Problems of shape without those about required fields that are there under a misspelled name. */
export function withoutMeant(problems: readonly FieldProblem[], meant: readonly ValuePath[]): readonly FieldProblem[] {
  if (meant.length === 0) return problems;
  const fields = new Set(meant.map(pathText));
  return problems.filter(({ field, code }) => code !== 'required' || !fields.has(field));
}
