/**
 * The claim of one address, or of one value of a `unique` custom field: it ensures that no two contacts of an account have it.
 * A claim is appended before its contact. A command that finds a claim without a contact creates the contact.
 */
import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { record, text, time } from '../kernel/schema.js';

// Events

export const ContactKeyClaimed = eventType('ContactKeyClaimed', record({ contact_id: text, at: time }));
export const ContactKeyReleased = eventType('ContactKeyReleased', record({ contact_id: text, at: time }));

export const contactKeyEvents = [ContactKeyClaimed, ContactKeyReleased] as const;
export type ContactKeyEvent = EventOf<(typeof contactKeyEvents)[number]>;

// State

/** `claims` counts how often the key was claimed. Ids of contacts are derived from it, so that a freed key leads to a new id. */
export type ContactKey =
  | { readonly status: 'free'; readonly claims: number }
  | { readonly status: 'claimed'; readonly contact_id: string; readonly claims: number };

export function evolve({ claims }: ContactKey, event: ContactKeyEvent): ContactKey {
  switch (event.type) {
    case 'ContactKeyClaimed':
      return { status: 'claimed', contact_id: event.data.contact_id, claims: claims + 1 };
    case 'ContactKeyReleased':
      return { status: 'free', claims };
    default:
      return event satisfies never;
  }
}

// Commands

export type ContactKeyCommand =
  /** `stale` is a contact that released this key although the claim still names it. */
  { type: 'ClaimContactKey'; contact_id: string; stale: string | null; now: string } | { type: 'ReleaseContactKey'; contact_id: string; now: string };

/**
 * A key that another contact holds stays with it: no event. A contact's own key is claimed again, so that the claim is later
 * than every earlier change of the contact.
 */
export function decide(command: ContactKeyCommand, key: ContactKey): readonly ContactKeyEvent[] {
  const { contact_id, now: at } = command;
  switch (command.type) {
    case 'ClaimContactKey': {
      const claimed: ContactKeyEvent = { type: 'ContactKeyClaimed', data: { contact_id, at } };
      if (key.status === 'free' || key.contact_id === contact_id) return [claimed];
      return key.contact_id === command.stale ? [{ type: 'ContactKeyReleased', data: { contact_id: command.stale, at } }, claimed] : [];
    }
    case 'ReleaseContactKey':
      return key.status === 'claimed' && key.contact_id === contact_id ? [{ type: 'ContactKeyReleased', data: { contact_id, at } }] : [];
    default:
      return command satisfies never;
  }
}

// Stream

/** `key` is the HMAC of the address, or of the field and its value, under the account's pepper. */
export const contactKeyStream = (key: string): string => `contactKey-${key}`;

export const contactKey: Aggregate<ContactKey, ContactKeyCommand, ContactKeyEvent> = {
  stream: contactKeyStream,
  events: contactKeyEvents,
  initial: { status: 'free', claims: 0 },
  evolve,
  decide,
};
