/**
 * The requests for a new password of one sign-in email. A request is recorded in the same way whether or not the email signs in to an
 * account, so that its answer does not show that, also not by the time it takes; who it is for is found afterward.
 */
import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { nullable, record, text, time } from '../kernel/schema.js';

// Events

/** `email_key`: HMAC of the address under the pepper that all accounts share. `base_url`: of the link. */
export const PasswordResetRequested = eventType('PasswordResetRequested', record({ request_id: text, email_key: text, base_url: text, at: time }));
/** `message_id`: of the mail; null where nobody signs in with the email, or the account reaches nobody by email. */
export const PasswordResetAnswered = eventType('PasswordResetAnswered', record({ request_id: text, message_id: nullable(text), at: time }));

export const passwordResetEvents = [PasswordResetRequested, PasswordResetAnswered] as const;
export type PasswordResetEvent = EventOf<(typeof passwordResetEvents)[number]>;

// State

export interface PasswordResets {
  /** Ids of the requests that are not answered. */
  readonly open: readonly string[];
}

export function evolve({ open }: PasswordResets, { type, data: { request_id } }: PasswordResetEvent): PasswordResets {
  return { open: type === 'PasswordResetRequested' ? [...open, request_id] : open.filter((id) => id !== request_id) };
}

// Commands

export type PasswordResetCommand =
  | {
      readonly type: 'RequestPasswordReset';
      readonly request_id: string;
      readonly email_key: string;
      readonly base_url: string;
      readonly now: string;
    }
  | { readonly type: 'AnswerPasswordReset'; readonly request_id: string; readonly message_id: string | null; readonly now: string };

export function decide(command: PasswordResetCommand, { open }: PasswordResets): readonly PasswordResetEvent[] {
  const isOpen = open.includes(command.request_id);
  switch (command.type) {
    case 'RequestPasswordReset': {
      const { request_id, email_key, base_url, now: at } = command;
      return isOpen ? [] : [{ type: 'PasswordResetRequested', data: { request_id, email_key, base_url, at } }];
    }
    case 'AnswerPasswordReset': {
      const { request_id, message_id, now: at } = command;
      return isOpen ? [{ type: 'PasswordResetAnswered', data: { request_id, message_id, at } }] : [];
    }
    default:
      return command satisfies never;
  }
}

// Stream

export const passwordResetStream = (emailKey: string) => `passwordReset-${emailKey}`;

export const passwordReset: Aggregate<PasswordResets, PasswordResetCommand, PasswordResetEvent> = {
  stream: passwordResetStream,
  events: passwordResetEvents,
  snapshots: { name: 'passwordReset', version: 1 },
  initial: { open: [] },
  evolve,
  decide,
};
