/** The value of an attribute in a source text, without quotes: from `start` to before `end`. */
export interface LinkValue {
  readonly start: number;
  readonly end: number;
  /** Whether its element has the attribute `data-no-track`. */
  readonly isUntracked: boolean;
}

export interface HtmlLinks {
  /** The first `href` of each `a` and `area`, in their order. */
  readonly links: readonly LinkValue[];
  /** Where the content of the body ends: before the last `</body>`, or at the end. Null where the text ends inside of something. */
  readonly bodyEnd: number | null;
  /** Where the content of the body begins, as far as the text can be read. */
  readonly bodyStart: number;
}

/** Elements whose content is text up to their end tag. */
const RAW_TEXT = new Set(['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes', 'noscript', 'plaintext']);
const LINKS = new Set(['a', 'area']);
const TAG_NAME = /<(\/?)([a-z][^\t\n\f\r />]*)/iy;
/** Of attributes: spaces and slashes before, a name, and a value in one of three forms. An `=` at the beginning belongs to the name. */
const ATTRIBUTE = /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"|'([^']*)'|(?=["'])|([^\t\n\f\r >]*)))?/y;
const TAG_END = /[\t\n\f\r /]*>/y;

/**
 * Finds links as a browser does (HTML, 13.2.5): not those in comments, scripts, styles and the like. What it is not sure of, it leaves
 * out. Linear in the length.
 */
export function htmlLinks(html: string): HtmlLinks {
  const links: LinkValue[] = [];
  let lastBodyEnd: number | null = null;
  const start = { place: 0, rank: 0 };
  let at = html.indexOf('<');
  while (at >= 0) {
    const tag = matchAt(TAG_NAME, html, at);
    const next = tag ? endOfTag(html, at + tag[0].length, LINKS.has(nameOf(tag)) && tag[1] === '' ? links : null) : endOfOther(html, at);
    if (next === null) return { links, bodyEnd: null, bodyStart: start.place };
    const rank = startRank(tag, html, at);
    if (rank > start.rank) Object.assign(start, { place: next, rank });
    if (tag?.[1] === '/' && nameOf(tag) === 'body') lastBodyEnd = at;
    const from = tag && tag[1] === '' && RAW_TEXT.has(nameOf(tag)) ? endOfRawText(html, next, nameOf(tag)) : next;
    if (from === null) return { links, bodyEnd: null, bodyStart: start.place };
    at = html.indexOf('<', from);
  }
  return { links, bodyEnd: lastBodyEnd ?? html.length, bodyStart: start.place };
}

/** What the content of a body may come after, the best place last; 0 for all other tags. */
const STARTS = ['<!doctype', '<html', '</head', '<body'];

function startRank(tag: RegExpExecArray | null, html: string, at: number): number {
  if (tag) return STARTS.indexOf(`<${tag[1]}${nameOf(tag)}`) + 1;
  return html.slice(at, at + 9).toLowerCase() === STARTS[0] ? 1 : 0;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

const nameOf = (tag: RegExpExecArray): string => (tag[2] as string).toLowerCase();

/** The place after the tag whose name ends at `at`; null where it has no end. */
function endOfTag(html: string, at: number, links: LinkValue[] | null): number | null {
  let place = at;
  let href: Pick<LinkValue, 'start' | 'end'> | null = null;
  let isUntracked = false;
  for (;;) {
    const end = matchAt(TAG_END, html, place);
    if (end) {
      if (href && links) links.push({ ...href, isUntracked });
      return place + end[0].length;
    }
    const attribute = matchAt(ATTRIBUTE, html, place);
    if (!attribute) return null;
    const [whole, name = '', double, single, bare] = attribute;
    place += whole.length;
    const value = double ?? single ?? bare;
    isUntracked ||= name.toLowerCase() === 'data-no-track';
    if (value === undefined && isNeverClosed(whole, html[place])) return null;
    if (value === undefined || href !== null || name.toLowerCase() !== 'href') continue;
    const valueEnd = place - (bare === undefined ? 1 : 0);
    href = { start: valueEnd - value.length, end: valueEnd };
  }
}

/** A quote after an attribute, that nothing closes: the tag has no end. */
const isNeverClosed = (attribute: string, next: string | undefined): boolean => (next === '"' || next === "'") && /=\s*$/.test(attribute);

/** The place after a comment, a declaration or a `<` that begins nothing; null where it has no end. */
function endOfOther(html: string, at: number): number | null {
  if (html.startsWith('<!--', at)) {
    const short = matchAt(/<!--(?:>|->)/y, html, at);
    if (short) return at + short[0].length;
    const end = /--!?>/g;
    end.lastIndex = at + 4;
    return end.exec(html) ? end.lastIndex : null;
  }
  const close = html.startsWith('<![CDATA[', at) ? ']]>' : /^<[!?/]/.test(html.slice(at, at + 2)) ? '>' : null;
  if (close === null) return at + 1;
  const end = html.indexOf(close, at);
  return end < 0 ? null : end + close.length;
}

/** The place of the end tag; null where there is none. */
function endOfRawText(html: string, at: number, name: string): number | null {
  const end = new RegExp(`</${name}(?=[\\t\\n\\f\\r />])`, 'gi');
  end.lastIndex = at;
  return end.exec(html)?.index ?? null;
}
