/**
 * A text as its differences from a similar one: most events of a type differ only in some values. Both texts are compared from
 * quotation mark to quotation mark, in one pass.
 *
 * A delta is a list of edits, separated by quotation marks: `<characters to copy>,<characters to skip>,<text to insert>`, with
 * numbers in base 36. After the last edit the rest of the base is copied.
 */

const QUOTE = '"';
const [COMMA, ZERO, LETTER_A] = [44, 48, 97];

/** The edits that make `text` out of `base`; null where they do not follow from quotation marks alone. */
export function deltaOf(text: string, base: string): string | null {
  let delta = '';
  let at = 0;
  for (let from = 0; ; ) {
    const begin = from;
    while (from < base.length && base.charCodeAt(from) === text.charCodeAt(at)) {
      from++;
      at++;
    }
    if (from === base.length && at === text.length) break;
    const ofText = endOfToken(text, at);
    const ofBase = ofText === text.length ? base.length : endOfToken(base, from);
    if (ofBase === base.length && ofText !== text.length) return null;
    const common = commonEnd(base, from, ofBase, text, at, ofText);
    const skipped = ofBase - common - from;
    delta += `${delta === '' ? '' : QUOTE}${(from - begin).toString(36)},${skipped.toString(36)},${text.slice(at, ofText - common)}`;
    from += skipped;
    at = ofText - common;
  }
  return delta.isWellFormed() ? delta : null;
}

function endOfToken(text: string, from: number): number {
  const end = text.indexOf(QUOTE, from);
  return end === -1 ? text.length : end;
}

function commonEnd(base: string, from: number, baseEnd: number, text: string, at: number, textEnd: number): number {
  const most = Math.min(baseEnd - from, textEnd - at);
  let length = 0;
  while (length < most && base.charCodeAt(baseEnd - 1 - length) === text.charCodeAt(textEnd - 1 - length)) length++;
  return length;
}

/** The text that `deltaOf` was given. Reads digit by digit: it runs for every event that is read. */
export function applyDelta(delta: string, base: string): string {
  let text = '';
  let from = 0;
  let at = 0;
  const nextNumber = (): number => {
    let number = 0;
    for (let code = delta.charCodeAt(at++); code !== COMMA; code = delta.charCodeAt(at++))
      number = 36 * number + code - (code < LETTER_A ? ZERO : LETTER_A - 10);
    return number;
  };
  while (at < delta.length) {
    const until = from + nextNumber();
    const skipped = nextNumber();
    const end = endOfToken(delta, at);
    text += base.slice(from, until) + delta.slice(at, end);
    from = until + skipped;
    at = end + 1;
  }
  return text + base.slice(from);
}
