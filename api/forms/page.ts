import type { FormDetails } from '../../domain/forms/form.js';
import { formLanguageOf, languagesOfForm } from '../../domain/forms/translations.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import type { Language } from '../../domain/kernel/languages.js';
import { formPageTexts } from '../../formats/forms/page-texts.js';
import { type ShownForm, shownForm } from '../../formats/forms/shown-form.js';
import type { Sender } from '../../log/aggregates/load-sender.js';
import type { HttpResponse } from '../http/route.js';
import { html } from '../pages/html.js';
import { hashed, htmlPage, type PageExtras } from '../pages/html-page.js';
import { type LanguageRequest, pageLanguage } from '../pages/page-language.js';
import { FORM_STYLE, FRAME_STYLE } from './form-style.js';
import { formMarkup } from './markup.js';
import { formPageToken } from './page-token.js';

/** Path of the script of all pages. */
export const FORM_SCRIPT_PATH = '/f/form.js';
const STYLES = { page: hashed(FORM_STYLE), frame: hashed(FORM_STYLE + FRAME_STYLE) };
export type FormLayout = 'page' | 'frame';

/** A form as one browser sees it. */
export interface FormPageParts {
  readonly form: FormDetails;
  readonly sender: Sender | null;
  readonly language: Language;
  readonly view: FormLayout;
}

/** The language for a reader: what `?lang` or the browser asks for, if the form has texts in it, otherwise its own. */
export function pageLanguageOf({ definition }: FormDetails, sender: Sender | null, { headers, query }: LanguageRequest): Language {
  const own = formLanguageOf(definition, sender?.locale);
  const { 'accept-language': asked } = headers;
  const reader = { headers: { ...(asked !== undefined && { 'accept-language': asked }) }, ...(query && { query }) };
  return pageLanguage(reader, { fallback: own, available: languagesOfForm(definition, own) });
}

const extrasOf = ({ definition }: FormDetails, view: FormLayout): PageExtras => ({
  style: STYLES[view],
  script: FORM_SCRIPT_PATH,
  leads: definition.redirect_url !== null,
  ...(view === 'frame' && { frames: definition.allowed_origins.length === 0 ? '*' : ["'self'", ...definition.allowed_origins].join(' ') }),
});

/** What of a submission is shown again beside its problems. */
export interface RefilledForm {
  readonly given: Readonly<Record<string, unknown>>;
  readonly consented: boolean;
  readonly problems: readonly FieldProblem[];
}

/** `token`: of the page, or what `pageToken` makes. */
export function formPage({ form, sender, language, view }: FormPageParts, token: string, refilled?: RefilledForm): HttpResponse<string> {
  const shown = shownForm(form.definition, language);
  const action = `/v1/public/forms/${form.id}/submit`;
  const body = html`${shown.description !== null && html`<p class="text">${shown.description}</p>`}
${formMarkup({ id: form.id, definition: form.definition, shown, action, token, view, ...refilled })}`;
  const status = refilled ? UNPROCESSABLE : OK;
  const title = refilled ? `${formPageTexts[language].errorTitle}: ${shown.title}` : shown.title;
  return { ...htmlPage({ title: shown.title, documentTitle: title, language, sender, body, extras: extrasOf(form, view) }), status };
}

const OK = 200;
const UNPROCESSABLE = 422;

export const pageToken = ({ form, language }: Pick<FormPageParts, 'form' | 'language'>, key: Buffer, now: number): string =>
  formPageToken({ form_id: form.id, version: form.version, language, shown_at: now }, key);

/** After a submission. */
export function donePage({ form, sender, language, view }: FormPageParts, message: string): HttpResponse<string> {
  const { title } = shownForm(form.definition, language);
  const body = html`<p class="status text" role="status">${message}</p>`;
  return htmlPage({ title, language, sender, body, extras: extrasOf(form, view) });
}

/** What a person reads after a submission. */
export const submissionTextOf = (shown: ShownForm, status: 'accepted' | 'pending_confirmation'): string =>
  status === 'accepted' ? shown.success : formPageTexts[shown.language].pending;
