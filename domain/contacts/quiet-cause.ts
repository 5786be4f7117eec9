import { isOfQuietImport } from './import.js';

/** What causes changes that start no journeys. */
export type QuietCause = 'import' | 'late';

/** Why an event of the log starts no journeys: a row of an import, or a late event, caused it. Null for all others. */
export const quietCauseOf = (meta: { readonly $causationId: string }): QuietCause | null =>
  isOfQuietImport(meta) ? 'import' : isOfLateEvent(meta) ? 'late' : null;

/** A late event causes a contact that it creates, and its entries into segments. */
const LATE_EVENT = 'late-event/';

/** The invocation under which a late event is recorded; events name it as their cause. */
export const lateInvocation = (event_id: string): string => `${LATE_EVENT}${event_id}`;

/** Whether an event was recorded for a late event that starts no journeys. */
export const isOfLateEvent = ({ $causationId }: { readonly $causationId: string }): boolean => $causationId.startsWith(LATE_EVENT);
