import { record, text } from '../../domain/kernel/schema.js';
import { savedViews, savedViewsStream } from '../../domain/views/saved-views.js';
import { command } from '../runtime/command.js';
import { userOf } from './user-of.js';

/** Deletes a saved view. Repeating it changes nothing. Throws `not_found`. */
export const deleteView = command({
  name: 'DeleteSavedView',
  input: record({ view_id: text }),

  async handle({ view_id }, context): Promise<void> {
    const command = { type: 'Delete', view_id, user: userOf(context), now: context.now } as const;
    await context.decide(savedViews, savedViewsStream(context.cause.account), command);
  },
});
