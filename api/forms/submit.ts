import type { IncomingHttpHeaders } from 'node:http';
import Type from 'typebox';
import { type AcceptedSubmission, type FormSubmission, submitForm } from '../../commands/forms/submit-form.js';
import { type ValidationRule, withRule } from '../../commands/runtime/rules.js';
import { CONSENT_KEY, type FormDefinition } from '../../domain/forms/definition.js';
import type { FormDetails } from '../../domain/forms/form.js';
import { formLanguageOf, shownLanguage } from '../../domain/forms/translations.js';
import { type FieldProblem, isDomainError, notFound } from '../../domain/kernel/errors.js';
import { type Language, languageSchema, languages } from '../../domain/kernel/languages.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { annotate, anyRecord, named, nullable, oneOf, optional, record, type Static, text } from '../../domain/kernel/schema.js';
import { isTicked, readAnswers } from '../../formats/forms/read-answers.js';
import { shownForm } from '../../formats/forms/shown-form.js';
import { findForm } from '../../log/aggregates/forms/load-form.js';
import { loadSender, type Sender } from '../../log/aggregates/load-sender.js';
import { type FormFields, formBodies } from '../http/body/form-body.js';
import type { CorsPolicy } from '../http/cors.js';
import { type AnyRoute, type BodyReader, type HttpResponse, type Request, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { answerLanguage, askedLanguage, languageQuery } from '../pages/page-language.js';
import { framedErrorPage } from './error-page.js';
import { PAGE_FIELDS } from './markup.js';
import { donePage, formPage, pageLanguageOf, pageToken, submissionTextOf } from './page.js';
import { FORM_PAGE_PURPOSE, readFormPageToken } from './page-token.js';
import type { VisitCounter } from './visit-counter.js';

const MAX_BODY_BYTES = 128 * 1024;
const MAX_TEXT = 1_024;
/** A page that was opened longer ago is taken for one of the form as it is now. */
const MAX_PAGE_AGE_MS = 86_400_000;

/** What is wrong with the answers, beside what is wrong with the shape of the body. */
const answersRule: ValidationRule<{ fields?: Record<string, unknown>; consent?: boolean; language?: Language }> = async (
  { fields, consent = false, language },
  { context, isMalformed, params },
) => {
  const found = isMalformed('fields') ? null : await findForm(context.log, params.id ?? '');
  if (!found) return [];
  const own = formLanguageOf(found.form.definition, (await loadSender(context.log, found.account))?.locale);
  const { problems } = readAnswers(found.form.definition, fields ?? {}, consent, { texts: language ?? 'en', written: language ?? null, own });
  return problems.filter(({ field }) => !isMalformed(field));
};

const submissionFields = record({
  fields: optional(annotate(anyRecord, { description: 'Values by the key of the field. Unknown keys are ignored.' })),
  consent: optional(Type.Boolean({ description: 'The box of the consent is ticked.' })),
  language: optional(
    annotate(languageSchema, {
      description:
        'In which the texts were shown, numbers and dates were written (`4,5`), and the answer is. That of the consent is its proof. Default: the answer is in that of `Accept-Language`, or English; the texts are those of the form itself.',
    }),
  ),
  token: optional(Type.String({ maxLength: 2_000, description: 'From the page of the form. It says when and in which version the page was shown.' })),
  page: optional(Type.String({ maxLength: MAX_TEXT, description: 'URL of the page that the form was on. Default: the `Referer`.' })),
  view: optional(named('FormView', oneOf('page', 'frame', 'embed'))),
});
const submission = withRule(named('FormSubmissionRequest', submissionFields), answersRule);
type SubmissionBody = Static<typeof submission>;
const params = record({ id: text });
const query = record(languageQuery);

const acceptedStatus = named('AcceptedFormSubmissionStatus', oneOf('accepted', 'pending_confirmation'));
const accepted = named(
  'AcceptedFormSubmission',
  record({
    submission_id: text,
    status: acceptedStatus,
    redirect_url: nullable(Type.String()),
    message: Type.String({ description: 'What to show to the person.' }),
  }),
);

/** The fields of a page beside one another, as in JSON. */
const fromFields = ({ [PAGE_FIELDS.token]: token, [PAGE_FIELDS.language]: language, [PAGE_FIELDS.view]: view, ...fields }: FormFields) => ({
  fields: { ...fields },
  consent: isTicked(single(fields[CONSENT_KEY])) ?? false,
  ...(typeof token === 'string' && { token: token.slice(0, 2_000) }),
  ...(typeof language === 'string' && (languages as readonly string[]).includes(language) && { language }),
  ...((view === 'page' || view === 'frame' || view === 'embed') && { view }),
});
const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

const bodyTypes = Object.fromEntries(
  Object.entries(formBodies).map(([type, read]): [string, BodyReader] => [
    type,
    async (bytes, contentType, pause) => fromFields((await read(bytes, contentType, pause)) as FormFields),
  ]),
);

/** What a form in HTML sends: the fields by their keys, and `consent`. */
const formFields = Type.Record(Type.String(), Type.String());
const sentAs = Object.fromEntries(Object.keys(formBodies).map((type) => [type, formFields]));

type SubmitRequest = Request<Static<typeof params>, Static<typeof query>, SubmissionBody>;

/** The public routes that take submissions of a form. */
export const submitRoutes = (services: Services, visits: VisitCounter): AnyRoute[] => [
  submitFormRoute(services, visits),
  startFormRoute(services, visits),
];

const common = (services: Services) =>
  ({ tag: 'forms', access: 'public', limit: 'public', method: 'POST', cors: originsOfForm(services), params, query }) as const;

/** The pages of the origins that a form allows; of all where it names none. */
const originsOfForm = ({ log }: Services): CorsPolicy => ({
  async allows(origin, { params: { id = '' } }) {
    const allowed = (await findForm(log, id))?.form.definition.allowed_origins ?? [];
    return allowed.length === 0 || allowed.includes(origin);
  },
});

const submitFormRoute = (services: Services, visits: VisitCounter) =>
  route({
    ...common(services),
    path: '/v1/public/forms/:id/submit',
    operationId: 'submitForm',
    summary: 'Submit a form',
    description:
      'JSON, or what a form in HTML sends: its fields and `consent=on`. A browser that accepts HTML gets a page or the redirect. Each accepted submission is one event, also with the same fields again. What comes too early after the page, or fills in the `honeypot_field`, gets the same answer and is dropped.',
    body: submission,
    bodyLimit: MAX_BODY_BYTES,
    bodyTypes,
    sentAs,
    errorPage: framedErrorPage,
    responses: { 200: { description: 'Accepted.', schema: accepted }, 303: { description: 'To the `redirect_url`, for a browser.' } },
    errors: ['not_found', 'forbidden', 'contact_erased', 'conflict'],
    handle: (request) => new SubmissionHandler(services, visits, request).answer(),
  });

const startFormRoute = (services: Services, visits: VisitCounter) =>
  route({
    ...common(services),
    path: '/v1/public/forms/:id/start',
    operationId: 'startForm',
    summary: 'Report that somebody began to fill in a form',
    description: 'Sent by the script of the page, once. It only counts.',
    responses: { 204: { description: 'Counted.' } },
    errors: ['not_found', 'forbidden'],
    async handle({ params: { id }, execute }) {
      const found = await findForm(services.log, id);
      if (found?.form.definition.status !== 'live') throw notFound('form', id);
      visits.count('starts', id, found.account, execute);
      return { status: 204 };
    },
  });

type SubmissionLanguages = Pick<FormSubmission, 'language' | 'written' | 'answer_in'>;

/** One submission on its way. */
class SubmissionHandler {
  readonly #isPage: boolean;

  constructor(
    private readonly services: Services,
    private readonly visits: VisitCounter,
    private readonly request: SubmitRequest,
  ) {
    const { 'content-type': type = '', accept = '' } = request.headers as IncomingHttpHeaders;
    this.#isPage = !/^application\/json/i.test(type) && /\btext\/html\b/i.test(accept);
  }

  async answer(): Promise<HttpResponse> {
    const { params, body, execute } = this.request;
    const { log, clock, purposeKey } = this.services;
    const found = await findForm(log, params.id);
    if (found?.form.definition.status !== 'live') throw notFound('form', params.id);
    const { form, account } = found;
    const key = purposeKey(FORM_PAGE_PURPOSE);
    const token = body.token === undefined ? null : readFormPageToken(body.token, form.id, key);
    const age = token ? clock.now() - token.shown_at : null;
    const sender = await loadSender(log, account);
    const languages = this.#languages(form, sender, body.language ?? token?.language ?? null);
    const parts = { form, sender, language: languages.language, view: body.view === 'frame' ? 'frame' : 'page' } as const;
    if (isDropped(form.definition, body, age)) {
      this.visits.count('dropped', form.id, account, execute);
      const submission_id = this.request.ruleContext().newId('fsb');
      const status = form.definition.double_opt_in ? 'pending_confirmation' : 'accepted';
      return this.#accepted(parts, { submission_id, status }, languages.answer_in);
    }
    const form_version = token && age !== null && age < MAX_PAGE_AGE_MS ? token.version : null;
    try {
      const { output } = await execute(submitForm, this.#inputOf(form.id, form_version, languages), account);
      return this.#accepted(parts, output, languages.answer_in);
    } catch (error) {
      if (!this.#isPage || !isDomainError(error) || error.code !== 'validation_error') throw error;
      const problems = error.details.errors as readonly FieldProblem[];
      const again = body.token !== undefined && token ? body.token : pageToken(parts, key, clock.now());
      return formPage(parts, again, { given: body.fields ?? {}, consented: body.consent === true, problems });
    }
  }

  /** `said`: what the page or the program says of itself. */
  #languages({ definition, ...form }: FormDetails, sender: Sender | null, said: Language | null): SubmissionLanguages {
    const { query, headers } = this.request;
    const reader = { headers: headers as IncomingHttpHeaders, query };
    const own = formLanguageOf(definition, sender?.locale);
    const asked = said ?? (this.#isPage ? pageLanguageOf({ definition, ...form }, sender, reader) : askedLanguage(reader));
    const language = shownLanguage(definition, own, asked);
    return { language, written: asked, answer_in: this.#isPage ? language : (said ?? answerLanguage(reader)) };
  }

  #inputOf(form_id: string, form_version: number | null, languages: SubmissionLanguages) {
    const { body, headers, ip } = this.request;
    const { 'user-agent': agent, referer } = headers as IncomingHttpHeaders;
    return {
      ...{ form_id, form_version, ...languages, given: body.fields ?? {}, consented: body.consent === true },
      ...{ ip: ip || null, user_agent: agent ? agent.slice(0, MAX_TEXT) : null, page: (body.page ?? referer ?? '').slice(0, MAX_TEXT) || null },
      base_url: this.services.publicUrl || null,
    };
  }

  #accepted(parts: Parameters<typeof donePage>[0], { submission_id, status }: AcceptedSubmission, answer_in: Language): HttpResponse {
    const { redirect_url } = parts.form.definition;
    const message = submissionTextOf(shownForm(parts.form.definition, answer_in), status);
    if (this.#isPage) return redirect_url === null ? donePage(parts, message) : { status: 303, headers: { Location: new URL(redirect_url).href } };
    return { status: 200, body: { submission_id, status, redirect_url, message, ...this.#warnings(parts.form) } };
  }

  #warnings({ definition }: FormDetails) {
    const known = new Set([...definition.fields.map(({ key }) => key), definition.honeypot_field, CONSENT_KEY]);
    const unknown = Object.keys(this.request.body.fields ?? {}).filter((key) => !known.has(key));
    return unknown.length > 0 && { warnings: unknown.slice(0, MAX_WARNINGS).map((key) => `unknown field: fields.${key.slice(0, MAX_KEY)}`) };
  }
}

const MAX_WARNINGS = 50;
const MAX_KEY = 100;

/** Whether a program filled in what no person sees, or was faster than a person. `age`: of the page in milliseconds; null if unknown. */
function isDropped({ honeypot_field, min_seconds }: FormDefinition, { fields = {} }: SubmissionBody, age: number | null): boolean {
  const trapped =
    honeypot_field !== null && Object.hasOwn(fields, honeypot_field) && !['', null, undefined].includes(ownField(fields, honeypot_field) as string);
  return trapped || (age !== null && age < min_seconds * 1_000);
}
