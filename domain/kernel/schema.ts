import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';

/** Schemas of the smallest things, written once. Every other schema is made of these. */
export const text = Type.String({ minLength: 1 });
export const time = Type.String({ format: 'date-time' });
export const count = Type.Integer({ minimum: 0 });
export const flag = Type.Boolean();
/** Free key and value pairs whose meaning is the caller's own. */
export const anyRecord = Type.Record(Type.String(), Type.Unknown());

/** Values of one kind by any name. */
export const mapOf = <S extends TSchema>(schema: S) => Type.Record(Type.String(), schema);

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);
export const list = <S extends TSchema>(schema: S, options: { minItems?: number; maxItems?: number } = {}) => Type.Array(schema, options);
/** One of a fixed list of words. */
export const oneOf = <W extends string>(...words: readonly W[]) => Type.Unsafe<W>({ type: 'string', enum: [...words] });

/** A text or a whole number within bounds. */
export const textOf = (bounds: { minLength?: number; maxLength?: number; pattern?: string; format?: string }) => Type.String(bounds);
export const integer = (bounds: { minimum?: number; maximum?: number } = {}) => Type.Integer(bounds);

/** An object with these properties and no others. */
export const record = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false });
/** The same object with every property left to choice. */
export const partial = <P extends TProperties>(schema: TObject<P>) => Type.Partial(schema);

export type { Static, TSchema };
