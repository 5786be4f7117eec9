import { oneOf, record, text } from '../../domain/kernel/schema.js';
import { command } from '../kernel.js';
import { completeLinksToRoot, removeLink } from './links.js';

/** Lets the older of two contacts know of a link that was made or taken away, where whoever did so was killed before. */
export const completeLink = command({
  name: 'CompleteLink',
  input: record({ change: oneOf('absorb', 'release'), into: text, absorbed: text, merge_id: text }),

  async handle({ change, into, absorbed, merge_id }, context): Promise<void> {
    if (change === 'absorb') await completeLinksToRoot(context, absorbed);
    else await removeLink(context, into, absorbed, merge_id);
  },
});
