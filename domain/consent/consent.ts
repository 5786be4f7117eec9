/**
 * What one person agreed to: a ledger of statements, each on a channel (or on all of them) and for a purpose, with its
 * lawful basis, its proof and what caused it. Nothing is ever overwritten: what holds at a moment is what was said last
 * up to that moment. That an address is suppressed is shown beside it, and never written here.
 */
import { channelNames } from '../kernel/channels.js';
import type { Decider } from '../kernel/decider.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { named, nullable, oneOf, record, text, textOf, time } from '../kernel/schema.js';
import { latest, type ResolveConflict, type Timestamped, uniteRecords } from '../kernel/timestamped.js';

/** What a statement is about: one channel, or all of them, also those that come later. */
export const consentChannels = ['all', ...channelNames] as const;
export type ConsentChannel = (typeof consentChannels)[number];
export const consentStatuses = ['granted', 'withdrawn', 'pending'] as const;
export type ConsentStatus = (typeof consentStatuses)[number];
/** GDPR, article 6 (1), a to f. */
export const lawfulBases = ['consent', 'contract', 'legal_obligation', 'vital_interests', 'public_task', 'legitimate_interests'] as const;
export type LawfulBasis = (typeof lawfulBases)[number];
/** The account's own word for what the data is used for. `marketing` is the one that sends of that category ask for. */
export const PURPOSE_PATTERN = '^[a-z][a-z0-9_.-]{0,63}$';
export const MARKETING_PURPOSE = 'marketing';
/** What brought a statement into the ledger; its id names the request, import, message or form, or the contact that acted. */
export const consentCauses = ['actor', 'request', 'import', 'message', 'form'] as const;

export const consentChannelSchema = named('ConsentChannel', oneOf(...consentChannels));
export const consentStatusSchema = named('ConsentStatus', oneOf(...consentStatuses));
export const lawfulBasisSchema = named('LawfulBasis', oneOf(...lawfulBases));

// Events

export const proofSchema = record({
  form_id: nullable(text),
  text_version: nullable(text),
  /** The words that the person agreed to. */
  text: nullable(text),
  ip: nullable(text),
  user_agent: nullable(text),
});
/** Where nothing shows a statement. */
export const noProof: ConsentProof = { form_id: null, text_version: null, text: null, ip: null, user_agent: null };
export const consentCause = record({ kind: oneOf(...consentCauses), id: text });

const entryFields = {
  contact_id: text,
  channel: oneOf(...consentChannels),
  purpose: textOf({ pattern: PURPOSE_PATTERN }),
  lawful_basis: oneOf(...lawfulBases),
  source: text,
  /** Empty once its key is destroyed. */
  proof: proofSchema,
  cause: consentCause,
  /** When the person said so. */
  occurred_at: time,
  at: time,
};
const personal = { subject: 'contact_id', fields: ['proof'] } as const;

export const ConsentGranted = eventType('ConsentGranted', record(entryFields), { personal });
export const ConsentWithdrawn = eventType('ConsentWithdrawn', record(entryFields), { personal });
/** Asked for, and not answered yet. */
export const ConsentRequested = eventType('ConsentRequested', record(entryFields), { personal });

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
const eventOfStatus = { granted: 'ConsentGranted', withdrawn: 'ConsentWithdrawn', pending: 'ConsentRequested' } as const;

// State

/** What holds on one channel for one purpose. */
export interface Consent {
  readonly status: ConsentStatus;
  /** What it was said about: the channel itself, or all of them. */
  readonly said_on: ConsentChannel;
  readonly contact_id: string;
  readonly lawful_basis: LawfulBasis;
  readonly source: string;
  readonly cause: ConsentEntry['cause'];
  /** When it was recorded. `at` of a statement is when the person made it. */
  readonly recorded_at: string;
}

/**
 * By `<channel>/<purpose>`. What is said about all channels stands at each of them, so that it can be weighed against
 * what somebody else, who turns out to be the same person, said about one.
 */
