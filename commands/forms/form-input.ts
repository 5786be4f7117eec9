import Type, { type Static } from 'typebox';
import {
  FIELD_KEY,
  type FormDefinition,
  type FormField,
  fieldTypeSchema,
  formDefinitionProblems,
  formStatusSchema,
  formTexts,
  MAX_FIELDS,
  type PartialDefinition,
  SLUG,
} from '../../domain/forms/definition.js';
import { changedTranslations, formLanguageProblems, knownTranslations, missingFormTexts } from '../../domain/forms/translations.js';
import { channelSchema } from '../../domain/kernel/channels.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { type Language, languageSchema } from '../../domain/kernel/languages.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { annotate, boundedText, lineOf, list, mapOf, named, nullable, optional, record } from '../../domain/kernel/schema.js';
import { oneLine } from '../../domain/kernel/text-patterns.js';
import { parseUrl } from '../../domain/kernel/urls.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { findForm } from '../../log/aggregates/forms/load-form.js';
import { loadSender } from '../../log/aggregates/load-sender.js';
import { unknownLists } from '../contacts/accept-import.js';
import type { Context } from '../runtime/command.js';
import { type ValidationRule, withRule } from '../runtime/rules.js';

const line = (maxLength: number, description: string) => Type.String({ ...lineOf(maxLength), description });
const prose = (description: string) => Type.String({ minLength: 1, maxLength: 5_000, description });

const option = Type.Union([
  Type.String({ ...lineOf(200) }),
  named(
    'FormOptionRequest',
    record({ value: line(200, 'What a submission holds.'), label: optional(line(200, 'What the page shows. Default: the value.')) }),
  ),
]);
const fieldInput = named(
  'FormFieldRequest',
  record({
    key: Type.String({ ...FIELD_KEY, description: 'Name of the value in a submission.' }),
    type: annotate(fieldTypeSchema, { description: '`consent` is the place of the box of the consent; its key is `consent`.' }),
    label: optional(Type.String({ maxLength: 300, ...oneLine, description: 'Required, except of hidden fields and of the consent.' })),
    help: optional(nullable(line(500, 'A line below the label.'))),
    required: optional(Type.Boolean({ default: false })),
    maps_to: optional(nullable(line(80, 'The field of the contact that takes the value: `email`, `phone`, `first_name`, `custom_fields.plan`.'))),
    options: optional(nullable(Type.Array(option, { minItems: 1, maxItems: 250, description: 'Of `select` and `multi_select`.' }))),
    value: optional(nullable(Type.String({ maxLength: 1_000, description: 'What a hidden field holds.' }))),
  }),
);

const consentInput = named(
  'FormConsentRequest',
  record({
    text: prose('What the person agrees to, as the page shows it.'),
    version: line(64, 'Your name of this wording. It is part of the proof.'),
    channels: Type.Array(channelSchema, { minItems: 1, maxItems: 6, description: 'The purpose is marketing.' }),
    required: optional(Type.Boolean({ default: false })),
  }),
);

const fields = Type.Array(fieldInput, { minItems: 1, maxItems: MAX_FIELDS });
const slug = Type.String({ ...SLUG, description: 'Last part of the address of the page. Unique over the whole service.' });
const formName = line(200, 'Name of the form, and the title of its page.');
const others = {
  list_ids: optional(list(line(64, 'Lists that the contact is added to.'), { maxItems: 20 })),
  tags: optional(list(line(64, 'Tags that the contact gets.'), { maxItems: 20 })),
  double_opt_in: optional(Type.Boolean({ default: false, description: 'The contact confirms by email before anything but the submission counts.' })),
  redirect_url: optional(nullable(line(2_000, 'Where the browser goes after a submission.'))),
  success_message: optional(nullable(prose('What the page shows after a submission.'))),
  consent: optional(nullable(consentInput)),
  honeypot_field: optional(nullable(boundedText(FIELD_KEY))),
  min_seconds: optional(
    Type.Integer({ minimum: 0, maximum: 3_600, default: 0, description: 'A submission that comes sooner after the page is dropped.' }),
  ),
  allowed_origins: optional(list(line(300, 'An origin such as `https://www.example.com`. Without any, every page may submit.'), { maxItems: 50 })),
  language: optional(
    annotate(languageSchema, { description: 'In which the form is written. Default: that of the account. Its page, consent and mails are in it.' }),
  ),
  translations: optional(
    nullable(
      annotate(mapOf(nullable(formTexts)), {
        description:
          'The texts of the page in other languages: `{"de": {"title": "…", "fields": {"email": {"label": "…"}}}}`. A translation has all texts that the form has. In a change, a language that is given replaces its texts, null removes them, and the others stay. The own language can have a title, a description and a button here.',
      }),
    ),
  ),
  texts: optional(annotate(mapOf(formTexts), { description: 'The former name of `translations`. In a change it replaces all of them.' })),
  status: optional(annotate(formStatusSchema, { default: 'draft' })),
};
const createFields = record({ name: formName, slug, fields, ...others });
const changeFields = record({ name: optional(formName), slug: optional(slug), fields: optional(fields), ...others });
export type FormInput = Static<typeof createFields>;
export type FormChange = Static<typeof changeFields>;

