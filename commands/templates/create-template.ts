import Type from 'typebox';
import { type TemplateDetails, template, templateStream, toTemplateDetails } from '../../domain/templates/template.js';
import { command } from '../runtime/command.js';
import { completeContent, sourceFields, templateChannel, templateName } from './template-input.js';

/** Creates a template. Throws `validation_error` with every problem of its sources. */
export const createTemplate = command({
  name: 'CreateTemplate',
  input: Type.Object({ name: templateName, channel: templateChannel, ...sourceFields }, { additionalProperties: false }),

  async handle({ name, channel, ...sources }, context): Promise<TemplateDetails> {
    const content = await completeContent({ channel, before: {}, sources }, context);
    const template_id = context.newId('tpl');
    const create = { type: 'Create', template_id, name, channel, content, now: context.now } as const;
    const { state } = await context.decide(template, templateStream(template_id), create, { assumeNew: true });
    return toTemplateDetails(state);
  },
});
