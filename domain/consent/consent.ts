/**
 * Consents of one contact: a ledger of entries, each for a channel (or all channels) and a purpose, with lawful basis, proof
 * and cause. Nothing is overwritten: the entry with the latest `occurred_at` up to a time is the effective one at that time.
 * Suppressions are kept apart.
 */

import type { Aggregate } from '../kernel/aggregate.js';
import { channelNames } from '../kernel/channels.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { ownField, setOwnField } from '../kernel/own-fields.js';
import { boundedText, flag, named, nullable, oneOf, optional, record, text, time } from '../kernel/schema.js';
import { keyPattern } from '../kernel/text-patterns.js';
import { latest, type ResolveConflict, type TimestampedValue, unifyRecords } from '../kernel/timestamped.js';

/** The channel of an entry: one, or all of them, including channels added later. */
export const consentChannels = ['all', ...channelNames] as const;
export type ConsentChannel = (typeof consentChannels)[number];
export const consentStatuses = ['granted', 'withdrawn', 'pending'] as const;
export type ConsentStatus = (typeof consentStatuses)[number];
/** GDPR, article 6 (1), a to f. */
export const lawfulBases = ['consent', 'contract', 'legal_obligation', 'vital_interests', 'public_task', 'legitimate_interests'] as const;
export type LawfulBasis = (typeof lawfulBases)[number];
/** The account's own word for what the data is used for. `marketing` is the one that sends of that category ask for. */
export const PURPOSE_PATTERN = keyPattern('_', '.', '-');
export const MARKETING_PURPOSE = 'marketing';
/** What caused an entry; its id is that of the request, import, message, form or acting contact. */
export const consentCauses = ['actor', 'request', 'import', 'message', 'form'] as const;

export const consentChannelSchema = named('ConsentChannel', oneOf(...consentChannels));
export const consentStatusSchema = named('ConsentStatus', oneOf(...consentStatuses));
export const lawfulBasisSchema = named('LawfulBasis', oneOf(...lawfulBases));

// Events

export const proofSchema = record({
  form_id: nullable(text),
  text_version: nullable(text),
  /** The text that was agreed to. */
  text: nullable(text),
  /** In which the text was shown: a language tag. Absent where nobody has said it. */
  language: optional(nullable(text)),
  ip: nullable(text),
  user_agent: nullable(text),
});
/** The proof of an entry that has none. */
export const noProof: ConsentProof = { form_id: null, text_version: null, text: null, ip: null, user_agent: null };
export const consentCause = record({ kind: oneOf(...consentCauses), id: text });

const entryFields = {
  contact_id: text,
  channel: oneOf(...consentChannels),
  purpose: boundedText(PURPOSE_PATTERN),
  lawful_basis: oneOf(...lawfulBases),
  /** What the caller calls the origin of the statement. */
  source: text,
  /** Empty once its key is destroyed. */
  proof: proofSchema,
  cause: consentCause,
  /** When the consent was given, withdrawn or requested. */
  occurred_at: time,
  at: time,
};
const sealed = { version: 2, personal: { subject: 'contact_id', fields: ['proof', 'source'] } } as const;

export const ConsentGranted = eventType('ConsentGranted', record(entryFields), sealed);
/** `opted_out`: the person opts out of marketing by it, and had not before; never of an import. */
export const ConsentWithdrawn = eventType('ConsentWithdrawn', record({ ...entryFields, opted_out: optional(flag) }), { ...sealed, version: 3 });
/** Requested, not answered yet. */
export const ConsentRequested = eventType('ConsentRequested', record(entryFields), sealed);

export const consentEvents = [ConsentGranted, ConsentWithdrawn, ConsentRequested] as const;
export type ConsentEvent = EventOf<(typeof consentEvents)[number]>;
export type SealedConsentEvent = SealedEventOf<(typeof consentEvents)[number]>;
export type ConsentEntry = ConsentEvent['data'];
export type ConsentProof = ConsentEntry['proof'];

