import type { IncomingHttpHeaders } from 'node:http';
import Type from 'typebox';
import { type Language, languageSchema } from '../../domain/kernel/languages.js';
import { annotate, optional, record } from '../../domain/kernel/schema.js';
import type { Sender } from '../../log/aggregates/load-sender.js';
import { formBodies } from '../http/body/form-body.js';
import { type Html, html } from './html.js';
import { htmlPage } from './html-page.js';
import { type LanguageRequest, languageQuery, pageLanguage } from './page-language.js';

const MAX_USER_AGENT_LENGTH = 1_024;

/** What the routes of all confirmation links share: whoever has the link may use it. */
export const confirmationLink = {
  access: 'public',
  limit: 'public',
  params: record({ token: Type.String({ description: 'From the link in the mail.' }) }),
  query: record(languageQuery),
} as const;

/** The request that the button of a confirmation page sends. */
export const confirmationRequest = {
  body: record({ language: optional(annotate(languageSchema, { description: 'Language of the page: its text is a proof of the consent.' })) }),
  bodyLimit: 64 * 1024,
  bodyTypes: formBodies,
} as const;

/** Texts of a page in one language. */
interface ConfirmationTexts {
  readonly title: string;
  readonly button: string;
  readonly ignorePage: string;
}

/** A page that says what is confirmed (`about`), with the button that does it. */
export const confirmationPage = (texts: ConfirmationTexts, about: Html, language: Language, sender: Sender | null) =>
  htmlPage({
    title: texts.title,
    language,
    sender,
    body: html`${about}
<form method="post">
<input type="hidden" name="language" value="${language}">
<p><button type="submit">${texts.button}</button></p>
</form>
<p>${texts.ignorePage}</p>`,
  });

export const confirmedPage = (title: string, done: string, language: Language, sender: Sender | null) =>
  htmlPage({ title, language, sender, body: html`<p class="status" role="status">${done}</p>` });

interface ConfirmationCall extends LanguageRequest {
  readonly headers: IncomingHttpHeaders;
  readonly ip: string;
  readonly body?: { readonly language?: Language } | undefined;
}

/** Who confirmed, for the proof. The page's own language comes first, then that in which it would be shown. */
export function confirmationProof({ headers, query, ip, body }: ConfirmationCall, shown: Parameters<typeof pageLanguage>[1]) {
  const agent = headers['user-agent'];
  return {
    ip: ip || null,
    user_agent: agent ? agent.slice(0, MAX_USER_AGENT_LENGTH) : null,
    language: body?.language ?? pageLanguage({ headers, ...(query && { query }) }, shown),
  };
}
