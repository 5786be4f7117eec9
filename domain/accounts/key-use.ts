/** When an API key was last used, to the hour. A stream of its own, since the account's would fill with it. */
import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { record, text, time } from '../kernel/schema.js';

// Events

export const ApiKeyUsed = eventType('ApiKeyUsed', record({ key_id: text, at: time }));
export const keyUseEvents = [ApiKeyUsed] as const;
export type KeyUseEvent = EventOf<typeof ApiKeyUsed>;

// State

export interface KeyUse {
  readonly last: string | null;
}

// Commands

export interface NoteKeyUse {
  readonly type: 'NoteKeyUse';
  readonly key_id: string;
  readonly now: string;
}

/** Uses within this time of the last recorded one are not recorded. */
export const KEY_USE_INTERVAL_MS = 3_600_000;

// Stream

export const keyUseStream = (keyId: string) => `apiKey-${keyId}`;

export const keyUse: Aggregate<KeyUse, NoteKeyUse, KeyUseEvent> = {
  stream: keyUseStream,
  events: keyUseEvents,
  initial: { last: null },
  evolve: (_state, event) => ({ last: event.data.at }),
  decide: ({ key_id, now }, { last }) =>
    last !== null && Date.parse(now) - Date.parse(last) < KEY_USE_INTERVAL_MS ? [] : [{ type: 'ApiKeyUsed', data: { key_id, at: now } }],
};
