import Type from 'typebox';
import { DomainError } from '../../domain/kernel/errors.js';
import { count, nullable, optional, text } from '../../domain/kernel/schema.js';
import { type Template, type TemplateDetails, template, templateStream, toTemplateDetails } from '../../domain/templates/template.js';
import { loadTemplate } from '../../log/aggregates/templates/load-template.js';
import { command } from '../runtime/command.js';
import { type ChangedContents, changedContents } from './changed-contents.js';
import { completeContent, sourceFields, templateName } from './template-input.js';

type KnownTemplate = Exclude<Template, { status: 'new' }>;

/** Makes a new version of a template. Throws `not_found`, `version_conflict`, `validation_error`. */
export const changeTemplate = command({
  name: 'ChangeTemplate',
  input: Type.Object(
    {
      template_id: text,
      change: Type.Object({ name: optional(templateName), ...sourceFields }, { additionalProperties: false }),
      expected: nullable(count),
    },
    { additionalProperties: false },
  ),

  async handle({ template_id, change: { name, ...sources }, expected }, context): Promise<ChangedContents<TemplateDetails>> {
    const before = await loadTemplate(context.log, context.cause.account, template_id);
    if (expected !== null && expected !== before.version) {
      const message = `The template is at version ${before.version}, not ${expected}. Read it again, then change it.`;
      const repeated = context.cause.key !== undefined;
      if (!repeated) throw new DomainError('version_conflict', message, { expected, actual: before.version });
    }
    const content = await completeContent({ channel: before.channel, before: before.content, sources }, context);
    const based_on = expected ?? before.version;
    const update = { type: 'Update', template_id, name: name ?? before.name, content, based_on, now: context.now } as const;
    const stream = templateStream(template_id);
    const decided = await context.decide(template, stream, update);
    const contentsOf = (state: KnownTemplate) => state.content;
    const known: KnownTemplate = { ...before, status: 'active' };
    const { after, isAnew } = await changedContents(context, { aggregate: template, stream, before: known, contentsOf }, decided);
    return { after: toTemplateDetails(after), isAnew };
  },
});
