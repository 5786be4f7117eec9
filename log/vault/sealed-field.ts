import { ERASED } from '../../domain/kernel/erased.js';
import type { AnyEvent, EventType } from '../../domain/kernel/event.js';
import { GrowingMap } from '../../domain/kernel/growing-map.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';

/**
 * A sealed personal field, in place of its value in a stored state. `key` names a value inside a field that holds a record.
 */
export class SealedField {
  constructor(
    readonly box: string,
    /** Of the event that the box is from. */
    readonly type: string,
    readonly field: string,
    readonly key: string | null = null,
  ) {}

  at(key: string): SealedField {
    return new SealedField(this.box, this.type, this.field, key);
  }

  /** The value out of the opened box, or out of the fields of an erased event. */
  valueIn(fields: Readonly<Record<string, unknown>>): unknown {
    const value = ownField(fields, this.field);
    if (this.key === null) return value;
    return isRecord(value) && Object.hasOwn(value, this.key) ? ownField(value, this.key) : ERASED;
  }
}

/** A sealed event with a `SealedField` in place of each personal field. What is not sealed stays as it is, also beside a box. */
export function withSealedFields(type: EventType, event: AnyEvent): AnyEvent {
  const { personal } = type;
  if (!personal) return event;
  const place = (holder: Holder): Holder => {
    const { sealed, ...plain } = holder;
    if (typeof sealed !== 'string') return holder;
    for (const field of personal.fields) if (!Object.hasOwn(plain, field)) setOwnField(plain, field, new SealedField(sealed, type.name, field));
    return plain;
  };
  const data = event.data as Holder;
  const { each } = personal;
  return { type: event.type, data: each ? { ...data, [each]: (ownField(data, each) as Holder[]).map(place) } : place(data) };
}

/** All sealed fields in a state of plain objects, lists, maps and sets. Objects of other classes hold none. */
export function sealedFieldsIn(value: unknown, found: SealedField[] = []): SealedField[] {
  if (value instanceof SealedField) found.push(value);
  else for (const child of childrenOf(value)) sealedFieldsIn(child, found);
  return found;
}

/** The same state with other values in place of its sealed fields. What holds none is not copied. */
export function replaceSealedFields(value: unknown, open: (field: SealedField) => unknown): unknown {
  if (value instanceof SealedField) return open(value);
  const children = [...childrenOf(value)];
  const replaced = children.map((child) => replaceSealedFields(child, open));
  if (replaced.every((child, i) => child === children[i])) return value;
  if (Array.isArray(value)) return replaced;
  if (value instanceof Map) return new Map([...value.keys()].map((key, i) => [key, replaced[i]]));
  if (value instanceof Set) return new Set(replaced);
  return Object.fromEntries(Object.keys(value as Holder).map((key, i) => [key, replaced[i]]));
}

const OVERHEAD_BYTES = 16;
/** An id, and another text. */
const BYTES_OF_ENTRY = 200;

/** About how much memory a state takes. */
export function bytesOf(value: unknown): number {
  if (typeof value === 'string') return OVERHEAD_BYTES + 2 * value.length;
  if (value instanceof SealedField) return 4 * OVERHEAD_BYTES + 2 * value.box.length;
  if (value instanceof GrowingMap) return OVERHEAD_BYTES + value.size * BYTES_OF_ENTRY;
  let bytes = OVERHEAD_BYTES;
  for (const child of childrenOf(value)) bytes += OVERHEAD_BYTES + bytesOf(child);
  return bytes;
}

function childrenOf(value: unknown): Iterable<unknown> {
  if (Array.isArray(value) || value instanceof Map || value instanceof Set) return value.values();
  return isRecord(value) && Object.getPrototypeOf(value) === Object.prototype ? Object.values(value) : [];
}

const isRecord = (value: unknown): value is Holder => typeof value === 'object' && value !== null;

type Holder = Record<string, unknown>;
