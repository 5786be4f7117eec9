/**
 * The list memberships of one contact. After an unsubscription only the contact's own act (`by: 'person'`) subscribes it
 * again; imports and calls of the account (`by: 'account'`) do not. The account can put a contact back that was taken off by
 * mistake, with a reason and a proof of what the person wants.
 */

import type { Aggregate } from '../kernel/aggregate.js';
import { DomainError } from '../kernel/errors.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { ownField, setOwnField } from '../kernel/own-fields.js';
import { flag, named, nullable, oneOf, optional, record, text, time } from '../kernel/schema.js';
import { type StoredText, sourceOf } from '../kernel/stored-text.js';
import { latest, type ResolveConflict, type TimestampedValue, unifyRecords } from '../kernel/timestamped.js';

/** The most restrictive first. It wins when two contacts are merged. */
export const membershipStatuses = ['unsubscribed', 'cleaned', 'pending', 'subscribed'] as const;
export const membershipStatusSchema = named('MembershipStatus', oneOf(...membershipStatuses));
export type MembershipStatus = (typeof membershipStatuses)[number];
/** Lifetime of a confirmation link. */
export const CONFIRMATION_TTL_HOURS = 72;
/** The mail is sent again at most once in so many seconds, and so many times in all. */
export const RESEND_EVERY_SECONDS = 600;
export const MAX_RESENDS = 3;

// Events

const about = { contact_id: text, list_id: text };
const personal = { subject: 'contact_id', fields: ['source'] } as const;

/** A confirmation by email was requested. The link in the mail contains `request_id`. */
export const SubscriptionRequested = eventType(
  'SubscriptionRequested',
  record({
    ...about,
    request_id: text,
    source: text,
    /** Base URL of the link, from the request; null for the configured one. */
    base_url: nullable(text),
    /** By a test key: the mail goes to the sandbox. */
    test: optional(flag),
    /** One that waits is sent again: the links of the earlier mails work, too. */
    resent: optional(flag),
    at: time,
  }),
  { version: 3, personal },
);
/** The mail was accepted for sending. `message_id` is null if the contact has no address. */
export const ConfirmationSent = eventType('ConfirmationSent', record({ ...about, request_id: text, message_id: nullable(text), at: time }));
export const ListSubscribed = eventType(
  'ListSubscribed',
  record({
    ...about,
    source: text,
    /** Only an act of the person undoes an unsubscription. */
    by: oneOf('person', 'account'),
    /** The request that was confirmed, or null. */
    request_id: nullable(text),
    at: time,
  }),
  { version: 2, personal },
);
export const ListUnsubscribed = eventType('ListUnsubscribed', record({ ...about, source: text, by: oneOf('person', 'account'), at: time }), {
  version: 2,
  personal,
});
/** The account put a contact back that had left or was taken off the list. */
export const ListResubscribed = eventType(
  'ListResubscribed',
  record({
    ...about,
    source: text,
    /** Why the contact is put back. */
    reason: text,
    /** Evidence that the person wants it: a quotation, a ticket. */
    proof: text,
    at: time,
  }),
  { version: 2, personal: { subject: 'contact_id', fields: ['reason', 'proof', 'source'] } },
);
/** The contact's address hard-bounced. */
export const ListCleaned = eventType('ListCleaned', record({ ...about, source: text, at: time }), { version: 2, personal });

export const membershipEvents = [SubscriptionRequested, ConfirmationSent, ListSubscribed, ListUnsubscribed, ListResubscribed, ListCleaned] as const;
export type MembershipEvent = EventOf<(typeof membershipEvents)[number]>;
export type SealedMembershipEvent = SealedEventOf<(typeof membershipEvents)[number]>;

// State

export interface Membership {
  readonly status: MembershipStatus;
  readonly contact_id: string;
  readonly source: StoredText;
  /** Whose act it was. What the account does with a proof counts as the person's. */
  readonly by: 'person' | 'account';
  /** The pending request, or the one confirmed last. */
  readonly request_id: string | null;
  readonly requested_at: string | null;
  /** Where the mail was sent again: the request of each mail, the latest last. */
  readonly requests?: readonly MembershipRequest[];
}

interface MembershipRequest {
  readonly id: string;
  readonly at: string;
}

/** By list id. */
export type Memberships = Readonly<Record<string, TimestampedValue<Membership>>>;
export const noMemberships: Memberships = {};

