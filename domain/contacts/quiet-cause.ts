import { isOfLateEvent } from '../events/late-event.js';
import { isOfQuietImport } from './import.js';

/** What causes changes that start no journeys. */
export type QuietCause = 'import' | 'late';

/** Why an event of the log starts no journeys: a row of an import, or a late event, caused it. Null for all others. */
export const quietCauseOf = (meta: { readonly $causationId: string }): QuietCause | null =>
  isOfQuietImport(meta) ? 'import' : isOfLateEvent(meta) ? 'late' : null;
