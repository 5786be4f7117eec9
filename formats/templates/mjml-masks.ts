/**
 * The compiler of MJML reads XML and writes attributes within texts anew. So what MJML keeps as it is, is taken out before, and put back
 * into the HTML: the content of elements that hold HTML, and Liquid and `<` in attributes and texts.
 */

/** Elements whose content is HTML. */
const HOLDERS = [
  'mj-text',
  'mj-button',
  'mj-raw',
  'mj-table',
  'mj-title',
  'mj-preview',
  'mj-navbar-link',
  'mj-social-element',
  'mj-accordion-title',
  'mj-accordion-text',
];
const COMMENT = /<!--[\s\S]*?-->/y;
const LIQUID = /\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}/y;
/** The beginning of an element: its name, attributes (in which Liquid may have quotes of its own), and a slash. */
const OPENING = /<(mj-?[a-z-]*)((?:\s+|"(?:\{[{%][\s\S]*?[}%]\}|[^"])*"|'(?:\{[{%][\s\S]*?[}%]\}|[^'])*'|[^"'>/\s]|\/(?!>))*)(\/?)>/y;
const VALUE = /=\s*(?:"((?:\{[{%][\s\S]*?[}%]\}|[^"])*)"|'((?:\{[{%][\s\S]*?[}%]\}|[^'])*)')/g;
/** What the compiler cannot read, or would change. */
const UNSAFE = /[<&"'\n]/;
/** Characters that can begin a mask: one that the source does not have. */
const MARKS = ['^', '`', '~', '|', '\\', '$', '@', '?'];
const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';

interface Mask {
  readonly source: string;
  readonly isContent: boolean;
}

/** MJML that the compiler reads, as long as the source where possible, so that places in it are those of the source. */
export interface MaskedMjml {
  readonly mjml: string;
  /** Puts back what was taken out. */
  restore(html: string): string;
}

/** Takes out of MJML what its compiler would not keep. Linear in the length. */
export function maskedMjml(source: string): MaskedMjml {
  const mark = MARKS.find((one) => !source.includes(one)) ?? 'qmaskq';
  const masks: Mask[] = [];
  // Three digits: 46,656 masks; a source of the maximum length with more has shorter ones in vain, and is refused by the compiler.
  const mask = (part: string, isContent: boolean): string => {
    const digits = [masks.length / 1296, masks.length / 36, masks.length].map((n) => DIGITS.charAt(Math.floor(n) % 36)).join('');
    masks.push({ source: part, isContent });
    const written = mark + digits;
    const lost = part.slice(0, written.length).replace(/[^\n]/g, '');
    const rest = isContent ? lost + part.slice(written.length).replace(/[^\n]/g, mark) : mark.repeat(Math.max(0, part.length - written.length));
    return written + (mark.length === 1 ? rest : '');
  };
  const mjml = maskParts(source, mask);
  if (masks.length === 0) return { mjml, restore: (html) => html };
  const quoted = mark.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&');
  const written = new RegExp(`("?)${quoted}([0-9a-z]{3})((?:${quoted}|\\n)*)`, 'g');
  return {
    mjml,
    restore: (html) =>
      html.replace(written, (whole, quote: string, digits: string, rest: string) => {
        const found = masks[Number.parseInt(digits, 36)];
        if (!found) return whole;
        if (!found.isContent) return quote + found.source + rest.replaceAll(mark, '');
        return quote + (quote === '' ? found.source.trim() : found.source.trim().replaceAll('"', '&quot;'));
      }),
  };
}

type MaskMaker = (part: string, isContent: boolean) => string;

function maskParts(source: string, mask: MaskMaker): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = nextStart(source, 0); at >= 0; at = nextStart(source, from)) {
    parts.push(source.slice(from, at));
    const [written, next] = partAt(source, at, mask);
    parts.push(written);
    from = next;
  }
  return parts.join('') + source.slice(from);
}

function nextStart(source: string, from: number): number {
  const [tag, liquid] = ['<', '{'].map((start) => source.indexOf(start, from)) as [number, number];
  return tag < 0 || (liquid >= 0 && liquid < tag) ? liquid : tag;
}

function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  const sticky = new RegExp(pattern);
  sticky.lastIndex = at;
  return sticky.exec(source);
}

/** What is written for the part that begins here, and where the next one begins. */
function partAt(source: string, at: number, mask: MaskMaker): readonly [written: string, next: number] {
  const comment = matchAt(COMMENT, source, at)?.[0];
  if (comment !== undefined) return [comment, at + comment.length];
  const liquid = matchAt(LIQUID, source, at)?.[0];
  if (liquid !== undefined) return [UNSAFE.test(liquid) ? mask(liquid, false) : liquid, at + liquid.length];
  const opening = matchAt(OPENING, source, at);
  if (!opening) return [source.charAt(at), at + 1];
  const [whole, name = '', attributes = '', slash = ''] = opening;
  const written = `<${name}${attributes.replace(VALUE, (value) => maskedValue(value, mask))}${slash}>`;
  const begin = at + whole.length;
  const end = slash === '' && HOLDERS.includes(name) ? source.indexOf(`</${name}`, begin) : -1;
  if (end < 0) return [written, begin];
  const content = source.slice(begin, end);
  return [written + (UNSAFE.test(content.trim()) && content.trim() !== '' ? mask(content, true) : content), end];
}

/** A line break in an attribute is a space, as in XML; `<` and Liquid with quotes are taken out. */
function maskedValue(value: string, mask: MaskMaker): string {
  const quote = value.search(/["']/);
  const inner = value.slice(quote + 1, -1);
  const masked = inner.replace(/\{%[\s\S]*?%\}|\{\{[\s\S]*?\}\}|</g, (part) => (UNSAFE.test(part) ? mask(part, false) : part));
  return value.slice(0, quote + 1) + masked.replace(/\s*\n\s*/g, ' ') + value.charAt(value.length - 1);
}
