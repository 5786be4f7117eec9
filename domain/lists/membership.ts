/**
 * On which lists one contact is. Whoever left a list is put on it again by nobody but himself: not by an import, nor by
 * a call in the account's name.
 */

import type { Decider } from '../kernel/decider.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { named, nullable, oneOf, record, text, time } from '../kernel/schema.js';
import { latest, type ResolveConflict, type Timestamped, uniteRecords } from '../kernel/timestamped.js';

/** The most restrictive first: what holds where two contacts turn out to be one. */
export const membershipStatuses = ['unsubscribed', 'cleaned', 'pending', 'subscribed'] as const;
export const membershipStatusSchema = named('MembershipStatus', oneOf(...membershipStatuses));
export type MembershipStatus = (typeof membershipStatuses)[number];
/** How long a confirmation is waited for. */
export const CONFIRMATION_TTL_HOURS = 72;

// Events

const about = { contact_id: text, list_id: text };

/** Asked to confirm by email: the request is named by its own id, which the link in the mail carries. */
export const SubscriptionRequested = eventType(
  'SubscriptionRequested',
  record({
    ...about,
    request_id: text,
    source: text,
    /** Where this service was reached when it was asked for, which the link begins with; null where only the settings know. */
    base_url: nullable(text),
    at: time,
  }),
);
/** The mail was accepted for sending; or there is no address to send it to, and `message_id` is null. */
export const ConfirmationSent = eventType('ConfirmationSent', record({ ...about, request_id: text, message_id: nullable(text), at: time }));
export const ListSubscribed = eventType(
  'ListSubscribed',
  record({
    ...about,
    source: text,
    /** Whose act it was: only a person's own takes an unsubscription back. */
    by: oneOf('person', 'account'),
    /** The request that it confirms, or null. */
    request_id: nullable(text),
    at: time,
  }),
);
export const ListUnsubscribed = eventType('ListUnsubscribed', record({ ...about, source: text, by: oneOf('person', 'account'), at: time }));
/** Its address does not exist: mail to it came back for good. */
export const ListCleaned = eventType('ListCleaned', record({ ...about, source: text, at: time }));

export const membershipEvents = [SubscriptionRequested, ConfirmationSent, ListSubscribed, ListUnsubscribed, ListCleaned] as const;
export type MembershipEvent = EventOf<(typeof membershipEvents)[number]>;

// State

export interface Membership {
  readonly status: MembershipStatus;
  readonly contact_id: string;
  readonly source: string;
  /** Whose act it was. */
  readonly by: 'person' | 'account';
  /** The request that is waited for, or that was confirmed last. */
  readonly request_id: string | null;
  /** When that was made. */
  readonly requested_at: string | null;
}

/** By list. */
export type Memberships = Readonly<Record<string, Timestamped<Membership>>>;
export const noMemberships: Memberships = {};

export function evolve(memberships: Memberships, event: MembershipEvent): Memberships {
  const { list_id, contact_id, at } = event.data;
  const known = memberships[list_id]?.value;
  const { request_id = null, requested_at = null } = known ?? {};
  const put = (value: Omit<Membership, 'contact_id'>): Memberships => ({ ...memberships, [list_id]: { value: { contact_id, ...value }, at } });
  switch (event.type) {
    case 'SubscriptionRequested':
      return put({ status: 'pending', source: event.data.source, by: 'account', request_id: event.data.request_id, requested_at: at });
    case 'ConfirmationSent':
      return memberships;
    case 'ListSubscribed':
      return put({ status: 'subscribed', source: event.data.source, by: event.data.by, request_id: event.data.request_id, requested_at });
    case 'ListUnsubscribed':
      return put({ status: 'unsubscribed', source: event.data.source, by: event.data.by, request_id, requested_at });
    case 'ListCleaned':
      return put({ status: 'cleaned', source: event.data.source, by: 'account', request_id, requested_at });
    default:
      return event satisfies never;
  }
}

const restrictiveness = ({ value }: Timestamped<Membership>): number => membershipStatuses.indexOf(value.status);
const mostRestrictive: ResolveConflict<Membership> = (left, right) => {
  if (restrictiveness(left) === restrictiveness(right)) return latest(left, right);
  return restrictiveness(left) < restrictiveness(right) ? left : right;
};

/**
 * The memberships of two contacts that are one person, read as one. Nothing but the person's own act takes an
 * unsubscription back, also where the account put the other side on the list afterwards.
 */
