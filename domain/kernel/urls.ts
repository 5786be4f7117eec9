/** How URLs are read: those that a message carries, which its reader opens or others load, and the origins of pages. */

/**
 * An absolute URL as WHATWG reads it, or null. In place of `URL.canParse`, whose optimized form in Node 20 refuses every text with a
 * letter from U+0080 to U+00FF after some thousand calls.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

const SCHEME = /^\s*([a-z][a-z0-9+.-]*):/i;
const WEB = /^https?:\/\/[^/?#\s]/i;
/** Filled in later, so the rest of the address is not known. */
const LIQUID = /\{\{|\{%/;
/** Programs take what follows as code, as the content itself, or as a file of the reader. */
const UNSAFE: ReadonlySet<string> = new Set(['javascript', 'vbscript', 'data', 'file', 'blob', 'filesystem', 'about', 'view-source']);

/** Whether a text is an absolute URL of http or https. */
export const isWebAddress = (text: string): boolean => WEB.test(text) && parseUrl(text) !== null;

/**
 * Whether a text can be what a tap opens: an http or https URL, a path of the page that shows it, or a link with the scheme of an app.
 * A source with Liquid is judged by what is known of it.
 */
export function isLink(text: string): boolean {
  const scheme = SCHEME.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return true;
  if (scheme === 'http' || scheme === 'https') return LIQUID.test(text) || isWebAddress(text.trim());
  return !UNSAFE.has(scheme);
}

const ORIGIN = /^https?:\/\/[a-z0-9.-]+(?::\d{1,5})?$/;

/** Whether a text is the origin of a web page as browsers send it: `https://shop.example`, without a path. */
export const isOrigin = (text: string): boolean => ORIGIN.test(text);
