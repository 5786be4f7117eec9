import { ownField, setOwnField } from '../../../domain/kernel/own-fields.js';
import type { TSchema } from '../../../domain/kernel/schema.js';
import { hintPartOf } from '../../../domain/kernel/text-patterns.js';

/** A JSON Schema (2020-12) as plain data. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

const SCHEMA_LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const SCHEMA_MAPS = ['properties', 'patternProperties', '$defs'];
const SCHEMAS = ['items', 'additionalProperties', 'not', 'propertyNames', 'contains'];

/** Applied to each nested schema; null writes it in place. */
export type Replace = (schema: JsonSchema) => JsonSchema | null;

/**
 * The same schema in a shorter form: "X or null" becomes a type with null, a choice of constants becomes an enum, a pattern
 * that matches any key is removed. Shorter schemas validate faster, give one problem instead of three, and read better on the API page.
 */
export function simplifySchema(schema: TSchema | JsonSchema, replace: Replace = () => null): JsonSchema {
  const given = schema as JsonSchema;
  const part = (s: unknown): unknown => (isSchema(s) ? (replace(s) ?? simplifySchema(s, replace)) : s);
  const out: Record<string, unknown> = { ...hintPartOf(given) };
  for (const key of Object.keys(given)) {
    const value = ownField(given, key);
    if (SCHEMA_LISTS.includes(key)) setOwnField(out, key, (value as unknown[]).map(part));
    else if (key === 'patternProperties' && isAnyKey(value as JsonSchema)) out.additionalProperties = part(Object.values(value as JsonSchema)[0]);
    else if (SCHEMA_MAPS.includes(key)) setOwnField(out, key, mapValues(value as JsonSchema, part));
    else if (SCHEMAS.includes(key)) setOwnField(out, key, part(value));
    else setOwnField(out, key, value);
  }
  return Array.isArray(out.anyOf) ? collapseUnion(out, out.anyOf as JsonSchema[]) : out;
}

const isAnyKey = (patterns: JsonSchema): boolean => Object.keys(patterns).every((p) => p === '^.*$' || p === '^(.*)$');

export const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value);

export const mapValues = (map: JsonSchema, f: (value: unknown) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(map).map(([k, v]) => [k, f(v)]));

const isNull = (schema: JsonSchema): boolean => schema.type === 'null';

function collapseUnion(schema: Record<string, unknown>, branches: readonly JsonSchema[]): JsonSchema {
  const { anyOf: _, ...rest } = schema;
  const constants = branches.map((b) => b.const);
  if (constants.every((c) => c !== undefined)) return { ...rest, enum: constants };
  const [only, ...others] = branches.filter((b) => !isNull(b));
  if (!only || others.length > 0 || branches.length !== 2) return schema;
  const typed = typeof only.type === 'string';
  if (only.const !== undefined || (!typed && !Array.isArray(only.enum))) return schema;
  return {
    ...only,
    ...rest,
    ...(typed ? { type: [only.type, 'null'] } : {}),
    ...(Array.isArray(only.enum) ? { enum: [...only.enum, null] } : {}),
  };
}

/** The same schema without the rule that an object has no other fields: unknown fields are found, named and dropped separately. */
export function openObjects(schema: JsonSchema): JsonSchema {
  const out: Record<string, unknown> = { ...hintPartOf(schema) };
  for (const key of Object.keys(schema)) {
    const value = ownField(schema, key);
    if (key === 'additionalProperties' && value === false) continue;
    if (SCHEMA_LISTS.includes(key)) setOwnField(out, key, (value as JsonSchema[]).map(openObjects));
    else if (SCHEMA_MAPS.includes(key))
      setOwnField(
        out,
        key,
        mapValues(value as JsonSchema, (v) => (isSchema(v) ? openObjects(v) : v)),
      );
    else if (SCHEMAS.includes(key) && isSchema(value)) setOwnField(out, key, openObjects(value));
    else setOwnField(out, key, value);
  }
  return out;
}
