import { Parser } from 'htmlparser2';
import { parseUrl } from '../../domain/kernel/urls.js';
import { htmlLinks } from './html-links.js';
import { clickPath, openPath, type TrackingTokens } from './tracking-tokens.js';

export interface TrackingParts {
  readonly tokens: TrackingTokens;
  /** Public base URL without a trailing slash. */
  readonly publicUrl: string;
}

/** A message whose HTML is tracked. `headers`: of the email, whose own link to unsubscribe stays as it is. */
export interface TrackedMessage {
  readonly message_id: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export type TrackHtml = (html: string, message: TrackedMessage) => Promise<string>;

/** Links that are replaced between two pauses: some milliseconds. */
const LINKS_AT_ONCE = 200;
/** Longer addresses stay as they are. */
const MAX_URL_LENGTH = 2_000;
/** Of this service: to unsubscribe, to choose, to confirm. */
const OWN_LINKS = '/v1/public/';
/**
 * Replaces the web addresses of links by signed ones of this service, and adds an open pixel at the end. All else stays as it is, byte
 * for byte: so do links of this service, that of `List-Unsubscribe`, other schemes, those with `data-no-track`, and what cannot be read for certain. `pause` lets other
 * work go on: an HTML of the maximum length can have 50,000 links.
 */
export function htmlTracking({ pause, ...parts }: TrackingParts & { readonly pause: () => Promise<void> }): TrackHtml {
  const trackingOf = trackingInSlices(parts);
  return async (html, message) => {
    const tracking = trackingOf(html, message);
    for (;;) {
      const slice = tracking.next();
      if (slice.done) return slice.value;
      await pause();
    }
  };
}

/** The same in slices: it yields after each, and returns the HTML. */
export function trackingInSlices({ tokens, publicUrl }: TrackingParts): (html: string, message: TrackedMessage) => Generator<void, string> {
  const own = new URL(publicUrl + OWN_LINKS).href;
  return function* (html, { message_id, headers = {} }) {
    const named = namedIn(headers);
    const { links, bodyEnd } = htmlLinks(html);
    const parts: string[] = [];
    let from = 0;
    const take = (to: number, instead: string, next: number) => {
      parts.push(html.slice(from, to), instead);
      from = next;
    };
    const pixel = `<img src="${attribute(publicUrl + openPath(tokens.sign({ kind: 'opened', message_id })))}" width="1" height="1" alt="" style="border:0">`;
    let pixelAt = bodyEnd;
    for (const [nth, { start, end, isUntracked }] of links.entries()) {
      if (nth % LINKS_AT_ONCE === LINKS_AT_ONCE - 1) yield;
      const url = isUntracked ? null : targetOf(html.slice(start, end));
      if (url === null || url.startsWith(own) || named.has(url)) continue;
      if (pixelAt !== null && pixelAt < start) {
        take(pixelAt, pixel, pixelAt);
        pixelAt = null;
      }
      take(start, attribute(publicUrl + clickPath(tokens.sign({ kind: 'clicked', message_id, url }))), end);
    }
    if (pixelAt !== null) take(pixelAt, pixel, pixelAt);
    return parts.join('') + html.slice(from);
  };
}

/** The address that a browser opens for the value of an `href`; null for one that is not tracked. */
function targetOf(value: string): string | null {
  if (value.length > MAX_URL_LENGTH) return null;
  const text = attributeText(value);
  if (text === null || !/^\s*https?:\/\/[^/]/i.test(text) || !parseUrl(text)) return null;
  const url = new URL(text);
  return url.username === '' && url.password === '' && url.href.length <= MAX_URL_LENGTH ? url.href : null;
}

/**
 * The value of an attribute with its references to characters resolved as in HTML (13.2.5.72 and after): `&copy` without a semicolon stands
 * for itself where `=`, a letter or a digit follows. Null for one that has quotes of both kinds, or a NUL.
 */
function attributeText(source: string): string | null {
  if (source.includes('\0')) return null;
  if (!source.includes('&')) return source;
  const quote = source.includes('"') ? "'" : '"';
  if (source.includes(quote)) return null;
  let text: string | null = null;
  const parser = new Parser(
    {
      onattribute(_, value) {
        text = value;
      },
    },
    { decodeEntities: true },
  );
  parser.end(`<a href=${quote}${source}${quote}>`);
  return text;
}

/** The addresses of `List-Unsubscribe`. */
const namedIn = (headers: Readonly<Record<string, string>>): ReadonlySet<string | undefined> =>
  new Set(
    Object.entries(headers)
      .filter(([name]) => name.toLowerCase() === 'list-unsubscribe')
      .flatMap(([, value]) => [...value.matchAll(/<([^<>]+)>/g)])
      .map(([, given = '']) => parseUrl(given)?.href),
  );

const attribute = (text: string): string => text.replace(/[&"'<>`]/g, (character) => `&#${character.charCodeAt(0)};`);