/** Also takes sealed events: personal fields do not affect the state. */
export function evolve(memberships: Memberships, event: MembershipEvent | SealedMembershipEvent): Memberships {
  const { list_id, contact_id, at } = event.data;
  const known = ownField(memberships, list_id)?.value;
  const { request_id = null, requested_at = null } = known ?? {};
  const put = (value: Omit<Membership, 'contact_id'>): Memberships => ({ ...memberships, [list_id]: { value: { contact_id, ...value }, at } });
  switch (event.type) {
    case 'SubscriptionRequested':
      if (event.data.resent && known) return put({ ...known, ...afterResend(known, event.data.request_id, at) });
      return put({ status: 'pending', source: sourceOf(event.data), by: 'account', request_id: event.data.request_id, requested_at: at });
    case 'ConfirmationSent':
      return memberships;
    case 'ListSubscribed':
      return put({
        status: 'subscribed',
        source: sourceOf(event.data),
        by: event.data.by,
        request_id: event.data.request_id,
        requested_at,
        ...requestsOf(known),
      });
    case 'ListUnsubscribed':
      return put({ status: 'unsubscribed', source: sourceOf(event.data), by: event.data.by, request_id, requested_at });
    case 'ListResubscribed':
      return put({ status: 'subscribed', source: sourceOf(event.data), by: 'person', request_id, requested_at });
    case 'ListCleaned':
      return put({ status: 'cleaned', source: sourceOf(event.data), by: 'account', request_id, requested_at });
    default:
      return event satisfies never;
  }
}

const afterResend = (known: Membership, id: string, at: string): Pick<Membership, 'request_id' | 'requested_at' | 'requests'> => ({
  request_id: id,
  requested_at: at,
  requests: [...allRequests(known), { id, at }],
});

/** The requests whose mails were sent. */
function allRequests({ requests, request_id, requested_at }: Membership): readonly MembershipRequest[] {
  return requests ?? (request_id !== null && requested_at !== null ? [{ id: request_id, at: requested_at }] : []);
}

const requestsOf = (known: Membership | undefined): Pick<Membership, 'requests'> => (known?.requests ? { requests: known.requests } : {});

/** How often the mail of a pending membership was sent again. */
export const resendsOf = (membership: Membership): number => Math.max(0, allRequests(membership).length - 1);

const restrictiveness = ({ value }: TimestampedValue<Membership>): number => membershipStatuses.indexOf(value.status);
const mostRestrictive: ResolveConflict<Membership> = (left, right) => {
  if (restrictiveness(left) === restrictiveness(right)) return latest(left, right);
  return restrictiveness(left) < restrictiveness(right) ? left : right;
};

/**
 * Unifies the memberships of two merged contacts. An unsubscription of one side wins over a later subscription of the other
 * by the account.
 */
export function unifyMemberships(left: Memberships, right: Memberships, unifiedAt: string): Memberships {
  const unified = unifyRecords(left, right, unifiedAt, mostRestrictive);
  for (const [list_id, own] of Object.entries(left)) {
    const other = ownField(right, list_id);
    if (!other) continue;
    const [unsubscribed, remaining] = own.value.status === 'unsubscribed' ? [own, other] : [other, own];
    if (unsubscribed.value.status === 'unsubscribed' && remaining.value.by === 'account') setOwnField(unified, list_id, unsubscribed);
    else if (own.at === other.at) setOwnField(unified, list_id, mostRestrictive(own, other));
  }
  return unified;
}

/** Whether the link of the pending request is still valid. */
export const isConfirmableMembership = ({ status, requested_at }: Membership, now: string): boolean =>
  status === 'pending' && requested_at !== null && isValidAt(requested_at, now);

const isValidAt = (requested_at: string, now: string): boolean => Date.parse(now) - Date.parse(requested_at) <= CONFIRMATION_TTL_HOURS * 3_600_000;

/** Whether the link of one of the mails to a pending membership is still valid. */
export const isConfirmableBy = (membership: Membership, request_id: string, now: string): boolean =>
  membership.status === 'pending' && allRequests(membership).some(({ id, at }) => id === request_id && isValidAt(at, now));

/** Whether one of its mails has this request. */
export const isRequestedBy = (membership: Membership, request_id: string): boolean =>
  membership.request_id === request_id || allRequests(membership).some(({ id }) => id === request_id);

// Commands

interface MembershipSubject {
  readonly contact_id: string;
  readonly list_id: string;
  readonly now: string;
  /** The memberships of the unified contact that this contact is part of. Defaults to its own. */
  readonly unified?: Memberships;
}

export type MembershipCommand = MembershipSubject &
  (
    | { type: 'Subscribe'; by: 'person' | 'account'; source: string }
    | { type: 'Request'; by: 'person' | 'account'; request_id: string; source: string; base_url: string | null; test?: boolean }
    /** Sends the mail of a pending membership again. Looks at this contact's own membership only. */
    | { type: 'Resend'; request_id: string; source: string; base_url: string | null; test?: boolean }
    | { type: 'RecordConfirmationSent'; request_id: string; message_id: string | null }
    /** Checks this contact's own request only, not the unified memberships. */
    | { type: 'Confirm'; request_id: string; source: string }
    | { type: 'Resubscribe'; source: string; reason: string; proof: string }
    /** `evenIfAbsent`: it has left the list elsewhere, before it was known here. */
    | { type: 'Unsubscribe'; by: 'person' | 'account'; source: string; evenIfAbsent?: boolean }
    | { type: 'Clean'; source: string; evenIfAbsent?: boolean }
  );

