import { type FormDefinition, mappedCustomKeyOf } from '../../domain/forms/definition.js';
import { formLanguageOf, languagesOfForm } from '../../domain/forms/translations.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import type { Language } from '../../domain/kernel/languages.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import type { FormAnswer } from '../../formats/forms/read-answers.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { type ContactInput, readContactInput } from '../contacts/contact-input.js';
import type { ContactRow } from '../contacts/row-identity.js';
import type { Context } from '../runtime/command.js';

/**
 * The language of a person who filled in a form, where the form says something of it: it was shown in one of several, or is not in that of
 * the account. Null otherwise: the account's is the default anyway.
 */
export function localeOfSubmission(form: FormDefinition, shown: Language, account: Language | undefined): Language | null {
  const own = formLanguageOf(form, account);
  return languagesOfForm(form, own).length > 1 || own !== (account ?? 'en') ? shown : null;
}

interface AnswersUse {
  /** Its email only, as long as nobody has confirmed the rest. */
  readonly only: 'email' | 'all';
  /** Its language, unless an answer gives another one. */
  readonly locale: Language | null;
}

/** What the answers of a form say about its contact. */
export async function contactOfAnswers(
  { log, cause, addresses }: Pick<Context, 'log' | 'cause' | 'addresses'>,
  { fields: asked, tags }: FormDefinition,
  values: Readonly<Record<string, FormAnswer>>,
  { only, locale }: AnswersUse,
): Promise<{ readonly row: ContactRow } | { readonly problems: readonly FieldProblem[] }> {
  const fields = await loadCustomFields(log, cause.account);
  const input: Record<string, unknown> = only === 'all' ? { ...(locale !== null && { locale }), tags: [...tags] } : {};
  const custom: Record<string, unknown> = {};
  const keyOf = new Map<string, string>();
  for (const { key, maps_to } of asked) {
    const value = ownField(values, key);
    if (maps_to === null || value === undefined || (only === 'email' && maps_to !== 'email')) continue;
    keyOf.set(maps_to, key);
    const of = mappedCustomKeyOf(maps_to);
    if (of === null) setOwnField(input, maps_to, value);
    // A field that was removed since takes no value.
    else if (fields.has(of)) setOwnField(custom, of, value);
  }
  const read = readContactInput({ ...input, custom_fields: custom } as ContactInput, { account: cause.account, addresses, fields });
  if ('row' in read) return read;
  return { problems: read.problems.map((problem) => ({ ...problem, field: `fields.${keyOf.get(problem.field) ?? problem.field}` })) };
}
