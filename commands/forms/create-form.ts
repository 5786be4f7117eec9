import { type FormDetails, form, formStream, toFormDetails } from '../../domain/forms/form.js';
import { invalid } from '../../domain/kernel/errors.js';
import { command } from '../runtime/command.js';
import { claimSlug } from './claim-slug.js';
import { createFormInput, formProblems, newDefinition } from './form-input.js';

/** Creates a form. Throws `validation_error` with every problem of its definition, and `conflict` for a slug that is taken. */
export const createForm = command({
  name: 'CreateForm',
  input: createFormInput,

  async handle(input, context): Promise<FormDetails> {
    const definition = await newDefinition(input, context);
    const problems = await formProblems(context, definition, input);
    if (problems.length > 0) throw invalid(problems);
    const form_id = context.newId('frm');
    await claimSlug(context, definition.slug, form_id);
    const { state } = await context.decide(form, formStream(form_id), { type: 'Create', form_id, definition, now: context.now });
    return toFormDetails(state);
  },
});
