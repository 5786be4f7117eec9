/** The links of a content as its author named them, and which of them an address belongs to that a reader followed. */
import { parseUrl } from '../../domain/kernel/urls.js';
import type { TemplateContent } from '../../domain/templates/template.js';
import { htmlLinks } from '../../formats/messages/html-links.js';

/** A link of a content. What Liquid fills in may be anything. */
export interface NamedLink {
  /** As the content has it, with its Liquid: no data of a person. */
  readonly name: string;
  /** The texts that an address has in this order, the first one at its beginning and the last one at its end. */
  readonly parts: readonly string[];
}

/** Links of one content, and characters of each. */
const MAX_LINKS = 500;
const MAX_LENGTH = 2_000;
const LIQUID = /\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g;
/** From the first tag to the last one: what is between them may be left out. */
const TAGS = /\{%[\s\S]*%\}/g;
/** Addresses of the pages of recipients are of this service. */
const OWN_PAGES = /^\{\{-?\s*(?:unsubscribe_url|preferences_url)\s*-?\}\}$/;
const OWN_PAGE_PARTS = ['', '/v1/public/', ''] as const;
const WEB = /^https?:\/\//i;
const WEB_IN_TEXT = /https?:\/\/[^\s<>"'`]+/gi;
const TEXT_END = /[.,;:!?)\]]+$/;
/** Stands for a value while an address is brought into its normal form. */
const HOLE = 'q0hole0q';

/** The links of a content and of its partials, each once. */
export function namedLinks({ html, message, action_url }: TemplateContent, partials: ReadonlyMap<string, string> = new Map()): NamedLink[] {
  const sources = [...partials.values()];
  const names = [
    ...[html ?? '', ...sources].flatMap(linksOfHtml),
    ...(action_url === undefined ? [] : [action_url.trim()]),
    ...[message ?? '', ...sources].flatMap(linksOfText),
  ];
  const given = [...new Set(names)].filter((name) => name.length <= MAX_LENGTH);
  const links = given.flatMap((name) => (isLink(name) ? [{ name, parts: partsOf(name) }] : []));
  return links.slice(0, MAX_LINKS);
}

/**
 * The name of the link that an address belongs to: of several the one that says most about it. Null where none fits, or where two say
 * the same.
 */
export function nameOfLink(links: readonly NamedLink[], address: string): string | null {
  const normal = normalForm(address);
  let best: NamedLink | null = null;
  let isClear = true;
  for (const link of links) {
    if (!fits(link.parts, normal)) continue;
    const ahead = best === null ? 1 : saidBy(link) - saidBy(best);
    if (ahead > 0) best = link;
    if (ahead >= 0) isClear = ahead > 0;
  }
  return isClear ? (best?.name ?? null) : null;
}

/** A link without values comes before one with them. */
const saidBy = ({ parts }: NamedLink): number => parts.join('').length + (parts.length === 1 ? MAX_LENGTH : 0);

/** Liquid may have quotes and angle brackets of its own: it is masked while links are looked for. */
const masked = (source: string): string => source.replace(LIQUID, (liquid) => 'x'.repeat(liquid.length));

const linksOfHtml = (source: string): string[] =>
  htmlLinks(masked(source))
    .links.filter(({ isUntracked }) => !isUntracked)
    .map(({ start, end }) => source.slice(start, end).trim().replaceAll('&amp;', '&'));

function linksOfText(source: string): string[] {
  const text = masked(source);
  return [...text.matchAll(WEB_IN_TEXT)].map(({ 0: found, index }) => source.slice(index, index + found.replace(TEXT_END, '').length));
}

const isLink = (name: string): boolean => WEB.test(name) || name.startsWith('{{') || name.startsWith('{%');

function partsOf(name: string): readonly string[] {
  if (OWN_PAGES.test(name)) return OWN_PAGE_PARTS;
  const holed = name.replace(TAGS, HOLE).replace(LIQUID, HOLE);
  return normalForm(holed).split(HOLE);
}

/** As browsers write an address; others stay as they are. Case is left aside: the names of hosts have none. */
function normalForm(address: string): string {
  const text = address.trim();
  return (WEB.test(text) ? (parseUrl(text)?.href ?? text) : text).toLowerCase();
}

/** Linear in the length of the address. */
function fits(parts: readonly string[], address: string): boolean {
  const [first = '', ...others] = parts;
  const last = others.pop();
  if (last === undefined) return address === first;
  if (!address.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = address.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return address.length - last.length >= at && address.endsWith(last);
}