export type Consents = Readonly<Record<string, Timestamped<Consent>>>;
export const noConsents: Consents = {};
export const consentKey = (channel: string, purpose: string): string => `${channel}/${purpose}`;

/** What was said last holds; of what was said at the same moment, what was recorded last. Takes sealed events too. */
export function evolve(consents: Consents, { type, data }: ConsentEvent | SealedConsentEvent): Consents {
  const { channel: said_on, purpose, contact_id, lawful_basis, source, cause, occurred_at, at: recorded_at } = data;
  const value: Consent = { status: consentStatusOf[type], said_on, contact_id, lawful_basis, source, cause, recorded_at };
  const next: Record<string, Timestamped<Consent>> = { ...consents };
  for (const channel of said_on === 'all' ? consentChannels : [said_on]) {
    const key = consentKey(channel, purpose);
    const known = next[key];
    if (!known || occurred_at >= known.at) next[key] = { value, at: occurred_at };
  }
  return next;
}

/** The statuses, the most restrictive first. */
const RESTRICTIVE: readonly ConsentStatus[] = ['withdrawn', 'pending', 'granted'];
const rank = ({ value }: Timestamped<Consent>): number => RESTRICTIVE.indexOf(value.status);

/** Of what two sides said before they were known to be one person the most restrictive holds. */
export const mostRestrictive: ResolveConflict<Consent> = (left, right) => {
  if (rank(left) === rank(right)) return latest(left, right);
  return rank(left) < rank(right) ? left : right;
};

/** The ledgers of two contacts that are one person, read as one. */
export function uniteConsents(left: Consents, right: Consents, unitedAt: string): Consents {
  const united = uniteRecords(left, right, unitedAt, mostRestrictive);
  for (const [key, said] of Object.entries(left)) {
    const other = right[key];
    if (other && other.at === said.at) united[key] = mostRestrictive(said, other);
  }
  return united;
}

/** What the gate of a send asks: whether a person agreed to be written to on a channel for a purpose. */
export function consentOf(consents: Consents, channel: string, purpose: string): ConsentStatus | 'none' {
  const said = consents[consentKey(channel, purpose)] ?? consents[consentKey('all', purpose)];
  return said?.value.status ?? 'none';
}

/** As a contact shows it: `{ email: { marketing: 'granted' } }`. */
export function consentsByChannel(consents: Consents): Record<string, Record<string, ConsentStatus>> {
  const shown: Record<string, Record<string, ConsentStatus>> = {};
  for (const [key, { value }] of Object.entries(consents)) {
    const [channel, purpose] = parseConsentKey(key);
    shown[channel] = { ...shown[channel], [purpose]: value.status };
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
  /** Only where nothing was said on this channel for this purpose yet. */
  onlyIfAbsent?: boolean;
  /** Only where nothing with this cause was recorded for it yet. */
  oncePerCause?: boolean;
  now: string;
} & Omit<ConsentEntry, 'at'>;

/** A time to come counts as now. */
export function decide(
  { type: _, status, onlyIfAbsent, oncePerCause, now: at, ...said }: ConsentCommand,
  consents: Consents,
): readonly ConsentEvent[] {
  const known = consents[consentKey(said.channel, said.purpose)];
  if (onlyIfAbsent && known) return [];
  if (oncePerCause && known && known.value.status === status && sameCause(known.value.cause, said.cause)) return [];
  const occurred_at = said.occurred_at < at ? said.occurred_at : at;
  return [{ type: eventOfStatus[status], data: { ...said, occurred_at, at } }];
}

const sameCause = (a: ConsentEntry['cause'], b: ConsentEntry['cause']): boolean => a.kind === b.kind && a.id === b.id;

export const consent: Decider<Consents, ConsentCommand, ConsentEvent> = { initial: noConsents, evolve, decide };

// Stream

/** `contactId` is the contact of which it was said, also where it is merged into another one. */
export const consentStream = (contactId: string): string => `consent-${contactId}`;
