import { htmlLinks } from '../../formats/messages/html-links.js';

/** As mail programs need it: they heed different properties, Outlook its own. */
const HIDDEN =
  'display:none;visibility:hidden;opacity:0;font-size:1px;line-height:1px;color:transparent;max-height:0;max-width:0;overflow:hidden;mso-hide:all';

/**
 * The HTML of an email with a text that mail programs show beside the subject and nobody sees in the mail: hidden at the start of its
 * body. `text` is plain text.
 */
export function withPreheader(html: string, text: string): string {
  const { bodyStart } = htmlLinks(html);
  return `${html.slice(0, bodyStart)}<div style="${HIDDEN}">${escaped(text)}</div>${html.slice(bodyStart)}`;
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
