import { type FormDefinition, mappedCustomKeyOf } from '../../domain/forms/definition.js';
import type { FieldProblem } from '../../domain/kernel/errors.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import type { FormAnswer } from '../../formats/forms/read-answers.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { type ContactInput, readContactInput } from '../contacts/contact-input.js';
import type { ContactRow } from '../contacts/row-identity.js';
import type { Context } from '../runtime/command.js';

/** What the answers of a form say about its contact. `only` its email, as long as nobody has confirmed the rest. */
export async function contactOfAnswers(
  { log, cause, addresses }: Pick<Context, 'log' | 'cause' | 'addresses'>,
  { fields: asked, tags }: FormDefinition,
  values: Readonly<Record<string, FormAnswer>>,
  only: 'email' | 'all',
): Promise<{ readonly row: ContactRow } | { readonly problems: readonly FieldProblem[] }> {
  const fields = await loadCustomFields(log, cause.account);
  const input: Record<string, unknown> = only === 'all' ? { tags: [...tags] } : {};
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
