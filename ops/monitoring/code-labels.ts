/** Different codes of a carrier that get a label of their own. */
const MAX_CODES = 100;
/** What a code looks like. Anything else, and what could be an address or a number of a person, is not named. */
const CODE = /^(?!.*\d{7})[A-Za-z0-9_./ -]{1,60}$/;
const OTHER = 'other';

/** The labels of codes that carriers choose: so many of each carrier that the number of series is bounded. */
export class CodeLabels {
  readonly #known = new Map<string, Set<string>>();

  of(carrier: string, code: string): string {
    if (!CODE.test(code)) return OTHER;
    const known = this.#known.get(carrier) ?? new Set();
    this.#known.set(carrier, known);
    if (known.has(code)) return code;
    if (known.size >= MAX_CODES) return OTHER;
    known.add(code);
    return code;
  }
}
