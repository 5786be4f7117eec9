import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { oneLine } from './text-patterns.js';

/** Basic schemas. All other schemas are composed of these. */
export const text = Type.String({ minLength: 1 });
export const time = Type.String({ format: 'date-time' });
export const count = Type.Integer({ minimum: 0 });
export const flag = Type.Boolean();
/** Free key and value pairs whose meaning is the caller's own. */
export const anyRecord = Type.Record(Type.String(), Type.Unknown());

/** Values of one kind by any name. */
export const mapOf = <S extends TSchema>(schema: S, bounds: { maxProperties?: number; propertyNames?: TSchema; description?: string } = {}) =>
  Type.Record(Type.String(), schema, bounds);
/** Any JSON. */
export const anyValue = Type.Unknown();
export const noValue = Type.Null();
/** Exactly this text. */
export const literal = <const W extends string>(word: W) => Type.Literal(word);

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);
export const list = <S extends TSchema>(schema: S, options: { minItems?: number; maxItems?: number; uniqueItems?: boolean } = {}) =>
  Type.Array(schema, options);
/** One of a fixed list of words. */
export const oneOf = <W extends string>(...words: readonly W[]) => Type.Unsafe<W>({ type: 'string', enum: [...words] });

/** One of several kinds of values. Objects differ in the value of their field `kind`. */
export const unionOf = <S extends TSchema[]>(...schemas: [...S]) => Type.Union(schemas);

/** A text or a whole number within bounds. */
export const boundedText = (bounds: { minLength?: number; maxLength?: number; pattern?: string; format?: string }) => Type.String(bounds);
/** Bounds of a text without control characters: it can stand in a header of a mail and in an URL. */
export const lineOf = (maxLength: number) => ({ minLength: 1, maxLength, ...oneLine });
/** Any finite number within bounds. */
export const numberOf = (bounds: { minimum?: number; maximum?: number } = {}) => Type.Number(bounds);
export const integer = (bounds: { minimum?: number; maximum?: number } = {}) => Type.Integer(bounds);

/** A value of the schema with this name, inside itself: for the documentation only, since validators do not follow it. */
export const referenceTo = <T>(name: string) => Type.Unsafe<T>({ $ref: `#/components/schemas/${name}` });
/** A schema in JSON, for values that are read as `T`. */
export const rawSchema = <T>(schema: object) => Type.Unsafe<T>(schema);

/** An object with these properties and no others. */
export const record = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false });
/** The same record with every property optional; it has no other properties either. */
export const partial = <P extends TProperties>(schema: TObject<P>) => Type.Partial(schema, { additionalProperties: false });

// What the documentation needs of a schema beyond JSON Schema. These keys are not enumerable, so that validators ignore them.
const NAMED = '~named';
const DOCUMENTED_AS = '~documentedAs';

/**
 * The same schema under a name: the API documentation writes it once, as a component of that name, and generated clients
 * make a type of it. Each name belongs to one schema. Schemas made of its properties do not inherit it.
 */
export function named<S extends TSchema>(name: string, schema: S): S {
  const copy = annotate(schema, { title: name });
  return Object.defineProperty(copy, NAMED, { value: copy });
}

/** The same schema with keywords of the place where it is used, such as `description`. A named one keeps its name. */
export const annotate = <S extends TSchema>(schema: S, keywords: Annotations): S =>
  // TypeBox keeps the kind of a schema in properties that a spread would lose.
  Object.assign(Object.defineProperties({} as S, Object.getOwnPropertyDescriptors(schema)), keywords);

interface Annotations {
  readonly title?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
}

/** Validates by `schema` and is documented as `shown`: for values that a schema alone does not validate. */
export const documentedAs = <S extends TSchema>(schema: S, shown: TSchema): S =>
  Object.defineProperty(annotate(schema, {}), DOCUMENTED_AS, { value: shown });

/** What documents a schema: `named` is the schema with the name, null if there is none. */
export function documentationOf(schema: object): { readonly shown: object; readonly named: object | null } {
  const shown = (schema as { [DOCUMENTED_AS]?: object })[DOCUMENTED_AS] ?? schema;
  return { shown, named: (shown as { [NAMED]?: object })[NAMED] ?? null };
}

export type { Static, TSchema };
