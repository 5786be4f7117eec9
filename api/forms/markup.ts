import { baseFields, contactFields } from '../../domain/contacts/contact-fields.js';
import { CONSENT_KEY, type FormDefinition, type FormField } from '../../domain/forms/definition.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { formPageTexts } from '../../formats/forms/page-texts.js';
import type { ShownForm } from '../../formats/forms/shown-form.js';
import { type Html, html, line } from '../pages/html.js';

/** Names of the fields of a page that are not the account's: keys of fields begin with a letter. */
export const PAGE_FIELDS = { token: '_token', language: '_language', view: '_view' } as const;

/** A form as markup: for the page, the frame and the embedded form. It works without a script. */
export interface FormMarkup {
  readonly id: string;
  readonly definition: FormDefinition;
  readonly shown: ShownForm;
  /** Where it is sent. */
  readonly action: string;
  readonly token: string;
  readonly view: 'page' | 'frame' | 'embed';
  /** What was sent before, by the key of the field. */
  readonly given?: Readonly<Record<string, unknown>>;
  readonly consented?: boolean;
  /** `field` as in an answer: `fields.<key>`, `consent`. */
  readonly problems?: readonly FieldProblem[];
}

const controlId = (key: string): string => `f-${key}`;
const errorId = (key: string): string => `e-${key}`;
/** The key of the field that a problem is about. */
export const keyOfProblem = ({ field }: Pick<FieldProblem, 'field'>): string => (field.startsWith('fields.') ? field.slice('fields.'.length) : field);

/** The form with its errors beside their fields, and a summary that is announced. */
export function formMarkup(form: FormMarkup): Html {
  const { id, definition, shown, action, token, view, problems = [] } = form;
  const texts = formPageTexts[shown.language];
  const errors = new Map(problems.map((problem) => [keyOfProblem(problem), problem.message]));
  const hasPlace = shown.fields.some(({ type }) => type === 'consent');
  const nameOf = (key: string): string =>
    key === CONSENT_KEY ? withoutLinks(shown.consent ?? key) : (shown.fields.find((field) => field.key === key)?.label ?? key);
  // A colon follows.
  const name = (key: string): string => nameOf(key).replace(/[.:]+$/, '');
  return html`<form method="post" action="${action}" accept-charset="utf-8" novalidate data-form="${id}" data-failed="${texts.failed}">
<div class="summary" role="alert" tabindex="-1" data-summary data-title="${texts.errorTitle}"${problems.length === 0 && html` hidden`}>${
    problems.length > 0 &&
    html`<p>${texts.errorTitle}</p><ul>${[...errors].map(([key, message]) => html`<li><a href="#${controlId(key)}">${name(key)}</a>: ${message}</li>`)}</ul>`
  }</div>
<input type="hidden" name="${PAGE_FIELDS.token}" value="${token}">
<input type="hidden" name="${PAGE_FIELDS.language}" value="${shown.language}">
<input type="hidden" name="${PAGE_FIELDS.view}" value="${view}">
${shown.fields.map((field) => (field.type === 'consent' ? consentBox(form, errors) : fieldMarkup(field, form, errors)))}
${!hasPlace && shown.consent !== null && consentBox(form, errors)}
${definition.honeypot_field !== null && trap(definition.honeypot_field)}
<p><button type="submit">${shown.button}</button></p>
</form>`;
}

const withoutLinks = (text: string): string => text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1');

/** People do not see it. */
const trap = (key: string): Html =>
  html`<div class="extra" aria-hidden="true"><label for="${controlId(key)}">${key}</label><input id="${controlId(key)}" name="${key}" type="text" tabindex="-1" autocomplete="off"></div>`;

type Errors = ReadonlyMap<string, string>;

const errorLine = (key: string, errors: Errors): Html =>
  html`<span class="error" id="${errorId(key)}"${!errors.has(key) && html` hidden`}>${errors.get(key) ?? null}</span>`;

function consentBox({ definition, shown, consented }: FormMarkup, errors: Errors): Html {
  const attributes = attributesOf(CONSENT_KEY, definition.consent?.required === true, errors, null);
  const box = html`<input type="checkbox" name="${CONSENT_KEY}" value="on"${attributes}${consented === true && html` checked`}>`;
  return html`<div class="field"><div class="choice">${box}<label class="text" for="${controlId(CONSENT_KEY)}">${line(shown.consent ?? '')}</label></div>${errorLine(CONSENT_KEY, errors)}</div>`;
}

