/** The personal fields of events: sealed in the states of aggregates, opened for a decision, and gone with the data keys of a subject. */

import type { ErasureEvent } from '../../domain/contacts/erasure.js';
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

type Fields = Readonly<Record<string, unknown>>;

/** The personal fields of an event or of one element of its list, as they come out of their box. */
interface OpenedBox {
  /** Under whose data key they are sealed. */
  readonly subject: string;
  /** Null where the key is destroyed. */
  readonly fields: Fields | null;
}

/**
 * The opened personal fields of one event, for decisions only. What comes out is a yes or no, a number, or a keyed hash: neither the fields
 * nor this object can be stored in a document.
 */
export class OpenedFields {
  readonly #own: OpenedBox | null;
  readonly #hashOf: (text: string) => string;
  readonly #spellingsOf: (phone: string) => readonly string[];
  /** Of an event with a list of elements with personal fields: those of each. */
  readonly elements: readonly OpenedFields[];

  constructor(
    own: OpenedBox | null,
    hashOf: (text: string) => string,
    elements: readonly OpenedFields[] = [],
    spellingsOf: (phone: string) => readonly string[] = () => [],
  ) {
    this.#own = own;
    this.#hashOf = hashOf;
    this.#spellingsOf = spellingsOf;
    this.elements = elements;
  }

  /** Whose data they are. Documents that depend on them belong to one of these. */
  get subjects(): readonly string[] {
    return this.#own ? [this.#own.subject] : this.elements.flatMap(({ subjects }) => subjects);
  }

  /** Whether the fields meet a condition; false where they are erased. */
  decide(meets: (fields: Fields) => boolean): boolean {
    const fields = this.#own?.fields;
    return fields ? meets(fields) === true : false;
  }

  /**
   * A number that a rule asks for: what it adds up, or the moment that it counts from. Documents with such numbers are removed with
   * their subject, like all that depends on opened fields. Null without a number, or where the fields are erased.
   */
  number(numberIn: (fields: Fields) => number | null): number | null {
    const fields = this.#own?.fields;
    const number = fields ? numberIn(fields) : null;
    return typeof number === 'number' && Number.isFinite(number) ? number : null;
  }

  /** The hash of a text of the fields under a key of the account, for comparing values; null without a text, or where they are erased. */
  hash(textOf: (fields: Fields) => string | null): string | null {
    const fields = this.#own?.fields;
    const text = fields ? textOf(fields) : null;
    return text === null ? null : this.#hashOf(text);
  }

  /** The same for several texts, in their order; none where the fields are erased. */
  hashes(textsOf: (fields: Fields) => readonly string[]): readonly string[] {
    const fields = this.#own?.fields;
    return fields ? textsOf(fields).map(this.#hashOf) : [];
  }

  /** The keys of the other spellings of a phone number of the fields; none without one, or where they are erased. */
  otherSpellingKeys(phoneOf: (fields: Fields) => unknown): readonly string[] {
    const fields = this.#own?.fields;
    const phone = fields ? phoneOf(fields) : null;
    return typeof phone === 'string' ? this.#spellingsOf(phone) : [];
  }

  toJSON(): never {
    throw new TypeError('opened personal fields cannot be stored');
  }
}

/** Throws unless the projection or process declares that it opens the event's type. */
export function openedFieldsOf({ opened, event }: { readonly opened?: OpenedFields; readonly event: AnyEvent }): OpenedFields {
  if (!opened) throw new Error(`the personal fields of ${event.type} are not opened: name the type in 'opens'`);
  return opened;
}

/** Events after which the data keys of contacts and addresses no longer exist. */
export const keyDestructions = ['ErasureCompleted', 'ErasureSwept'] as const satisfies readonly ErasureEvent['type'][];

const isKeyDestruction = (event: AnyEvent): event is Extract<ErasureEvent, { type: (typeof keyDestructions)[number] }> =>
  (keyDestructions as readonly string[]).includes(event.type);

/** The subjects whose data keys were destroyed before this event: contacts and keys of addresses. */
export function erasedSubjects(event: AnyEvent): readonly string[] {
  if (!isKeyDestruction(event)) return [];
  return event.type === 'ErasureCompleted' ? [...event.data.contact_ids, ...event.data.address_keys] : event.data.contact_ids;
}
