import type { AnyEvent } from '../../domain/kernel/event.js';

type Fields = Readonly<Record<string, unknown>>;

/** The personal fields of an event or of one element of its list, as they come out of their box. */
export interface OpenedBox {
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
