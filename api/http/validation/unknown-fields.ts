import { pathText, type ValuePath } from '../../../commands/runtime/rules.js';
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
}

type Path = (string | number)[];

export interface Findings {
  /** Paths of unknown fields; the same field of several elements of a list is reported once, as `messages[].x`. */
  readonly unknown: Set<string>;
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
  return { fields, open: a.open || b.open, otherFields: mergeShapes(a.otherFields, b.otherFields) };
}

function mergeArrays(a: Shape['array'], b: Shape['array']): Shape['array'] {
  if (!a || !b) return a ?? b;
  return { items: mergeShapes(a.items, b.items), maxItems: Math.max(a.maxItems, b.maxItems) };
}

/** Maximum number of unknown fields that are named; the others are removed without. */
const MAX_NAMED_FIELDS = 100;

/** Removes unknown fields from a value, in place, and finds lists that are too long, whose elements are not checked. */
export function removeUnknownFields(shape: Shape, value: unknown, path: Path, findings: Findings): void {
  if (Array.isArray(value)) {
    const { array } = shape;
    if (!array) return;
    if (value.length > array.maxItems) findings.overlong.push({ path: [...path], maxItems: array.maxItems });
    else if (array.items) for (let i = 0; i < value.length; i++) removeFromMember(array.items, value[i], i, path, findings);
  } else if (typeof value === 'object' && value !== null && shape.object) {
    removeFromObject(shape.object, value as Record<string, unknown>, path, findings);
  }
}

function removeFromObject(shape: ObjectShape, value: Record<string, unknown>, path: Path, findings: Findings): void {
  for (const key in value) {
    const known = shape.fields.get(key);
    if (known !== undefined) {
      if (known) removeFromMember(known, ownField(value, key), key, path, findings);
    } else if (!shape.open) {
      delete value[key];
      if (findings.unknown.size < MAX_NAMED_FIELDS) findings.unknown.add(pathText([...path.map((p) => (typeof p === 'number' ? '' : p)), key]));
    } else if (shape.otherFields) removeFromMember(shape.otherFields, ownField(value, key), key, path, findings);
  }
}

function removeFromMember(shape: Shape, value: unknown, key: string | number, path: Path, findings: Findings): void {
  if (typeof value !== 'object' || value === null) return;
  path.push(key);
  removeUnknownFields(shape, value, path, findings);
  path.pop();
}
