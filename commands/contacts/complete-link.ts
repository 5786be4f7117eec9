import { oneOf, record, text } from '../../domain/kernel/schema.js';
import { command } from '../runtime/command.js';
import { completeLinkOf, removeLink } from './links.js';

/** Completes a merge or an unmerge that was interrupted after the first of its two appends. */
export const completeLink = command({
  name: 'CompleteLink',
  input: record({ change: oneOf('absorb', 'release'), into: text, absorbed: text, merge_id: text }),

  async handle({ change, into, absorbed, merge_id }, context): Promise<void> {
    if (change === 'absorb') await completeLinkOf(context, absorbed, into);
    else await removeLink(context, into, absorbed, merge_id);
  },
});
