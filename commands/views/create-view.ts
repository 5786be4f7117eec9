import { boundedText, flag, record, text } from '../../domain/kernel/schema.js';
import { type SavedView, savedViews, savedViewsStream, viewOf } from '../../domain/views/saved-views.js';
import { command } from '../runtime/command.js';
import { userOf } from './user-of.js';

/** Saves a view; one of a user belongs to that user. Throws `conflict` above the limit, and `forbidden` for a personal view of a key. */
export const createView = command({
  name: 'CreateSavedView',
  input: record({ name: boundedText({}), page: text, query: boundedText({}), shared: flag }),

  async handle(content, context): Promise<SavedView> {
    const { account } = context.cause;
    const user = userOf(context);
    const stream = savedViewsStream(account);
    const view_id = context.newId('vie');
    const create = { type: 'Create', account_id: account, view_id, content, user, now: context.now } as const;
    const { state } = await context.exclusively([stream], () => context.decide(savedViews, stream, create));
    return viewOf(state, view_id, user);
  },
});
