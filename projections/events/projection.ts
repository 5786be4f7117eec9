import type { SealedRecordedEvent } from '../../domain/events/custom-event.js';
import type { Doc } from '../../domain/kernel/ports.js';
import type { Projection } from '../runtime/projection.js';

/** A custom event. Its properties stay sealed until a query opens them. */
export interface CustomEventDoc extends Doc {
  readonly account: string;
  /** The contact that it was recorded for. Queries resolve merges. */
  readonly contact_id: string;
  readonly event: string;
  readonly occurred_at: string;
  readonly accepted_at: string;
  /** `occurred_at`, then the position in the log. */
  readonly sort: string;
  readonly sealed: string;
}

/** The history of custom events. */
export const customEvents: Projection<SealedRecordedEvent> = {
  name: 'events',
  version: 2,
  handles: ['CustomEventRecorded'],
  collections: {
    events: {
      indexes: [
        ['account', 'sort'],
        ['account', 'event', 'sort'],
        ['account', 'event', 'contact_id'],
        ['account', 'contact_id', 'sort'],
        ['account', 'contact_id', 'event', 'sort'],
      ],
    },
  },
  reads: ({ event }) => [{ collection: 'events', id: event.data.event_id, fresh: true }],
  apply: ({ event, meta, position }, view) => {
    const { event_id: id, contact_id, name, occurred_at, at, sealed } = event.data;
    const doc: CustomEventDoc = {
      id,
      account: meta.account,
      contact_id,
      event: name,
      occurred_at,
      accepted_at: at,
      sort: `${occurred_at}/${position}`,
      sealed,
    };
    view.put('events', doc);
  },
};
