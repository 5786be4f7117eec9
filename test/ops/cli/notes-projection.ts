import type { Doc } from '../../../domain/kernel/ports.js';
import type { Projection } from '../../../projections/runtime/projection.js';

export interface NoteDoc extends Doc {
  readonly color: string;
  readonly moves: number;
}

/** Notes by owner. It has two collections, so that a test can check that each is compared. */
export const notesByOwner: Projection<{ type: string; data: { by: string; color: string } }> = {
  name: 'notes',
  version: 1,
  handles: ['NoteTaken', 'NoteMoved'],
  collections: { notes: { indexes: [['color']] }, colors: { indexes: [] } },
  reads: ({ event: { data } }) => [
    { collection: 'notes', id: data.by },
    { collection: 'colors', id: data.color },
  ],
  apply({ event: { data } }, view) {
    const before = view.get<NoteDoc>('notes', data.by);
    view.put('notes', { id: data.by, color: data.color, moves: before ? before.moves + 1 : 0 });
    view.put('colors', { id: data.color });
  },
};