const empty = {
  list_ids: [],
  tags: [],
  double_opt_in: false,
  redirect_url: null,
  success_message: null,
  consent: null,
  honeypot_field: null,
  min_seconds: 0,
  allowed_origins: [],
  texts: {},
  status: 'draft',
} as const satisfies Omit<FormDefinition, 'name' | 'slug' | 'fields'>;

/** The complete definition of a new form, by default in the language of its account. */
export const newDefinition = async (input: FormInput, context: Context): Promise<FormDefinition> => ({
  ...{ language: await accountLanguage(context) },
  ...definitionAfter({ ...empty, name: '', slug: '', fields: [] }, input),
});

const accountLanguage = async ({ log, cause }: Context): Promise<Language> => (await loadSender(log, cause.account))?.locale ?? 'en';

/** The definition after a change of some of its parts. */
export function definitionAfter(before: FormDefinition, change: FormChange): FormDefinition {
  const { fields: given, consent, translations, texts, ...rest } = change;
  const known = texts === undefined ? before.texts : knownTranslations(texts);
  return {
    ...before,
    ...withoutUndefined(rest),
    texts: translations === undefined ? known : changedTranslations(known, translations),
    fields: given?.map(completeField) ?? before.fields,
    consent: consent === undefined ? before.consent : consent && { required: false, ...consent },
  };
}

const withoutUndefined = <T extends object>(values: T) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as { [K in keyof T]-?: Exclude<T[K], undefined> };

type FieldInput = NonNullable<FormChange['fields']>[number];

const completeField = ({
  key,
  type,
  label = '',
  help = null,
  required = false,
  maps_to = null,
  options = null,
  value = null,
}: FieldInput): FormField => ({
  key,
  type,
  label,
  help,
  required,
  maps_to,
  options: options?.filter((one) => one !== undefined).map(completeOption) ?? null,
  value,
});

const completeOption = (one: NonNullable<FieldInput['options']>[number]) =>
  typeof one === 'string' ? { value: one, label: one } : { value: one.value, label: one.label ?? one.value };

/** What of a change the texts of a page depend on. */
const OF_TEXTS = ['name', 'fields', 'success_message', 'consent', 'language', 'texts', 'translations'] as const;

/**
 * All problems of a definition, those with lists and custom fields included. `change`: what of it is given. A translation of an earlier
 * release may lack texts as long as nothing changes what it translates.
 */
export async function formProblems(context: Context, definition: PartialDefinition, change: Partial<FormChange>): Promise<FieldProblem[]> {
  const customFields = await loadCustomFields(context.log, context.cause.account);
  const lists = await unknownLists(context, definition.list_ids ?? []);
  const { redirect_url } = definition;
  const found = formDefinitionProblems(definition, customFields);
  if (redirect_url != null && !parseUrl(redirect_url) && !found.some(({ field }) => field === 'redirect_url'))
    found.push({ field: 'redirect_url', code: 'invalid_url', message: 'This is not a URL.' });
  return [...found, ...lists, ...(await translationProblems(context, definition, change))];
}

async function translationProblems(context: Context, definition: PartialDefinition, change: Partial<FormChange>): Promise<FieldProblem[]> {
  const { texts = {}, translations } = change;
  const tags = [...formLanguageProblems(texts, 'texts'), ...formLanguageProblems(translations ?? {}, 'translations')];
  if (!OF_TEXTS.some((part) => change[part] !== undefined)) return tags;
  const own = definition.language ?? (await accountLanguage(context));
  const isInTexts = (language: Language): boolean => ownField(texts, language) !== undefined && !ownField(translations, language);
  return [...tags, ...missingFormTexts(definition, own, (language) => `${isInTexts(language) ? 'texts' : 'translations'}.${language}`)];
}

/** For the well-formed parts of a body. A malformed part is missing, so that rules about it do not apply. */
const formRule: ValidationRule<FormChange> = async (input, { context, isMalformed, params }) => {
  const change = input as FormChange;
  const before = params.id === undefined ? null : ((await findForm(context.log, params.id))?.form.definition ?? null);
  const { fields: given, consent, translations, texts, ...rest } = change;
  const known: PartialDefinition = { ...(before ?? empty), ...(withoutUndefined(rest) as object) };
  const after = definitionAfter({ ...empty, name: '', slug: '', fields: [], ...before }, { translations, texts });
  const definition = {
    ...known,
    texts: after.texts,
    fields: isMalformed('fields') ? undefined : (given?.map((field) => field && completeField(field)) ?? before?.fields),
    consent: isMalformed('consent') ? undefined : consent === undefined ? (before?.consent ?? null) : consent && { required: false, ...consent },
  };
  return formProblems(context, definition, change);
};

export const createFormInput = withRule(createFields, formRule as ValidationRule<FormInput>);
export const changeFormInput = withRule(changeFields, formRule);
