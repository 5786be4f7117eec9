import { dropMessage } from '../../commands/messages/drop-message.js';
import type { Checkpoint } from '../../domain/kernel/ports.js';
import { isHeld } from '../../log/aggregates/campaigns/load-campaign.js';
import { openItems } from '../../log/aggregates/messages/load-batch.js';
import { type PerformContext, type ProcessManager, performEach } from '../runtime/process-manager.js';
import { CarrierCalls, type DispatchOptions } from './call-carrier.js';
import { ChunkDispatches } from './chunk-dispatches.js';
import {
  type AnyDispatchTodo,
  type DispatchEvent,
  type DispatchTodo,
  dispatchPartitionsOf,
  dispatchReads,
  furtherDispatchReads,
  handledEvents,
  isChunk,
  reactToDispatchEvent,
} from './dispatch-list.js';
import { dispatchMessage, UnrecordedResults } from './dispatch-message.js';

/** How long the messages of a campaign that is paused are put off. */
const HELD_RETRY_MS = 2_000;

/** Hands due messages to carriers, with retries after transient errors. */
export function dispatchMessages(options: DispatchOptions): ProcessManager<DispatchEvent, AnyDispatchTodo> {
  const calls = new CarrierCalls(options);
  const unrecorded = new UnrecordedResults();
  const chunks = new ChunkDispatches(calls);
  return {
    name: 'messages/dispatch',
    version: 5,
    handles: handledEvents,
    isUrgent: true,
    concurrency: { lane: 256, total: 1_024 },
    weight: (todo) => (isChunk(todo) ? todo.count : 1),
    partitionsOf: dispatchPartitionsOf,
    reads: dispatchReads,
    readsMore: furtherDispatchReads,
    react: reactToDispatchEvent,
    perform: performEach(async (todo, performing) => {
      if (todo.campaign_id !== undefined && (await isHeld(performing.log, todo.campaign_id)))
        return { retry_at: performing.clock.now() + HELD_RETRY_MS };
      return isChunk(todo) ? chunks.dispatch(todo, performing) : dispatchMessage(todo, performing, calls, unrecorded);
    }),
    awaiting: {
      isOver: (todo, now) => isChunk(todo) || calls.isCorrected(todo, now),
      retryAt: (todo) => (isChunk(todo) ? todo.due_at : Date.parse(todo.waits?.retry_at ?? '')),
    },
    drop: (todo, performing) => (isChunk(todo) ? chunks.drop(todo, performing) : dropOne(todo, performing)),
  };
}

async function dropOne({ id, account, correlation, item, begun }: DispatchTodo, { log, execute }: PerformContext): Promise<Checkpoint> {
  const [accepted] = await openItems(log, !begun && item ? [item] : []);
  return (await execute(dropMessage, { id, ...(accepted && { item: accepted }) }, { account, correlation, about: `${id}/drop` })).position;
}
