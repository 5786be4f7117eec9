/**
 * Patterns of texts, each with its hint: how to correct a text that does not match, in words. A pattern is spread into the options of a
 * schema, `boundedText({ maxLength: 5, ...wallTime })`, and takes its hint along. The hint has a symbol for its name, so neither
 * validators nor the API documentation see it.
 */
const HINT = Symbol('hint');

export interface TextPattern {
  /** A regular expression with the flag `u`. */
  readonly pattern: string;
  readonly [HINT]: string;
}

/** `hint`: a sentence with an example that says how to correct the text. */
export const textPattern = (pattern: string, hint: string): TextPattern => ({ pattern, [HINT]: hint });

const NEED = Symbol('need');

/** For the options of a schema: what to say where the value is missing or of another type. Validators and the documentation do not see it. */
export const needed = (hint: string): object => ({ [NEED]: hint });

/** What a schema says where its value is missing or of another type; undefined for most. */
export const needOf = (schema: object): string | undefined => (schema as { readonly [NEED]?: string })[NEED];

/** The hint of a schema with a pattern; undefined for any other. */
export const hintOf = (schema: object): string | undefined => (schema as { readonly [HINT]?: string })[HINT];

/** The hints of a schema, to spread into a copy that is made keyword by keyword. */
export const hintPartOf = (schema: object): object => ({
  ...(hintOf(schema) !== undefined && { [HINT]: hintOf(schema) }),
  ...(needOf(schema) !== undefined && { [NEED]: needOf(schema) }),
});

/** A name that stands in code: a small letter, then small letters, digits and these `marks`. At most 64 characters. */
export function keyPattern(...marks: readonly ['_', ...('.' | '-')[]]): TextPattern {
  const others = marks.slice(0, -1).map((mark) => `, ${mark}`);
  const allowed = `small letters, digits${others.join('')} and ${marks.at(-1)}`;
  return textPattern(
    `^[a-z][a-z0-9${marks.join('')}]{0,63}$`,
    `Begin with a small letter, then use ${allowed}, 64 characters at most: for example first_order.`,
  );
}

/** An id of one kind: a prefix and a ULID. */
export const idPattern = (prefix: string): TextPattern => textPattern(`^${prefix}_[0-9A-HJKMNP-TV-Z]{26}$`, `Use an id that begins with ${prefix}_.`);

/** No control characters: it can stand in a header of a mail and in an URL. */
export const oneLine = textPattern('^[^\\u0000-\\u001f\\u007f]*$', 'Use one line of text, without line breaks, tabs and other control characters.');

/** `09:30`. */
export const wallTime = textPattern('^([01][0-9]|2[0-3]):[0-5][0-9]$', 'Use a time of day, for example 09:30.');

/** What it can be is a duration with a sign; the decider reads it. */
export const signedDuration = textPattern('^[+-]?P.+$', 'Use an ISO 8601 duration after or before, for example P3D or -P3D.');

export const visibleAscii = textPattern('^[\\u0021-\\u007e]+$', 'Use visible ASCII characters, without spaces.');
