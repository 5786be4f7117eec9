/**
 * The claim of one sign-in email, so that it belongs to one user over all accounts. The claim is appended before the user
 * and contains all data of the user: any command that finds a claim without a user creates the user.
 */
import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { nullable, record, text, time } from '../kernel/schema.js';
import { roleSchema } from './access.js';

// Events

/** `founding`: the account that is created together with this user, if any. */
export const UserKeyClaimed = eventType(
  'UserKeyClaimed',
  record({
    account_id: text,
    user_id: text,
    role: roleSchema,
    founding: nullable(record({ name: text, timezone: text })),
    email: text,
    name: nullable(text),
    password_hash: text,
    at: time,
  }),
  { personal: { subject: 'user_id', fields: ['email', 'name', 'password_hash'] } },
);
export const UserKeyReleased = eventType('UserKeyReleased', record({ user_id: text, at: time }));

export const userKeyEvents = [UserKeyClaimed, UserKeyReleased] as const;
export type UserKeyEvent = EventOf<(typeof userKeyEvents)[number]>;

// State

export type UserKeyClaim = Omit<EventOf<typeof UserKeyClaimed>['data'], 'at'>;
export type UserKey = { readonly status: 'free' } | { readonly status: 'claimed'; readonly claim: UserKeyClaim };

export function evolve(_key: UserKey, event: UserKeyEvent): UserKey {
  switch (event.type) {
    case 'UserKeyClaimed': {
      const { at: _, ...claim } = event.data;
      return { status: 'claimed', claim };
    }
    case 'UserKeyReleased':
      return { status: 'free' };
    default:
      return event satisfies never;
  }
}

// Commands

export type UserKeyCommand =
  /** `stale`: id of a removed user that may still have the claim. */
  { type: 'ClaimUserKey'; claim: UserKeyClaim; stale: string | null; now: string } | { type: 'ReleaseUserKey'; user_id: string; now: string };

export function decide(command: UserKeyCommand, key: UserKey): readonly UserKeyEvent[] {
  switch (command.type) {
    case 'ClaimUserKey': {
      const claimed: UserKeyEvent = { type: 'UserKeyClaimed', data: { ...command.claim, at: command.now } };
      if (key.status === 'free') return [claimed];
      return key.claim.user_id === command.stale ? [released(command.stale, command.now), claimed] : [];
    }
    case 'ReleaseUserKey':
      return key.status === 'claimed' && key.claim.user_id === command.user_id ? [released(command.user_id, command.now)] : [];
    default:
      return command satisfies never;
  }
}

const released = (user_id: string, at: string): UserKeyEvent => ({ type: 'UserKeyReleased', data: { user_id, at } });

// Stream

/** `emailKey`: HMAC of the address under the pepper that all accounts share. */
export const userKeyStream = (emailKey: string) => `userKey-${emailKey}`;

export const userKey: Aggregate<UserKey, UserKeyCommand, UserKeyEvent> = {
  stream: userKeyStream,
  events: userKeyEvents,
  initial: { status: 'free' },
  evolve,
  decide,
};
