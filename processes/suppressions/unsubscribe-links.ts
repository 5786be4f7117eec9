import type { OutgoingMessage } from '../../carriers/runtime/carrier.js';
import type { Language } from '../../domain/kernel/languages.js';
import { preferencesPath, type UnsubscribeTokens, unsubscribePath } from '../../formats/suppressions/unsubscribe-tokens.js';
import { footerTexts } from './footer-texts.js';

export interface UnsubscribeLinkParts {
  readonly tokens: UnsubscribeTokens;
  /** Public base URL without a trailing slash; null if it is not configured. */
  readonly publicUrl: string | null;
}

/** `language`: of the footer, by default English. */
export type CompleteMarketing = (message: OutgoingMessage, addressKey: string, language?: Language) => OutgoingMessage;

interface Footer {
  readonly language: Language;
  readonly unsubscribe: string;
  readonly preferences: string;
}

/**
 * Adds the headers for one-click unsubscription (RFC 2369, RFC 8058) and a footer with links to marketing email, unless it has the link to unsubscribe already. A message
 * gets the same links at every dispatch. Other messages are returned unchanged.
 */
export function withUnsubscribeLinks({ tokens, publicUrl }: UnsubscribeLinkParts): CompleteMarketing {
  return (message, address_key, language = 'en') => {
    const { account, channel, category, message_id, content } = message;
    const base = channel === 'email' && category === 'marketing' ? publicUrl : null;
    if (base === null) return message;
    const token = tokens.seal({ account, address_key, channel, message_id, list_id: null });
    const [unsubscribe, preferences] = [base + unsubscribePath(token), base + preferencesPath(token)];
    const footer: Footer = { language, unsubscribe, preferences };
    const { html } = content;
    return {
      ...message,
      headers: { ...message.headers, 'List-Unsubscribe': `<${unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
      content: {
        ...content,
        // A template can have the links at a place of its own.
        message: content.message.includes(unsubscribe) ? content.message : textWithFooter(content.message, footer),
        ...(html !== undefined && { html: html.includes(unsubscribe) ? html : htmlWithFooter(html, footer) }),
      },
    };
  };
}

/** `-- ` marks the beginning of a signature (RFC 3676, 4.3). */
function textWithFooter(text: string, { language, unsubscribe, preferences }: Footer): string {
  const labels = footerTexts[language];
  return `${text.replace(/\s+$/, '')}\n\n-- \n${labels.unsubscribe}: ${unsubscribe}\n${labels.preferences}: ${preferences}\n`;
}

/** Inserts the footer before the last `</body>`, or at the end. */
function htmlWithFooter(html: string, { language, unsubscribe, preferences }: Footer): string {
  const labels = footerTexts[language];
  const link = (url: string, label: string): string => `<a href="${url}" style="color:#0a4f9e">${label}</a>`;
  const links = `${link(unsubscribe, labels.unsubscribe)} &middot; ${link(preferences, labels.preferences)}`;
  const footer = `<p style="margin:32px 0 0;font:14px/1.5 sans-serif;color:#4a5364" lang="${language}">${links}</p>`;
  const end = /<\/body\s*>(?![\s\S]*<\/body\s*>)/i.exec(html)?.index ?? html.length;
  return html.slice(0, end) + footer + html.slice(end);
}
