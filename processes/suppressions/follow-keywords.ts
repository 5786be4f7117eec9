import { followKeyword } from '../../commands/suppressions/follow-keyword.js';
import type { SealedInboundTextEvent } from '../../domain/suppressions/inbound-text.js';
import type { ReplySender } from '../../domain/suppressions/keyword-replies.js';
import { type ProcessManager, performEach, type Todo } from '../runtime/process-manager.js';

/** A keyword to apply. The lane is the phone number, so that STOP and START are applied in order. */
export interface KeywordTodo extends Todo {
  readonly correlation: string;
}

export interface FollowKeywordsParts {
  /** The sender named in the replies of an account. */
  readonly sender: (account: string) => Promise<ReplySender>;
}

/** Applies the keywords of inbound texts. */
export const followKeywords = ({ sender }: FollowKeywordsParts): ProcessManager<SealedInboundTextEvent, KeywordTodo> => ({
  name: 'suppressions/follow-keywords',
  version: 2,
  handles: ['InboundTextReceived', 'KeywordFollowed'],
  reads: ({ event }) => ({ todos: [event.data.inbound_id], fresh: event.type === 'InboundTextReceived' }),
  react: ({ event, meta }) => {
    const id = event.data.inbound_id;
    if (event.type === 'KeywordFollowed') return [{ do: 'cancel', id }];
    const { kind, from_key, received_at } = event.data;
    if (kind === null) return [{ do: 'ignore', reason: 'no_keyword' }];
    return [
      {
        do: 'schedule',
        todo: { id, due_at: Date.parse(received_at), account: meta.account, priority: 0, lane: from_key, correlation: meta.$correlationId },
      },
    ];
  },
  concurrency: { lane: 1, total: 64 },

  perform: performEach(async ({ id, account, correlation }, { execute }) => {
    const { name, contact } = await sender(account);
    const { position } = await execute(followKeyword, { inbound_id: id, name, contact }, { account, correlation, about: id });
    return position;
  }),
});
