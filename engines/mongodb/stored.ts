import type { CollectionSpec, Doc, Op, Position, Value, ViewSpec } from '../../domain/kernel/ports.js';

/** The indexed fields of a document, lists as lists. What is null or absent is left out. */
export type Fields = Readonly<Record<string, Value | readonly Value[]>>;

/**
 * A document as it lies in its collection. Its text is kept as it is: BSON has no half surrogate pairs, no field names
 * with `$` or dots everywhere, and another idea of numbers. What queries name stands beside it.
 */
export interface StoredDoc {
  readonly _id: string;
  /** End of the page that wrote it: no page that ends there or before may write it again. */
  readonly p: Position;
  /** Absent in a tombstone. */
  readonly d?: string;
  readonly f?: Fields;
  /** When it was removed. A tombstone stays until nobody can be left who might write what the document once was. */
  readonly g?: Date;
}

/** One change of a page, as it is kept until the page is done. */
export interface StoredOp {
  readonly c: string;
  readonly i: string;
  /** The text afterwards; absent where the document is removed. */
  readonly d?: string;
  readonly f?: Fields;
  /** Whether the page found no such document. */
  readonly n?: true;
}

/** Worked out once: they are asked for with each document. */
const known = new WeakMap<CollectionSpec, readonly string[]>();

/** The fields that a collection's queries may name, other than the id. */
export function fieldsOf(spec: CollectionSpec): readonly string[] {
  const there = known.get(spec);
  if (there) return there;
  const { indexes, multi } = spec;
  const listed = multi ? [...multi.fields, multi.scope, multi.order] : [];
  const fields = [...new Set([...indexes.flat(), ...listed])].filter((field) => field !== 'id');
  known.set(spec, fields);
  return fields;
}

const isValue = (value: unknown): value is Exclude<Value, null> =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function indexedFields(doc: Doc, spec: CollectionSpec): Fields {
  const fields: Record<string, Value | readonly Value[]> = {};
  for (const field of fieldsOf(spec)) {
    const value = doc[field];
    if (isValue(value)) fields[field] = value;
    else if (Array.isArray(value) && spec.multi?.fields.includes(field) && value.length > 0) fields[field] = [...new Set(value as Value[])];
  }
  return fields;
}

/** The changes of a page in the form in which they are kept. Throws where a document cannot be written, before anything is. */
export function toStored(spec: ViewSpec, ops: readonly Op[]): StoredOp[] {
  const stored = new Map<string, StoredOp>();
  for (const { collection, id, before, after } of ops) {
    const collectionSpec = spec.collections[collection];
    if (!collectionSpec) throw new Error(`no collection ${collection}`);
    const written = after && { d: JSON.stringify(after), f: indexedFields(after, collectionSpec) };
    stored.set(`${collection}/${id}`, { c: collection, i: id, ...written, ...(before === undefined && { n: true }) });
  }
  return [...stored.values()];
}
