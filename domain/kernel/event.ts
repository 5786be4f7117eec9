import type { Static, TSchema } from './schema.js';

/**
 * Which fields of an event are personal. They are sealed together, one box an event (or one box an element of the
 * list named by `each`), under the data key of their subject. `subject` names the field that holds the subject.
 */
export interface Personal<Field extends string = string, Each extends string = string> {
  readonly subject: string;
  readonly fields: readonly Field[];
  readonly each?: Each;
}

/** An event type is a value: its name, the schema of its data, the version of that schema, and its personal fields. */
export interface EventType<
  Name extends string = string,
  Schema extends TSchema = TSchema,
  Field extends string = string,
  Each extends string = string,
> {
  readonly name: Name;
  readonly schema: Schema;
  readonly version: number;
  readonly personal: Personal<Field, Each> | null;
}

/** An event type of any schema. */
// biome-ignore lint/suspicious/noExplicitAny: lists hold event types of every schema
export type AnyEventType = EventType<string, any, any, any>;

export function eventType<const Name extends string, Schema extends TSchema, const Field extends string = never, const Each extends string = never>(
  name: Name,
  schema: Schema,
  options: { version?: number; personal?: Personal<Field, Each> } = {},
): EventType<Name, Schema, Field, Each> {
  return { name, schema, version: options.version ?? 1, personal: options.personal ?? null };
}

/** Only in types: the names of the personal fields of an event. */
declare const personalFields: unique symbol;

/** The event as plain data: `{ type, data }`. A union of types gives a union of events. */
export type EventOf<T> =
  T extends EventType<infer Name, infer Schema, infer Field, string>
    ? { type: Name; data: Static<Schema>; readonly [personalFields]?: Field }
    : never;

/** The names of all personal fields of a union of events. */
export type PersonalFieldOf<E> = E extends { readonly [personalFields]?: infer Field } ? Extract<Field, string> : never;

type SealFields<Data, Field extends string> = Omit<Data, Field> & { sealed: string };
type Seal<Data, Field extends string, Each extends string> = [Field] extends [never]
  ? Data
  : [Each] extends [never]
    ? SealFields<Data, Field>
    : { [K in keyof Data]: K extends Each ? (Data[K] extends readonly (infer Item)[] ? SealFields<Item, Field>[] : never) : Data[K] };

/** The same event with its personal fields sealed: `sealed` replaces them, a box that the event log can open. */
export type SealedEventOf<T> =
  T extends EventType<infer Name, infer Schema, infer Field, infer Each> ? { type: Name; data: Seal<Static<Schema>, Field, Each> } : never;

/** Any event. */
export interface AnyEvent {
  readonly type: string;
  readonly data: unknown;
}