type Of<T extends MembershipCommand['type']> = Extract<MembershipCommand, { type: T }>;

export function decide(command: MembershipCommand, memberships: Memberships): readonly MembershipEvent[] {
  const { contact_id, list_id, now: at, unified = memberships } = command;
  const about = { contact_id, list_id };
  const own = ownField(memberships, list_id);
  const known = latestOf(ownField(unified, list_id), own)?.value;
  switch (command.type) {
    case 'Subscribe': {
      const { by, source } = command;
      if (known?.status === 'subscribed' || (by !== 'person' && hasLeft(known))) return [];
      return [{ type: 'ListSubscribed', data: { ...about, source, by, request_id: null, at } }];
    }
    case 'Request':
      return request(command, known);
    case 'Resend':
      return resend(command, own?.value);
    case 'RecordConfirmationSent': {
      const { request_id, message_id } = command;
      return [{ type: 'ConfirmationSent', data: { ...about, request_id, message_id, at } }];
    }
    case 'Confirm': {
      const { request_id, source } = command;
      if (!own || !isConfirmableBy(own.value, request_id, at)) return [];
      return [{ type: 'ListSubscribed', data: { ...about, source, by: 'person', request_id, at } }];
    }
    case 'Resubscribe': {
      const { source, reason, proof } = command;
      return hasLeft(known) ? [{ type: 'ListResubscribed', data: { ...about, source, reason, proof, at } }] : [];
    }
    case 'Unsubscribe':
      return (known || command.evenIfAbsent) && known?.status !== 'unsubscribed'
        ? [{ type: 'ListUnsubscribed', data: { ...about, source: command.source, by: command.by, at } }]
        : [];
    case 'Clean':
      return known?.status === 'subscribed' || known?.status === 'pending' || (!known && command.evenIfAbsent)
        ? [{ type: 'ListCleaned', data: { ...about, source: command.source, at } }]
        : [];
    default:
      return command satisfies never;
  }
}

/** The unified memberships may have been loaded before the contact's own stream. */
const latestOf = (whole?: TimestampedValue<Membership>, own?: TimestampedValue<Membership>): TimestampedValue<Membership> | undefined =>
  whole && own ? latest(whole, own) : (whole ?? own);

/** A request that can still be confirmed is not repeated. */
function request(
  { contact_id, list_id, by, now: at, request_id, source, base_url, test }: Of<'Request'>,
  known?: Membership,
): readonly MembershipEvent[] {
  if (known?.status === 'subscribed' || (by !== 'person' && hasLeft(known)) || (known && isConfirmableMembership(known, at))) return [];
  return [{ type: 'SubscriptionRequested', data: { contact_id, list_id, request_id, source, base_url, ...(test && { test }), at } }];
}

/** Throws `invalid_state` where nothing is pending, `rate_limit_exceeded` within ten minutes of the last time, `conflict` after the third. */
function resend({ contact_id, list_id, now: at, request_id, source, base_url, test }: Of<'Resend'>, own?: Membership): readonly MembershipEvent[] {
  if (own?.status !== 'pending') {
    const current = own?.status ?? 'none';
    throw new DomainError('invalid_state', `Only a membership that is pending has a confirmation to send again; this one is: ${current}.`, {
      current,
      allowed: ['pending'],
    });
  }
  const resends = resendsOf(own);
  if (resends >= MAX_RESENDS)
    throw new DomainError(
      'conflict',
      `The confirmation was sent again ${MAX_RESENDS} times, which is all. Where the person has confirmed elsewhere, add it to the list with "confirmed":true and a proof.`,
      { limit: MAX_RESENDS },
    );
  const seconds = Math.ceil((Date.parse(own.requested_at ?? at) + RESEND_EVERY_SECONDS * 1_000 - Date.parse(at)) / 1_000);
  if (resends > 0 && seconds > 0)
    throw new DomainError('rate_limit_exceeded', `The confirmation is sent again at most once in 10 minutes. Wait ${seconds} s.`, {
      ...{ limit: 1, window: '10 minutes', retry_after: seconds },
    });
  return [{ type: 'SubscriptionRequested', data: { contact_id, list_id, request_id, source, base_url, ...(test && { test }), resent: true, at } }];
}

const hasLeft = (known?: Membership): boolean => known?.status === 'unsubscribed' || known?.status === 'cleaned';

// Stream

/** `contactId`: the contact that the membership was recorded for, even if it is merged into another one. */
export const membershipStream = (contactId: string): string => `membership-${contactId}`;

export const membership: Aggregate<Memberships, MembershipCommand, MembershipEvent> = {
  stream: membershipStream,
  events: membershipEvents,
  snapshots: { name: 'membership', version: 3 },
  initial: noMemberships,
  evolve,
  decide,
};
