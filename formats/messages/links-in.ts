const HREF = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
/** An address in a text ends before what closes a sentence or a bracket. */
const ADDRESS = /https?:\/\/[^\s<>"'\])]+/gi;
/** `&` as HTML writes it; other characters that HTML must escape are escaped in addresses, too. */
const AMPERSAND = /&(?:amp|#38|#x26);/gi;

/** The web addresses that a message links to, each once: first those of its HTML, then those of its text. */
export function linksIn({ html, text }: { readonly html: string | null; readonly text: string }): string[] {
  const inHtml = [...(html ?? '').matchAll(HREF)].map(([, double, single, bare]) => (double ?? single ?? bare ?? '').trim().replace(AMPERSAND, '&'));
  const inText = [...text.matchAll(ADDRESS)].map(([address]) => address.replace(/[.,;:!?]+$/, ''));
  return [...new Set([...inHtml.filter((address) => /^https?:\/\//i.test(address)), ...inText])];
}
