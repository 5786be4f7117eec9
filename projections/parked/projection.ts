import type { Doc } from '../../domain/kernel/ports.js';
import type { ParkedEvent, ParkedFields } from '../../domain/parked/parked-work.js';
import type { Projection } from '../runtime/projection.js';

/** Work that is parked now. */
export interface ParkedDoc extends Doc, Omit<ParkedFields, 'parked_id'> {
  readonly parked_at: string;
  /** `parked_at`, then the id. */
  readonly sort: string;
}

export const PARKED = 'parked';

/** Parked work, until it is retried or dropped. */
export const parked: Projection<ParkedEvent> = {
  name: 'parked',
  version: 1,
  handles: ['WorkParked', 'WorkRetried', 'WorkDropped'],
  collections: { [PARKED]: { indexes: [['sort'], ['process', 'sort'], ['account', 'sort']] } },
  reads: ({ event }) => [{ collection: PARKED, id: event.data.parked_id }],
  apply: ({ event }, view) => {
    if (event.type !== 'WorkParked') return view.remove(PARKED, event.data.parked_id);
    const { parked_id: id, at: parked_at, ...fields } = event.data;
    view.put(PARKED, { id, ...fields, parked_at, sort: `${parked_at}/${id}` } satisfies ParkedDoc);
  },
};
