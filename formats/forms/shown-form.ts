import type { FormDefinition, FormField } from '../../domain/forms/definition.js';
import type { Language } from '../../domain/kernel/languages.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { formPageTexts } from './page-texts.js';

/** A form as its page shows it in one language. */
export interface ShownForm {
  readonly language: Language;
  readonly title: string;
  readonly description: string | null;
  readonly button: string;
  readonly success: string;
  /** The text of the consent; null if the form asks for none. */
  readonly consent: string | null;
  readonly fields: readonly FormField[];
}

/** The texts of a form in a language; what a translation of an earlier release lacks is as in the form itself. */
export function shownForm(definition: FormDefinition, language: Language): ShownForm {
  const { title, description, button, success_message, consent, fields } = definition.texts[language] ?? {};
  const standard = formPageTexts[language];
  return {
    language,
    title: title ?? definition.name,
    description: description ?? null,
    button: button ?? standard.button,
    success: success_message ?? definition.success_message ?? standard.success,
    consent: definition.consent && (consent ?? definition.consent.text),
    fields: definition.fields.map((field) => translated(field, ownField(fields, field.key))),
  };
}

type FieldTexts = NonNullable<NonNullable<FormDefinition['texts'][Language]>['fields']>[string];

function translated(field: FormField, texts: FieldTexts | undefined): FormField {
  if (!texts) return field;
  const options = field.options?.map(({ value, label }) => ({ value, label: ownField(texts.options, value) ?? label })) ?? null;
  return { ...field, label: texts.label ?? field.label, help: texts.help ?? field.help, options };
}
