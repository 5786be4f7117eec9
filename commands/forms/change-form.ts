import { type FormDetails, form, formStream, toFormDetails, versionConflict } from '../../domain/forms/form.js';
import { invalid } from '../../domain/kernel/errors.js';
import { count, nullable, record, text } from '../../domain/kernel/schema.js';
import { loadForm } from '../../log/aggregates/forms/load-form.js';
import { command } from '../runtime/command.js';
import { claimSlug, releaseSlug } from './claim-slug.js';
import { changeFormInput, definitionAfter, formProblems } from './form-input.js';

/** Makes a new version of a form. Throws `not_found`, `version_conflict`, `validation_error`, and `conflict` for a slug that is taken. */
export const changeForm = command({
  name: 'ChangeForm',
  input: record({ form_id: text, change: changeFormInput, expected: nullable(count) }),

  async handle({ form_id, change, expected }, context): Promise<FormDetails> {
    const before = await loadForm(context.log, context.cause.account, form_id);
    if (expected !== null && expected !== before.version && context.cause.key === undefined) throw versionConflict(expected, before.version);
    const definition = definitionAfter(before.definition, change);
    const problems = await formProblems(context, definition, change);
    if (problems.length > 0) throw invalid(problems);
    const moves = definition.slug !== before.definition.slug;
    if (moves) await claimSlug(context, definition.slug, form_id);
    const based_on = expected ?? before.version;
    const { state } = await context.decide(form, formStream(form_id), { type: 'Change', form_id, definition, based_on, now: context.now });
    if (moves) await releaseSlug(context, before.definition.slug, form_id);
    return toFormDetails(state);
  },
});
