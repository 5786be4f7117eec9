/** What a caller's idempotency key asked for, where one command writes several streams, and what came of it. */
import { type EventOf, eventType } from './event.js';
import { anyRecord, record, text, time } from './schema.js';

export const IntentTaken = eventType('IntentTaken', record({ fingerprint: text, at: time }));
/** `result` is what the caller is answered again on a repeat: ids and counts, never anything personal. */
export const IntentFulfilled = eventType('IntentFulfilled', record({ result: anyRecord, at: time }));

export const intentEvents = [IntentTaken, IntentFulfilled] as const;
export type IntentEvent = EventOf<(typeof intentEvents)[number]>;

/** `key` is a hash of account, route and idempotency key. */
export const intentStream = (key: string): string => `intent-${key}`;
