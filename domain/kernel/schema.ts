import Type, { type Static, type TProperties, type TSchema } from 'typebox';

/** Schemas of the smallest things, written once. Every other schema is made of these. */
export const text = Type.String({ minLength: 1 });
export const time = Type.String({ format: 'date-time' });
export const count = Type.Integer({ minimum: 0 });
export const flag = Type.Boolean();
/** Free key and value pairs whose meaning is the caller's own. */
export const anyRecord = Type.Record(Type.String(), Type.Unknown());

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
export const optional = <S extends TSchema>(schema: S) => Type.Optional(schema);
export const list = <S extends TSchema>(schema: S, options: { minItems?: number; maxItems?: number } = {}) => Type.Array(schema, options);
/** One of a fixed list of words. */
export const oneOf = <W extends string>(...words: readonly W[]) => Type.Unsafe<W>({ type: 'string', enum: [...words] });

/** An object with these properties and no others. */
export const record = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false });

export type { Static, TSchema };
