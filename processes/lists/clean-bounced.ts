import { cleanBounced } from '../../commands/lists/clean-bounced.js';
import type { CleaningEvent } from '../../domain/lists/cleaning.js';
import type { SealedListEvent } from '../../domain/suppressions/suppression.js';
import { hashId } from '../../log/runtime/ids.js';
import { type ProcessManager, performEach, type Todo } from '../runtime/process-manager.js';

/** A hard-bounced address. The id is the `bounce_id`. */
export interface CleaningTodo extends Todo {
  readonly correlation: string;
  readonly address_key: string;
}

type HandledEvent = Extract<SealedListEvent, { type: 'AddressSuppressed' }> | CleaningEvent;

/** Cleans the lists of a contact whose address hard-bounced. Ignores bounces that were imported, which have no message. */
export const cleanBouncedMembers: ProcessManager<HandledEvent, CleaningTodo> = {
  name: 'lists/clean-bounced',
  version: 2,
  handles: ['AddressSuppressed', 'BouncedAddressCleaned'],
  reads: ({ event, id }) => ({ todos: [event.type === 'BouncedAddressCleaned' ? event.data.bounce_id : hashId('evt', id)] }),
  react: ({ event, id, meta }) => {
    if (event.type === 'BouncedAddressCleaned') return [{ do: 'cancel', id: event.data.bounce_id }];
    const { reason, message_id, channel, address_key, at } = event.data;
    if (reason !== 'bounced' || message_id === null) return [{ do: 'ignore', reason: 'no_mail_came_back' }];
    if (channel !== 'email' && channel !== 'all') return [{ do: 'ignore', reason: 'not_by_email' }];
    const from = { account: meta.account, correlation: meta.$correlationId };
    return [{ do: 'schedule', todo: { id: hashId('evt', id), due_at: Date.parse(at), ...from, priority: 1, lane: 'cleaning', address_key } }];
  },
  concurrency: { lane: 16, total: 16 },

  perform: performEach(async ({ id: bounce_id, account, correlation, address_key }, { execute }) => {
    const { position } = await execute(cleanBounced, { bounce_id, address_key }, { account, correlation, about: bounce_id });
    return position;
  }),
};
