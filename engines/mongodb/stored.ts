import type { CollectionSpec, Doc, Op, Position, Value, ViewSpec } from '../../domain/kernel/ports.js';

/** The indexed fields of a document, lists as lists, without those that are null or absent. */
export type StoredFields = Readonly<Record<string, Value | readonly Value[]>>;

/**
 * A stored document: its JSON as text, with the indexed fields beside it. BSON could not store it exactly: lone surrogates,
 * field names with `$` or dots, and numbers would change.
 */
export interface MongoDoc {
  readonly _id: string;
  /** End of the page that wrote it. Only a page with a later end may replace it. */
  readonly p: Position;
  /** Absent in a tombstone. */
  readonly d?: string;
  readonly f?: StoredFields;
  /** When it was removed. A tombstone stays until no writer of an older page can be left. */
  readonly g?: Date;
}

/** One operation of a pending page. */
export interface StoredOp {
  readonly c: string;
  readonly i: string;
  /** The new text; absent for a removal. */
  readonly d?: string;
  readonly f?: StoredFields;
  /** Whether the document is new. */
  readonly n?: true;
}

/** Cache: the fields are needed for each document. */
const known = new WeakMap<CollectionSpec, readonly string[]>();

/** The indexed fields of a collection, without the id. */
export function storedFieldsOf(spec: CollectionSpec): readonly string[] {
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

function indexedFields(doc: Doc, spec: CollectionSpec): StoredFields {
  const fields: Record<string, Value | readonly Value[]> = {};
  for (const field of storedFieldsOf(spec)) {
    const value = doc[field];
    if (isValue(value)) fields[field] = value;
    else if (Array.isArray(value) && spec.multi?.fields.includes(field) && value.length > 0) fields[field] = [...new Set(value as Value[])];
  }
  return fields;
}

/** Encodes the operations of a page. Throws before anything is written if a document cannot be serialized. */
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
