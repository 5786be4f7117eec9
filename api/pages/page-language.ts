/** In which language a person reads a page, and a program an answer. */
import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';
import Type from 'typebox';
import { type Language, languageOf, languages } from '../../domain/kernel/languages.js';
import { optional } from '../../domain/kernel/schema.js';

type LanguageHeaders = Pick<IncomingHttpHeaders, 'accept' | 'accept-language'>;

/** What a request says of the language that it wants. */
export interface LanguageRequest {
  readonly headers: LanguageHeaders;
  readonly query?: { readonly lang?: string | undefined };
}

/** The query parameter of pages. A language that there are no texts in is as none. */
export const languageQuery = {
  lang: optional(
    Type.String({
      maxLength: 64,
      description: `Language of the page, of ${languages.join(', ')}; it comes before that of the browser.`,
      examples: ['de'],
    }),
  ),
};

/** What a page knows beside the request. */
interface KnownLanguages {
  /** Of what led to the page, or of its reader: it comes before that of the browser. */
  readonly known?: Language | null;
  /** Where nobody asks for one. Default: English. */
  readonly fallback?: Language | undefined;
  /** Those that there are texts in. Default: all. */
  readonly available?: readonly Language[];
}

/** A program that shows what it is answered to nobody, or in its own way: it wants no page. */
const isApiClient = ({ accept = '' }: LanguageHeaders): boolean => accept !== '' && !/text\/html|\*\/\*/i.test(accept);

/**
 * The language of a page, in this order: `?lang`; the known one; that which the browser prefers; the fallback. Programs that ask for no
 * page get English, unless they ask for another by `?lang` or `Accept-Language`.
 */
export function pageLanguage(request: LanguageRequest, { known = null, fallback = 'en', available = languages }: KnownLanguages = {}): Language {
  const own = available.includes(fallback) ? fallback : (available[0] ?? 'en');
  const asked = askedLanguage(request, available);
  if (asked !== null) return asked;
  if (isApiClient(request.headers)) return preferredLanguage(request.headers, available.includes('en') ? 'en' : own, available);
  if (known !== null && available.includes(known)) return known;
  return preferredLanguage(request.headers, own, available);
}

/** The language that a program is answered in: the one that it asks for, or English. */
export const answerLanguage = (request: LanguageRequest): Language => askedLanguage(request) ?? preferredLanguage(request.headers);

/** The language of `?lang`; null where there are no texts in it. */
export function askedLanguage({ query }: LanguageRequest, available: readonly Language[] = languages): Language | null {
  const asked = languageOf(query?.lang);
  return asked !== null && available.includes(asked) ? asked : null;
}

function preferredLanguage(headers: LanguageHeaders, fallback: Language = 'en', available: readonly Language[] = languages): Language {
  if (headers['accept-language'] === undefined) return fallback;
  // A wildcard accepts the first: that is the fallback.
  const offered = [fallback, ...available.filter((language) => language !== fallback)];
  const [best] = new Negotiator({ headers }).languages(offered);
  return offered.find((language) => language === best) ?? fallback;
}

/** The query of an address, for what answers before a query is read: an error. */
export const queryOfTarget = (target: string | undefined): { readonly lang?: string } => {
  const lang = new URLSearchParams(target?.split('?')[1] ?? '').get('lang');
  return lang === null ? {} : { lang };
};