export const consentStatusOf = {
  ConsentGranted: 'granted',
  ConsentWithdrawn: 'withdrawn',
  ConsentRequested: 'pending',
} as const satisfies Record<ConsentEvent['type'], ConsentStatus>;
const eventOfStatus = { granted: 'ConsentGranted', pending: 'ConsentRequested' } as const;

// State

/** The effective consent on one channel for one purpose. */
export interface Consent {
  readonly status: ConsentStatus;
  /** The channel of the entry: this one, or all. */
  readonly said_on: ConsentChannel;
  readonly contact_id: string;
  readonly lawful_basis: LawfulBasis;
  readonly cause: ConsentEntry['cause'];
  /** When it was recorded. The `at` beside the consent is its `occurred_at`. */
  readonly recorded_at: string;
  /** Id of its event in the log. Null where the state was folded without ids. */
  readonly event: string | null;
  /** The request of a list, as earlier releases recorded it: it refuses marketing as long as there is no other entry, and is no consent itself. */
  readonly list_request?: true;
}

/**
 * By `<channel>/<purpose>`. An entry for all channels is stored at each channel, so that it can be compared with the entries of
 * a merged contact for single channels.
 */
export type Consents = Readonly<Record<string, TimestampedValue<Consent>>>;
export const noConsents: Consents = {};
export const consentKey = (channel: string, purpose: string): string => `${channel}/${purpose}`;

/**
 * The request of a double opt-in, as earlier releases recorded it with the mail that asks. It concerns its list alone, so every other
 * entry outweighs it; but whoever has none was not written to then, and is not now. Only such a request has a message as its cause.
 */
export const isListRequest = ({ type, data }: ConsentEvent | SealedConsentEvent): boolean =>
  type === 'ConsentRequested' && data.cause.kind === 'message';

/** The latest `occurred_at` wins; at the same time, the one recorded last. Accepts sealed events. `id` is that of the event. */
export function evolve(consents: Consents, event: ConsentEvent | SealedConsentEvent, id: string | null = null): Consents {
  const { type, data } = event;
  const ofList = isListRequest(event);
  const { channel: said_on, purpose, contact_id, lawful_basis, cause, occurred_at, at: recorded_at } = data;
  const value: Consent = {
    status: consentStatusOf[type],
    said_on,
    contact_id,
    lawful_basis,
    cause,
    recorded_at,
    event: id,
    ...(ofList && { list_request: ofList }),
  };
  const next: Record<string, TimestampedValue<Consent>> = { ...consents };
  for (const channel of said_on === 'all' ? consentChannels : [said_on]) {
    const key = consentKey(channel, purpose);
    const known = ownField(next, key);
    if (!known || (known.value.list_request && !ofList) || (!ofList && occurred_at >= known.at)) setOwnField(next, key, { value, at: occurred_at });
  }
  return next;
}

/** The statuses, the most restrictive first. */
const RESTRICTIVE: readonly ConsentStatus[] = ['withdrawn', 'pending', 'granted'];
const rank = ({ value }: TimestampedValue<Consent>): number => RESTRICTIVE.indexOf(value.status);

/** For entries from before two contacts were merged: the most restrictive wins. The request of a list lowers no consent. */
export const mostRestrictive: ResolveConflict<Consent> = (left, right) => {
  if (left.value.list_request !== right.value.list_request) return left.value.list_request ? right : left;
  if (rank(left) === rank(right)) return latest(left, right);
  return rank(left) < rank(right) ? left : right;
};

/** The unified consents of two merged contacts. */
export function unifyConsents(left: Consents, right: Consents, unifiedAt: string): Consents {
  const unified = unifyRecords(left, right, unifiedAt, mostRestrictive);
  for (const [key, said] of Object.entries(left)) {
    const other = ownField(right, key);
    if (other && other.at === said.at) setOwnField(unified, key, mostRestrictive(said, other));
  }
  return unified;
}

