import { boundedText, count, flag, nullable, optional, record, text } from '../../domain/kernel/schema.js';
import { type SavedView, savedViews, savedViewsStream, viewOf } from '../../domain/views/saved-views.js';
import { command } from '../runtime/command.js';
import { userOf } from './user-of.js';

const change = record({ name: optional(boundedText({})), page: optional(text), query: optional(boundedText({})), shared: optional(flag) });

/** Changes a saved view. Throws `not_found`, `version_conflict`, and `forbidden` for making a view personal that is not one's own. */
export const changeView = command({
  name: 'ChangeSavedView',
  input: record({ view_id: text, change, expected: nullable(count) }),

  async handle({ view_id, change, expected }, context): Promise<SavedView> {
    const { account } = context.cause;
    const user = userOf(context);
    const command = { type: 'Change', account_id: account, view_id, change, user, expected, now: context.now } as const;
    const { state } = await context.decide(savedViews, savedViewsStream(account), command);
    return viewOf(state, view_id, user);
  },
});
