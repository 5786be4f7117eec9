import { rereadSegment } from '../../commands/segments/reread-segment.js';
import { isReadEarlier } from '../../domain/segments/earlier-reading.js';
import type { SegmentEvent } from '../../domain/segments/segment.js';
import { byAccount, type ProcessManager, performEach, type Todo } from '../runtime/process-manager.js';

/** A segment whose rules are of the time before rules were read as now. The id is that of the segment. */
interface RereadTodo extends Todo {
  readonly correlation: string;
}

/** Reads the rules of each segment anew, once, that were recorded before rules were read as now. */
export const rereadRules: ProcessManager<SegmentEvent, RereadTodo> = {
  name: 'segments/reread-rules',
  version: 1,
  ...byAccount,
  handles: ['SegmentCreated', 'SegmentUpdated', 'SegmentDeleted'],
  reads: ({ event }) => ({ todos: [event.data.segment_id] }),
  react: ({ event, meta }) => {
    const { segment_id: id, at } = event.data;
    if (event.type === 'SegmentDeleted') return [{ do: 'cancel', id }];
    const { rules } = event.data;
    if (rules === undefined) return [{ do: 'ignore', reason: 'other change' }];
    if (!isReadEarlier(rules)) return [{ do: 'cancel', id }];
    const from = { account: meta.account, correlation: meta.$correlationId };
    return [{ do: 'schedule', todo: { id, due_at: Date.parse(at), ...from, priority: 2, lane: 'reread' } }];
  },
  concurrency: { lane: 1, total: 4 },

  perform: performEach(async ({ id: segment_id, account, correlation }, { execute }) => {
    const { position } = await execute(rereadSegment, { segment_id }, { account, correlation, about: segment_id });
    return position;
  }),
};
