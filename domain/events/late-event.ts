/** What a late event causes: a contact that it creates, and its entries into segments. It starts no journeys, as a row of an import does not. */

const LATE_EVENT = 'late-event/';

/** The invocation under which a late event is recorded; events name it as their cause. */
export const lateInvocation = (event_id: string): string => `${LATE_EVENT}${event_id}`;

/** Whether an event was recorded for a late event that starts no journeys. */
export const isOfLateEvent = ({ $causationId }: { readonly $causationId: string }): boolean => $causationId.startsWith(LATE_EVENT);
