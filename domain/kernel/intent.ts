/** The request of an idempotency key and its result, for commands that write several streams. */
import { type EventOf, eventType } from './event.js';
import { anyRecord, record, text, time } from './schema.js';

export const IntentTaken = eventType('IntentTaken', record({ fingerprint: text, at: time }));
/** `result` answers repeats of the request: ids and counts, never personal data. */
export const IntentFulfilled = eventType('IntentFulfilled', record({ result: anyRecord, at: time }));

export const intentEvents = [IntentTaken, IntentFulfilled] as const;
export type IntentEvent = EventOf<(typeof intentEvents)[number]>;

/** `key` is a hash of account, route and idempotency key. */
export const intentStream = (key: string): string => `intent-${key}`;
