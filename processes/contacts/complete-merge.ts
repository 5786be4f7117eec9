import { completeLink } from '../../commands/contacts/complete-link.js';
import type { SealedContactEvent } from '../../domain/contacts/contact.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { type ProcessManager, performEach, type Todo } from '../runtime/process-manager.js';

/** A link that only one of the two contacts has recorded. */
export interface LinkTodo extends Todo {
  readonly correlation: string;
  readonly change: 'absorb' | 'release';
  readonly into: string;
  readonly absorbed: string;
  readonly merge_id: string;
}

type HandledEvent = Extract<SealedContactEvent, { type: 'ContactMerged' | 'ContactAbsorbed' | 'ContactUnmerged' | 'ContactReleased' }>;

/** A command records both ends itself; there is something to do only if it was interrupted. */
const COMPLETION_DELAY_MS = 2_000;

const idOf = (change: LinkTodo['change'], merge_id: string): string => `${change}/${merge_id}`;

/** Completes merges and unmerges that were interrupted between their two appends. */
export const completeMerge: ProcessManager<HandledEvent, LinkTodo> = {
  name: 'contacts/complete-merge',
  version: 2,
  handles: ['ContactMerged', 'ContactAbsorbed', 'ContactUnmerged', 'ContactReleased'],
  reads: ({ event }) => ({ todos: [idOf('absorb', event.data.merge_id), idOf('release', event.data.merge_id)] }),
  react: (stored, memory) => {
    const { event } = stored;
    const { merge_id } = event.data;
    switch (event.type) {
      case 'ContactMerged':
        return [{ do: 'schedule', todo: todoOf(stored, 'absorb', event.data.into) }];
      case 'ContactAbsorbed':
        return [{ do: 'cancel', id: idOf('absorb', merge_id) }];
      case 'ContactUnmerged':
        // The older contact has not recorded the link, so there is nothing to release.
        if (memory.todo(idOf('absorb', merge_id))) return [{ do: 'cancel', id: idOf('absorb', merge_id) }];
        return [{ do: 'schedule', todo: todoOf(stored, 'release', event.data.from) }];
      case 'ContactReleased':
        return [{ do: 'cancel', id: idOf('release', merge_id) }];
      default:
        return event satisfies never;
    }
  },
  concurrency: { lane: 16, total: 16 },

  perform: performEach(async ({ id, account, correlation, change, into, absorbed, merge_id }, { execute }) => {
    const { position } = await execute(completeLink, { change, into, absorbed, merge_id }, { account, correlation, about: id });
    return position;
  }),
};

function todoOf({ event, meta }: LogEvent<HandledEvent>, change: LinkTodo['change'], into: string): LinkTodo {
  const { merge_id, contact_id, at } = event.data;
  const due_at = Date.parse(at) + COMPLETION_DELAY_MS;
  return {
    id: idOf(change, merge_id),
    due_at,
    account: meta.account,
    priority: 1,
    lane: 'links',
    correlation: meta.$correlationId,
    change,
    into,
    absorbed: contact_id,
    merge_id,
  };
}
