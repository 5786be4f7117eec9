import Type from 'typebox';
import { invalid } from '../../domain/kernel/errors.js';
import { PARTIAL_KEY, partialStream, type StoredPartial, templatePartial } from '../../domain/templates/partial.js';
import { templateLimits } from '../../formats/templates/limits.js';
import { command } from '../runtime/command.js';
import { compileContent } from './content.js';

export const partialKey = Type.String({ ...PARTIAL_KEY, description: 'What templates include it by.', examples: ['footer'] });
export const partialSource = Type.String({
  maxLength: templateLimits.source / 3,
  description: 'Liquid. It is escaped where the template that includes it is.',
});

/**
 * Stores a partial under its key, in place of one that is there. Partials that it includes itself may be stored later; templates are checked
 * with all of them. Throws `validation_error`.
 */
export const storePartial = command({
  name: 'StoreTemplatePartial',
  input: Type.Object({ key: partialKey, source: partialSource }, { additionalProperties: false }),

  async handle({ key, source }, context): Promise<StoredPartial> {
    const compiled = compileContent(context.ports.templates.compile, { html: source });
    const problems = compiled.problems.filter(({ code }) => code !== 'unknown_partial');
    if (problems.length > 0) throw invalid(problems.map((problem) => ({ ...problem, field: 'source' })));
    const { state } = await context.decide(templatePartial, partialStream(context.cause.account, key), {
      type: 'Store',
      key,
      source,
      now: context.now,
    });
    if (state.status !== 'stored') throw new Error('The partial was not stored.');
    const { status: _, ...stored } = state;
    return stored;
  },
});