export function uniteMemberships(left: Memberships, right: Memberships, unitedAt: string): Memberships {
  const united = uniteRecords(left, right, unitedAt, mostRestrictive);
  for (const [list_id, said] of Object.entries(left)) {
    const other = right[list_id];
    if (!other) continue;
    const [gone, standing] = said.value.status === 'unsubscribed' ? [said, other] : [other, said];
    if (gone.value.status === 'unsubscribed' && standing.value.by === 'account') united[list_id] = gone;
    else if (said.at === other.at) united[list_id] = mostRestrictive(said, other);
  }
  return united;
}

/** Whether the link of a request may still be used. */
export const isConfirmable = ({ status, requested_at }: Membership, now: string): boolean =>
  status === 'pending' && requested_at !== null && Date.parse(now) - Date.parse(requested_at) <= CONFIRMATION_TTL_HOURS * 3_600_000;

// Commands

interface MembershipSubject {
  readonly contact_id: string;
  readonly list_id: string;
  readonly now: string;
  /** What is known of the whole person of whom the contact is a part; without it, of itself. */
  readonly united?: Memberships;
}

export type MembershipCommand = MembershipSubject &
  (
    | { type: 'Subscribe'; by: 'person' | 'account'; source: string }
    | { type: 'Request'; by: 'person' | 'account'; request_id: string; source: string; base_url: string | null }
    | { type: 'NoteSent'; request_id: string; message_id: string | null }
    /** The person's own answer to what this contact was asked, whatever the others of whom it is a part had said before. */
    | { type: 'Confirm'; request_id: string; source: string }
    | { type: 'Unsubscribe'; by: 'person' | 'account'; source: string }
    | { type: 'Clean'; source: string }
  );

type Of<T extends MembershipCommand['type']> = Extract<MembershipCommand, { type: T }>;

export function decide(command: MembershipCommand, memberships: Memberships): readonly MembershipEvent[] {
  const { contact_id, list_id, now: at, united = memberships } = command;
  const about = { contact_id, list_id };
  const own = memberships[list_id];
  const known = latestOf(united[list_id], own)?.value;
  switch (command.type) {
    case 'Subscribe': {
      const { by, source } = command;
      if (known?.status === 'subscribed' || (by !== 'person' && hasLeft(known))) return [];
      return [{ type: 'ListSubscribed', data: { ...about, source, by, request_id: null, at } }];
    }
    case 'Request':
      return request(command, known);
    case 'NoteSent': {
      const { request_id, message_id } = command;
      return [{ type: 'ConfirmationSent', data: { ...about, request_id, message_id, at } }];
    }
    case 'Confirm': {
      const { request_id, source } = command;
      if (own?.value.request_id !== request_id || !isConfirmable(own.value, at)) return [];
      return [{ type: 'ListSubscribed', data: { ...about, source, by: 'person', request_id, at } }];
    }
    case 'Unsubscribe':
      return known && known.status !== 'unsubscribed'
        ? [{ type: 'ListUnsubscribed', data: { ...about, source: command.source, by: command.by, at } }]
        : [];
    case 'Clean':
      return known?.status === 'subscribed' || known?.status === 'pending'
        ? [{ type: 'ListCleaned', data: { ...about, source: command.source, at } }]
        : [];
    default:
      return command satisfies never;
  }
}

/** The whole may have been read before the contact's own stream was. */
const latestOf = (whole?: Timestamped<Membership>, own?: Timestamped<Membership>): Timestamped<Membership> | undefined =>
  whole && own ? latest(whole, own) : (whole ?? own);

/** Who was asked and may still answer is not asked twice. */
function request({ contact_id, list_id, by, now: at, request_id, source, base_url }: Of<'Request'>, known?: Membership): readonly MembershipEvent[] {
  if (known?.status === 'subscribed' || (by !== 'person' && hasLeft(known)) || (known && isConfirmable(known, at))) return [];
  return [{ type: 'SubscriptionRequested', data: { contact_id, list_id, request_id, source, base_url, at } }];
}

const hasLeft = (known?: Membership): boolean => known?.status === 'unsubscribed' || known?.status === 'cleaned';

export const membership: Decider<Memberships, MembershipCommand, MembershipEvent> = { initial: noMemberships, evolve, decide };

// Stream

/** `contactId` is the contact of which it was said, also where it is merged into another one. */
export const membershipStream = (contactId: string): string => `membership-${contactId}`;
