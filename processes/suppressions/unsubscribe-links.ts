import type { OutgoingMessage } from '../../carriers/kernel.js';
import { preferencesPath, type UnsubscribeTokens, unsubscribePath } from '../../formats/suppressions/unsubscribe-tokens.js';

export interface UnsubscribeLinkParts {
  readonly tokens: UnsubscribeTokens;
  /** Public base URL without a trailing slash; null if it is not configured. */
  readonly publicUrl: string | null;
}

/**
 * Adds the headers for one-click unsubscription (RFC 2369, RFC 8058) and a footer with links to marketing email. A message
 * gets the same links at every hand-over. Other messages are returned unchanged.
 */
export function withUnsubscribeLinks({ tokens, publicUrl }: UnsubscribeLinkParts): (message: OutgoingMessage, addressKey: string) => OutgoingMessage {
  return (message, address_key) => {
    const { account, channel, category, message_id, content } = message;
    const base = channel === 'email' && category === 'marketing' ? publicUrl : null;
    if (base === null) return message;
    const token = tokens.seal({ account, address_key, channel, message_id, list_id: null });
    const [unsubscribe, preferences] = [base + unsubscribePath(token), base + preferencesPath(token)];
    const { html } = content;
    return {
      ...message,
      headers: { ...message.headers, 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
      content: {
        ...content,
        message: textWithFooter(content.message, unsubscribe, preferences),
        ...(html !== undefined && { html: htmlWithFooter(html, unsubscribe, preferences) }),
      },
    };
  };
}

/** `-- ` marks the beginning of a signature (RFC 3676, 4.3). */
const textWithFooter = (text: string, unsubscribe: string, preferences: string): string =>
  `${text.replace(/\s+$/, '')}\n\n-- \nUnsubscribe: ${unsubscribe}\nChoose what you receive: ${preferences}\n`;

/** Inserts the footer before the last `</body>`, or at the end. */
function htmlWithFooter(html: string, unsubscribe: string, preferences: string): string {
  const footer = `<p style="margin:32px 0 0;font:14px/1.5 sans-serif;color:#4a5364"><a href="${unsubscribe}" style="color:#0a4f9e">Unsubscribe</a> &middot; <a href="${preferences}" style="color:#0a4f9e">Choose what you receive</a></p>`;
  const end = /<\/body\s*>(?![\s\S]*<\/body\s*>)/i.exec(html)?.index ?? html.length;
  return html.slice(0, end) + footer + html.slice(end);
}
