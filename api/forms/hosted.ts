import Type from 'typebox';
import { record } from '../../domain/kernel/schema.js';
import { shownForm } from '../../formats/forms/shown-form.js';
import { loadFormOfSlug } from '../../log/aggregates/forms/load-form.js';
import { loadSender } from '../../log/aggregates/load-sender.js';
import { type AnyRoute, type Request, route } from '../http/route.js';
import type { UnversionedPage } from '../http/server/server-options.js';
import type { Services } from '../http/services.js';
import { html } from '../pages/html.js';
import { languageQuery } from '../pages/page-language.js';
import { embedScript, FORM_PAGE_SCRIPT } from './client-script.js';
import { formErrorPage, framedErrorPage } from './error-page.js';
import { embedStyle } from './form-style.js';
import { formMarkup } from './markup.js';
import { FORM_SCRIPT_PATH, type FormLayout, formPage, pageLanguageOf, pageToken } from './page.js';
import { FORM_PAGE_PURPOSE } from './page-token.js';
import type { VisitCounter } from './visit-counter.js';

const common = {
  tag: 'forms',
  access: 'public',
  limit: 'public',
  method: 'GET',
  params: record({ slug: Type.String({ description: 'The `slug` of the form.' }) }),
  query: record(languageQuery),
  errors: ['not_found'],
} as const;

/** The pages of forms, and the script that puts a form into another page. */
export function hostedFormRoutes(services: Services, visits: VisitCounter): AnyRoute[] {
  const key = services.purposeKey(FORM_PAGE_PURPOSE);

  return [showFormRoute(services, visits, key), showFormFrameRoute(services, visits, key), embedFormRoute(services, visits, key)];
}

const showFormRoute = (services: Services, visits: VisitCounter, key: Buffer) =>
  route({
    ...common,
    errorPage: formErrorPage,
    path: '/f/:slug',
    operationId: 'showForm',
    summary: 'Show the page of a form',
    description: 'In the language of `lang` or of the browser, if the form has texts in it, else in its own. It works without a script.',
    responses: { 200: { description: 'The page.' } },
    handle: shownAs(services, visits, key, 'page'),
  });

const showFormFrameRoute = (services: Services, visits: VisitCounter, key: Buffer) =>
  route({
    ...common,
    errorPage: framedErrorPage,
    path: '/f/:slug/frame',
    operationId: 'showFormFrame',
    summary: 'Show a form in a frame',
    description: 'For `<iframe src="…/f/:slug/frame" title="…">` on the pages of `allowed_origins`.',
    responses: { 200: { description: 'The page.' } },
    handle: shownAs(services, visits, key, 'frame'),
  });

const embedFormRoute = (services: Services, visits: VisitCounter, key: Buffer) =>
  route({
    ...common,
    path: '/f/:slug/embed.js',
    operationId: 'embedForm',
    summary: 'Put a form into a page',
    description:
      'The `src` of a script element: the form appears at its place, apart from the styles of the page. `data-target="id"` on the script puts it into that element, and `data-theme="light"` or `"dark"` keeps it so whatever the reader\'s system is set to.',
    streams: ['text/javascript'],
    responses: { 200: { description: 'The script.' } },
    async handle(request) {
      const { form, sender, language, token } = await opened(services, visits, key, request);
      const shown = shownForm(form.definition, language);
      const body = html`<div class="card" lang="${language}"><h2>${shown.title}</h2>${shown.description !== null && html`<p class="text">${shown.description}</p>`}${formMarkup(
        { id: form.id, definition: form.definition, shown, action: '', token, view: 'embed' },
      )}</div>`;
      const headers = { 'Content-Type': 'text/javascript; charset=utf-8', 'Cross-Origin-Resource-Policy': 'cross-origin', Vary: 'Accept-Language' };
      return { status: 200, body: embedScript(body.text, embedStyle(sender?.color ?? null)), headers };
    },
  });

type HostedRequest = Pick<Request<{ slug: string }, { lang?: string }>, 'params' | 'headers' | 'query' | 'execute'>;

async function opened({ log, clock }: Services, visits: VisitCounter, key: Buffer, { params, headers, query, execute }: HostedRequest) {
  const { form, account } = await loadFormOfSlug(log, params.slug);
  const sender = await loadSender(log, account);
  const language = pageLanguageOf(form, sender, { headers, query });
  visits.count('views', form.id, account, execute);
  return { form, sender, language, token: pageToken({ form, language }, key, clock.now()) };
}

const shownAs = (services: Services, visits: VisitCounter, key: Buffer, view: FormLayout) => async (request: HostedRequest) => {
  const { token, ...parts } = await opened(services, visits, key, request);
  return formPage({ ...parts, view }, token);
};

/** The script of the pages. */
export const formScriptPage: UnversionedPage = {
  path: FORM_SCRIPT_PATH,
  read: () => ({
    status: 200,
    body: FORM_PAGE_SCRIPT,
    headers: { 'Content-Type': 'text/javascript; charset=utf-8', 'Cache-Control': 'public, max-age=3600' },
  }),
};
