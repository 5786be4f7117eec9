/** Cells with several texts: tags, lists of texts, further addresses. */

/** Between the parts: services write commas or semicolons, and Google three colons. */
const SEPARATOR = /[;,]|\s:::(?=\s|$)/;
const SEMICOLON = /;/;

/**
 * The parts of a cell. A part in quotation marks is as it stands there, with its separators and blanks, and with two marks for one:
 * `"VIP","Blog, weekly"` has two parts. `only`: the separator; by default all of them.
 */
export function partsOf(text: string, only: 'semicolon' | 'any' = 'any'): string[] {
  const separator = only === 'semicolon' ? SEMICOLON : SEPARATOR;
  const parts: string[] = [];
  let rest = text;
  while (rest !== '') {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*(?=$|[;,])/.exec(rest);
    if (quoted) {
      parts.push((quoted[1] ?? '').replaceAll('""', '"'));
      rest = rest.slice(quoted[0].length);
    }
    const found = separator.exec(rest);
    // After a quoted part comes its separator, or with `only` the rest of the text.
    if (quoted) {
      if (found?.index === 0) rest = rest.slice(found[0].length);
      continue;
    }
    const part = rest.slice(0, found?.index).trim();
    if (part !== '') parts.push(part);
    rest = found ? rest.slice(found.index + found[0].length) : '';
  }
  return parts;
}

/** The cell that `partsOf` reads as these parts. */
export const cellOfParts = (parts: readonly string[]): string =>
  parts.map((part) => (/[;,"\r\n]|:::|^\s|\s$|^$/.test(part) ? `"${part.replaceAll('"', '""')}"` : part)).join(';');
