import { type InboxAction, inboxItem, inboxStream } from '../../domain/inbox/item.js';
import type { Position } from '../../domain/kernel/ports.js';
import { internalCommand } from '../runtime/command.js';
import { mapConcurrent } from '../runtime/concurrency.js';

/** Items that are marked concurrently. */
const IN_FLIGHT = 32;

export interface MarkInboxItems {
  readonly action: InboxAction;
  readonly items: readonly { readonly item_id: string; readonly contact_id: string }[];
}

/** Records what a contact does with items of its inbox. Items that are so already are left as they are. Throws `not_found`. */
export const markInboxItems = internalCommand({
  name: 'MarkInboxItems',

  async handle({ action, items }: MarkInboxItems, context): Promise<{ readonly changed: number }> {
    const positions = await mapConcurrent(context, items, IN_FLIGHT, async ({ item_id, contact_id }): Promise<Position | null> => {
      const mark = { type: 'Mark', item_id, action, now: context.now } as const;
      return (await context.decide(inboxItem, inboxStream(contact_id, item_id), mark, { sealed: true })).position;
    });
    return { changed: positions.filter((position) => position !== null).length };
  },
});