/** What an entry says of a channel and a purpose; undefined if there is none. The request of a list is none. */
export function consentAt(consents: Consents, channel: string, purpose: string): TimestampedValue<Consent> | undefined {
  const known = ownField(consents, consentKey(channel, purpose));
  return known?.value.list_request ? undefined : known;
}

/** The effective consent on a channel for a purpose; undefined if there is no entry. */
export const effectiveConsent = (consents: Consents, channel: string, purpose: string): TimestampedValue<Consent> | undefined =>
  consentAt(consents, channel, purpose) ?? consentAt(consents, 'all', purpose);

/** The same for the gates of messages, which the request of a list also concerns where there is nothing else. */
export const effectiveForGates = (consents: Consents, channel: string, purpose: string): TimestampedValue<Consent> | undefined =>
  effectiveConsent(consents, channel, purpose) ?? ownField(consents, consentKey(channel, purpose));

/** The effective consent status on a channel for a purpose, 'none' if there is no entry. */
export const consentOf = (consents: Consents, channel: string, purpose: string): ConsentStatus | 'none' =>
  effectiveConsent(consents, channel, purpose)?.value.status ?? 'none';

/** As in the contact resource: `{ email: { marketing: 'granted' } }`. */
export function consentsByChannel(consents: Consents): Record<string, Record<string, ConsentStatus>> {
  const shown: Record<string, Record<string, ConsentStatus>> = {};
  for (const [key, { value }] of Object.entries(consents)) {
    if (value.list_request) continue;
    const [channel, purpose] = parseConsentKey(key);
    setOwnField(shown, channel, { ...ownField(shown, channel), [purpose]: value.status });
  }
  return shown;
}

export function parseConsentKey(key: string): [channel: string, purpose: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}

// Commands

export type ConsentCommand = {
  type: 'Record';
  status: ConsentStatus;
  /** Only if there is no entry for this channel and purpose yet. */
  onlyIfAbsent?: boolean;
  /** Only if this cause has not set the same status already. */
  oncePerCause?: boolean;
  now: string;
} & Omit<ConsentEntry, 'at' | 'opted_out'>;

/** A time in the future counts as now. */
export function decide(
  { type: _, status, onlyIfAbsent, oncePerCause, now: at, ...said }: ConsentCommand,
  consents: Consents,
): readonly ConsentEvent[] {
  const known = consentAt(consents, said.channel, said.purpose);
  if (onlyIfAbsent && known) return [];
  if (oncePerCause && known && known.value.status === status && sameCause(known.value.cause, said.cause)) return [];
  const occurred_at = said.occurred_at < at ? said.occurred_at : at;
  const data = { ...said, occurred_at, at };
  if (status !== 'withdrawn') return [{ type: eventOfStatus[status], data }];
  return [{ type: 'ConsentWithdrawn', data: isOptOut(data, known) ? { ...data, opted_out: true } : data }];
}

/** One that is older than what is known changes no state. */
const isOptOut = ({ purpose, cause, occurred_at }: ConsentEntry, known: TimestampedValue<Consent> | undefined): boolean =>
  purpose === MARKETING_PURPOSE && cause.kind !== 'import' && (!known || (known.value.status !== 'withdrawn' && occurred_at >= known.at));

const sameCause = (a: ConsentEntry['cause'], b: ConsentEntry['cause']): boolean => a.kind === b.kind && a.id === b.id;

// Stream

/** `contactId`: the contact of the entries, even if it is merged into another one. */
export const consentStream = (contactId: string): string => `consent-${contactId}`;

export const consent: Aggregate<Consents, ConsentCommand, ConsentEvent> = {
  stream: consentStream,
  events: consentEvents,
  snapshots: { name: 'consent', version: 5, apply: (consents, { event, id }) => evolve(consents, event, id) },
  initial: noConsents,
  evolve,
  decide,
};