/** The first wrong field has the focus when the page opens. */
const isFirst = (key: string, errors: Errors): boolean => errors.keys().next().value === key;

const attributesOf = (key: string, required: boolean, errors: Errors, help: string | null): Html =>
  html` id="${controlId(key)}" aria-describedby="${errorId(key)}${help !== null && ` h-${key}`}"${required && html` required`}${errors.has(key) && html` aria-invalid="true"`}${isFirst(key, errors) && html` autofocus`}`;

function fieldMarkup(field: FormField, form: FormMarkup, errors: Errors): Html {
  const { key, type, label, help, required, value } = field;
  const given = form.given && ownField(form.given, key);
  if (type === 'hidden') return html`<input type="hidden" name="${key}" value="${textOf(given) || (value ?? '')}" data-hidden>`;
  const texts = formPageTexts[form.shown.language];
  const caption = html`${label}${!required && html` <span class="soft">(${texts.optional})</span>`}`;
  const hint = help !== null && html`<span class="soft help" id="h-${key}">${line(help)}</span>`;
  const attributes = attributesOf(key, required, errors, help);
  if (type === 'multi_select') return choices(field, given, { caption, hint, errors });
  if (type === 'checkbox') {
    const box = html`<input type="checkbox" name="${key}" value="on"${attributes}${(given === 'on' || given === true) && html` checked`}>`;
    return html`<div class="field"><div class="choice">${box}<label for="${controlId(key)}">${caption}</label></div>${hint}${errorLine(key, errors)}</div>`;
  }
  return html`<div class="field"><label for="${controlId(key)}">${caption}</label>${hint}${control(field, textOf(given), attributes, texts.choose)}${errorLine(key, errors)}</div>`;
}

const textOf = (given: unknown): string => {
  const one = Array.isArray(given) ? given[0] : given;
  return typeof one === 'string' || typeof one === 'number' ? String(one) : '';
};

/** The kind of a text field, for the keyboard of a phone. */
const inputTypes = { text: 'text', email: 'email', phone: 'tel', number: 'text', date: 'date' } as const;
/** By the field of the contact that takes the value. */
const autocompletes: ReadonlyMap<string, string | null> = new Map(baseFields.map((name) => [name, contactFields[name].autocomplete]));

function control({ key, type, options, maps_to }: FormField, given: string, attributes: Html, choose: string): Html {
  if (type === 'textarea') return html`<textarea name="${key}" rows="5"${attributes}>\n${given}</textarea>`;
  if (type === 'select') {
    const chosen = (value: string) => value === given && html` selected`;
    return html`<select name="${key}"${attributes}><option value="">${choose}</option>${(options ?? []).map(
      ({ value, label }) => html`<option value="${value}"${chosen(value)}>${label}</option>`,
    )}</select>`;
  }
  const kind = inputTypes[type as keyof typeof inputTypes] ?? 'text';
  const complete = maps_to === null ? null : (autocompletes.get(maps_to) ?? null);
  const extra = html`${type === 'number' && html` inputmode="decimal"`}${complete !== null && html` autocomplete="${complete}"`}`;
  return html`<input type="${kind}" name="${key}" value="${given}"${attributes}${extra}>`;
}

interface ChoiceParts {
  readonly caption: Html;
  readonly hint: Html | false;
  readonly errors: Errors;
}

function choices({ key, options, help }: FormField, given: unknown, { caption, hint, errors }: ChoiceParts): Html {
  const chosen = new Set([given].flat());
  const boxes = (options ?? []).map(({ value, label }, at) => {
    const id = at === 0 ? controlId(key) : `${controlId(key)}-${at}`;
    const box = html`<input type="checkbox" name="${key}" value="${value}" id="${id}"${chosen.has(value) && html` checked`}>`;
    return html`<div class="choice">${box}<label for="${id}">${label}</label></div>`;
  });
  const described = html` aria-describedby="${errorId(key)}${help !== null && ` h-${key}`}"`;
  return html`<fieldset class="field" data-choices="${key}"${described}><legend>${caption}</legend>${hint}${boxes}${errorLine(key, errors)}</fieldset>`;
}
