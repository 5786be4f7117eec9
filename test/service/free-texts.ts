import { type Components, resolve, type Schema } from './body-faults/schema-faults.js';

/** A field that took a marker. `documented`: its description says that it is not encrypted. */
export interface FreeText {
  readonly field: string;
  readonly documented: boolean;
}

/** A body with a marker in every text that takes one. */
export interface MarkedBody {
  readonly body: unknown;
  readonly texts: ReadonlyMap<string, FreeText>;
}

/** In a text or a key of a body: a marker takes its place. */
export const MARK = '{marker}';

const NOT_ENCRYPTED = /not encrypted/i;
export const isDocumented = (...described: readonly { readonly description?: string }[]): boolean =>
  described.some(({ description = '' }) => NOT_ENCRYPTED.test(description));

/** Whether a text is a valid value. Formats and lists of words leave no room for a name. */
const takes = (
  { type, enum: words, const: word, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern }: Schema,
  text: string,
): boolean =>
  [type].flat().includes('string') &&
  (words ?? word ?? format) === undefined &&
  text.length >= minLength &&
  text.length <= maxLength &&
  (pattern === undefined || new RegExp(pattern, 'u').test(text));

const isUrl = (path: string): boolean => path.endsWith('url') || path.includes('urls[');

/** What of a schema is in force: the branches of a choice. */
const branchesOf = (schema: Schema, components: Components): Schema[] => {
  const own = resolve(schema, components);
  return own.anyOf ? own.anyOf.flatMap((one) => branchesOf(one, components)) : [own];
};

/** Fills bodies of the schemas of a document. `newMarker`: a text that is nowhere else. */
export const marking =
  (components: Components, newMarker: () => string) =>
  /** The body with a marker at each free text of its schema, also in fields that it does not have. `keep`: paths that stay, but for a `MARK` in them. */
  (schema: Schema, body: unknown, keep: ReadonlySet<string>): MarkedBody =>
    new Marked(components, newMarker, keep).fill(schema, body);

class Marked {
  readonly #texts = new Map<string, FreeText>();

  constructor(
    private readonly components: Components,
    private readonly newMarker: () => string,
    private readonly keep: ReadonlySet<string>,
  ) {}

  fill(schema: Schema, body: unknown): MarkedBody {
    return { body: this.#mark(schema, body, '', false), texts: this.#texts };
  }

  #text(field: string, documented: boolean): string {
    const marker = this.newMarker();
    this.#texts.set(marker, { field, documented });
    return marker;
  }

  #mark(given: Schema, value: unknown, path: string, inherited: boolean): unknown {
    const branches = branchesOf(given, this.components);
    const documented = inherited || isDocumented(given, ...branches);
    if (this.keep.has(path)) return this.#replace(value, path);
    if (this.#isText(branches, path)) return this.#atUrl(path, this.#text(path, documented));
    const items = branches.find((branch) => branch.items)?.items;
    if (items) return this.#list(items, value, path, documented);
    const object = branches.find(
      ({ properties, additionalProperties, patternProperties }) => properties ?? additionalProperties ?? patternProperties,
    );
    return object ? this.#object(object, value, path, documented) : value;
  }

  #atUrl = (path: string, marker: string): string => (isUrl(path) ? `https://example.com/${marker}` : marker);
  #isText = (branches: readonly Schema[], path: string): boolean => branches.some((branch) => takes(branch, this.#atUrl(path, this.newMarker())));

  #list(items: Schema, value: unknown, path: string, documented: boolean): unknown {
    const present = Array.isArray(value) ? value : [];
    const first = `${path}[0]`;
    const filled = present.length === 0 && this.#isText(branchesOf(items, this.components), first) ? [null] : present;
    return filled.length > 0 ? filled.map((item, i) => this.#mark(items, item, `${path}[${i}]`, documented)) : value;
  }

  #object({ properties }: Schema, value: unknown, path: string, documented: boolean): unknown {
    const marked: Record<string, unknown> = { ...(value as object | undefined) };
    for (const [name, part] of Object.entries(properties ?? {})) {
      const next = this.#mark(part, marked[name], path === '' ? name : `${path}.${name}`, documented);
      if (next !== undefined) marked[name] = next;
    }
    if (!properties) marked[this.#text(`${path}.*`, documented)] = this.#text(`${path}.*`, documented);
    return Object.keys(marked).length > 0 ? marked : value;
  }

  #replace(value: unknown, path: string): unknown {
    if (typeof value === 'string') return value.replaceAll(MARK, () => this.#text(path, false));
    if (Array.isArray(value)) return value.map((item) => this.#replace(item, path));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [this.#replace(name, path), this.#replace(child, path)]));
  }
}
