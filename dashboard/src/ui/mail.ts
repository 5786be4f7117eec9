/** A mail as it can be shown: its markup without what would lead away from it. */
export interface ShownMail {
  /** For the `srcdoc` of a frame. */
  readonly document: string;
  /** Where its links led, each once. */
  readonly links: readonly string[];
  /** Pictures of other hosts, which are not loaded. */
  readonly remoteImages: number;
}

/** Nothing runs and nothing is fetched, whatever the markup says. It comes first, so that it holds for all that follows. */
const POLICY =
  "<!doctype html><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'\">";

/** Links still look like links, unless the mail gives them looks of its own. */
const LOOKS = '<style>:where(a[title]) { color: LinkText; text-decoration: underline }</style>';

/** Attributes by which an element leads, or sends, somewhere. */
const LEADING = ['href', 'xlink:href', 'action', 'formaction', 'ping', 'target'];

/** Templates because their content is reached by no selector, but shown by a frame that makes a shadow tree of it. */
const REMOVED = 'script, base, meta[http-equiv], iframe, object, embed, animate, set, template';

/** Attributes whose content is loaded where it is shown. */
const SOURCES = ['src', 'srcset', 'poster', 'background'];

/**
 * Reads a mail in a document of its own, in which nothing runs or loads, and takes the ways out of it: the frame that shows it stays where it is. That
 * nothing in it runs is the work of the frame (`sandbox`) and of the policy, not of this.
 */
export function shownMail(html: string): ShownMail {
  const mail = new DOMParser().parseFromString(html, 'text/html');
  const links = new Set<string>();
  for (const element of mail.querySelectorAll('a, area')) {
    const target = element.getAttribute('href') ?? element.getAttribute('xlink:href');
    if (target === null || target.startsWith('#')) continue;
    links.add(target);
    element.setAttribute('title', target);
  }
  for (const element of mail.querySelectorAll(REMOVED)) element.remove();
  const remote = [...mail.querySelectorAll('*')].filter((element) => SOURCES.some((name) => isRemote(element.getAttribute(name))));
  for (const element of remote) for (const name of SOURCES) element.removeAttribute(name);
  for (const element of mail.querySelectorAll('*')) for (const name of LEADING) if (!isAnchor(element, name)) element.removeAttribute(name);
  return { document: POLICY + LOOKS + mail.documentElement.getHTML(), links: [...links], remoteImages: remote.length };
}

/** Whether an attribute leads to another place in the same mail. */
const isAnchor = (element: Element, name: string): boolean => name === 'href' && element.getAttribute(name)?.startsWith('#') === true;

const isRemote = (source: string | null): boolean => source !== null && !/^\s*(?:data|cid):/i.test(source);
