/**
 * The gates of a message, checked at acceptance and again right before dispatch: the do-not-contact list, and for marketing
 * consent, quiet hours and frequency caps, in this order.
 */

import { defaultSettings } from '../../domain/accounts/settings.js';
import { effectiveForGates, MARKETING_PURPOSE } from '../../domain/consent/consent.js';
import { ACCOUNT_BASIS, type BasisDecision, type ContactBasis, marketingBasis } from '../../domain/consent/marketing-basis.js';
import { type ChannelName, channels } from '../../domain/kernel/channels.js';
import { languageOf } from '../../domain/kernel/languages.js';
import { type FullCap, roomAgainAt } from '../../domain/messages/frequency.js';
import { type GateDecision, type Refusal, type RefusedByKind, refusedAt } from '../../domain/messages/gate-decision.js';
import type { Acceptance, AcceptedMessage } from '../../domain/messages/message.js';
import { endOfQuietHours } from '../../domain/messages/quiet-hours.js';
import { refusingCause } from '../../domain/suppressions/suppression.js';
import { utcOffsetsOf } from '../../formats/messages/utc-offsets.js';
import { domainEntryOf } from '../../formats/suppressions/domains.js';
import { loadSuppression } from '../../log/aggregates/load-suppression.js';
import { hashId } from '../../log/runtime/ids.js';
import { otherSpellingKeys } from '../../log/vault/address-keys.js';
import type { Context } from '../runtime/command.js';
import type { StreamLookup } from '../runtime/ports.js';
import { type CappedMessage, findFullCap, frequencyCapsOf, releaseSlot, takeSlot } from './frequency-caps.js';
import type { MarketingRules } from './ports.js';
import { type AddressKeyList, loadRecipient, type Recipient, unknownRecipient } from './recipient.js';
import { isToContact } from './recipient-contacts.js';

/**
 * Applies the gates at acceptance. Frequency slots are only checked: they are taken at dispatch. `known`: the recipient, where the caller
 * has loaded it.
 */
export async function checkAcceptanceGates(
  acceptance: Omit<Acceptance, 'refused'>,
  message_id: string,
  context: Context,
  known: Recipient | null = null,
): Promise<Acceptance> {
  const { to_key: toKey, channel, category, test } = acceptance.accepted;
  const toContact = isToContact({ channel });
  const found = toContact ? (known ?? (await context.ports.messages.findRecipient(context.log, [toKey], channel))) : null;
  const numbers = keysOfRecipient(acceptance.accepted, toKey, context);
  const keys = [...(found?.addressKeys ?? numbers), ...domainKeys(acceptance.accepted, context)];
  const refused = await firstRefusal(keys, (key) => refusalAtAcceptance(acceptance.accepted, key, context));
  if (refused || category === 'transactional') return { ...acceptance, refused };
  const rules = await loadMarketingRules(context);
  const mayHaveContact = !toContact && !known && numbers.some((key) => context.ports.lookups.contactKeys.mightContain(key));
  const recipient =
    found ?? known ?? (mayHaveContact ? await context.ports.messages.findRecipient(context.log, numbers, channel) : unknownRecipient(numbers));
  const unwanted = refusedByConsent(recipient, channel, rules, 'acceptance');
  if (unwanted) return { ...acceptance, refused: unwanted };
  const due = acceptance.send_at ?? context.now;
  const { passes = [] } = acceptance.accepted;
  const later = passes.includes('quiet_hours') ? null : endOfQuietHoursFor(recipient, rules, due);
  const accepted = inLanguageOf(recipient, acceptance.accepted, rules);
  const timed: Omit<Acceptance, 'refused'> = { ...acceptance, accepted, ...(later !== null && { send_at: later, because: 'quiet_hours' }) };
  const caps = test ? [] : capsOf(rules, accepted.frequency_cap);
  const full = await findFullCap(
    context.log,
    recipient.subjects,
    { message_id, channel, caps, beyond: passes.includes('frequency_cap') },
    later ?? due,
  );
  return { ...timed, refused: full && refusedByCap(full, 'acceptance') };
}

/** The result of the gates at dispatch. Call `settle` with whether the dispatch started: it releases a slot that is not used. */
export interface DispatchGates {
  readonly refused: Refusal | null;
  readonly wait_until: string | null;
  readonly settle: (started: boolean) => Promise<void>;
}

export interface DispatchCandidate {
  readonly id: string;
  readonly toKey: string;
  /** The address itself: what is known of its domain, or of another spelling of the number, holds, too. Null of a message to a contact. */
  readonly to: string | null;
  readonly channel: ChannelName;
  readonly category: string;
  /** Of a test key: passes suppressions and frequency caps, and takes no slot. */
  readonly test?: boolean;
  /** Of its campaign, beside those of the account. */
  readonly frequency_cap?: AcceptedMessage['frequency_cap'];
  /** Gates that its journey makes it pass. */
  readonly passes?: AcceptedMessage['passes'];
}

const nothingToSettle = async (): Promise<void> => {};

/** How long a batch waits until the lookups in memory have reached the head of the log, in milliseconds. */
const MAX_LAG_MS = 100;

/** Which addresses the log must be asked about. */
interface ReadIndex {
  readonly suppressions: { mightContain(addressKey: string): boolean };
  readonly contacts: { mightContain(key: string): boolean };
}
const everything = { mightContain: () => true };

/**
 * The gates of many messages, in their order. The latest events count: the lookups in memory are awaited until they have what the
 * log has now, and the log is asked only about the addresses that they name; about all where they are too far behind.
 */
export async function checkAllDispatchGates(candidates: readonly DispatchCandidate[], context: Context): Promise<readonly DispatchGates[]> {
  if (candidates.length === 0) return [];
  const head = await context.log.store.head();
  const upToDate = async (lookup: StreamLookup) => ((await lookup.waitUntilReached?.(head, MAX_LAG_MS)) ? lookup : everything);
  const isMarketing = candidates.some(({ category }) => category !== 'transactional');
  const [suppressions, contacts] = await Promise.all([
    upToDate(context.ports.lookups.suppressions),
    isMarketing ? upToDate(context.ports.lookups.contactKeys) : everything,
  ]);
  return Promise.all(candidates.map((candidate) => checkDispatchGates(candidate, context, { suppressions, contacts })));
}

/** Reads the log itself where the index does not exclude an address, so the latest events count. Takes a frequency slot if caps apply. */
export async function checkDispatchGates(
  { id, toKey, to, channel, category, test = false, frequency_cap, passes = [] }: DispatchCandidate,
  context: Context,
  index: ReadIndex = { suppressions: everything, contacts: everything },
): Promise<DispatchGates> {
  const toContact = isToContact({ channel });
  const found = toContact && !(test && category === 'transactional') ? await loadRecipient(context.log, [toKey], channel) : null;
  const numbers: AddressKeyList = to === null ? [toKey] : keysOfRecipient({ channel, to }, toKey, context);
  const asked = test ? [] : [...(found?.addressKeys ?? numbers), ...(to === null ? [] : domainKeys({ channel, to }, context))];
  const keys = asked.filter((key) => index.suppressions.mightContain(key));
  const about = { channel, category, at: 'hand_over', messageId: id } as const;
  const refused = await firstRefusal(keys, (key) => refusalBySuppression({ toKey: key, ...about }, context));
  if (refused || category === 'transactional') return { refused, wait_until: null, settle: nothingToSettle };
  const rules = await loadMarketingRules(context);
  const mayHaveContact = numbers.some((key) => index.contacts.mightContain(key));
  const recipient = found ?? (mayHaveContact ? await loadRecipient(context.log, numbers, channel) : unknownRecipient(numbers));
  const unwanted = refusedByConsent(recipient, channel, rules, 'hand_over');
  if (unwanted) return { refused: unwanted, wait_until: null, settle: nothingToSettle };
  const caps = test ? [] : capsOf(rules, frequency_cap);
  const capped: CappedMessage = { message_id: id, channel, caps, beyond: passes.includes('frequency_cap') };
  const releaseUnlessStarted = async (started: boolean) => (started ? undefined : releaseSlot(context, recipient.subjects, capped));
  // A message that was tried before quiet hours started holds a slot from that try; it takes another one after them.
  const wait_until = passes.includes('quiet_hours') ? null : endOfQuietHoursFor(recipient, rules, context.now);
  if (wait_until !== null) return { refused: null, wait_until, settle: releaseUnlessStarted };
  const slot = await takeSlot(context, recipient.subjects, capped);
  if (typeof slot === 'object') return { refused: refusedByCap(slot, 'hand_over'), wait_until: null, settle: nothingToSettle };
  return { refused: null, wait_until: null, settle: slot === 'taken' ? releaseUnlessStarted : nothingToSettle };
}

/** The caps of the account, and the one of a campaign: it counts messages on all channels. */
const capsOf = (rules: MarketingRules, own: AcceptedMessage['frequency_cap']) => [
  ...frequencyCapsOf(rules),
  ...(own ? frequencyCapsOf({ frequency_caps: [{ channel: 'any', ...own }] }) : []),
];

const loadMarketingRules = async ({ ports, cause }: Context): Promise<MarketingRules> =>
  (await ports.messages.marketingRules(cause.account)) ?? defaultSettings('', 'UTC');

/** The first refusal of several addresses: a message to a contact is refused where one of its addresses is. */
export async function firstRefusal(keys: readonly string[], refusalOf: (key: string) => Promise<Refusal | null>): Promise<Refusal | null> {
  for (const key of keys) {
    const refused = await refusalOf(key);
    if (refused) return refused;
  }
  return null;
}

/** The key of the entry that suppresses the whole domain of an email address; none of another address. */
export function domainKeys(
  { channel, to }: Pick<AcceptedMessage, 'channel' | 'to'>,
  { addresses, cause }: Pick<Context, 'addresses' | 'cause'>,
): string[] {
  const entry = channel === 'email' ? domainEntryOf(to) : null;
  return entry === null ? [] : [addresses.key(cause.account, entry)];
}

/** The keys under which a recipient may be known: a number in each of its spellings. `toKey` is the key of the address as it is given. */
export const keysOfRecipient = (
  { channel, to }: Pick<AcceptedMessage, 'channel' | 'to'>,
  toKey: string,
  { addresses, cause }: Pick<Context, 'addresses' | 'cause'>,
): AddressKeyList => (channels[channel].address === 'phone' ? [toKey, ...otherSpellingKeys(addresses, cause.account, to)] : [toKey]);

interface SuppressionCheck {
  readonly toKey: string;
  readonly channel: string;
  readonly category: string;
  readonly at: At;
  /** Set at dispatch: the answer to a keyword goes out although the keyword suppressed the address. */
  readonly messageId?: string;
}

/**
 * Why the do-not-contact list refuses messages to an address on a channel, or null. At dispatch it is always read from the log. At
 * acceptance only for addresses that the lookup in memory might contain, so the latest events may be missing.
 */
export async function refusalBySuppression(
  { toKey, channel, category, at, messageId }: SuppressionCheck,
  { log, ports }: Pick<Context, 'log' | 'ports'>,
): Promise<Refusal | null> {
  if (at === 'acceptance' && !ports.lookups.suppressions.mightContain(toKey)) return null;
  const refusing = refusingCause(await loadSuppression(log, toKey), channel, category, messageId);
  if (!refusing) return null;
  const { suppression_id, channel: on, reason, scope, occurred_at, recorded_at } = refusing.cause;
  const refused_by = { kind: 'suppression', suppression_id, channel: on, reason, scope, occurred_at, recorded_at } as const;
  return refusedAt(at, 'suppression', refusing.status, refused_by);
}

/** The answer of the do-not-contact list for an acceptance, or for one of its copies. Messages of test keys pass it. */
export const refusalAtAcceptance = async (
  { channel, category, test }: AcceptedMessage,
  toKey: string,
  context: Pick<Context, 'log' | 'ports'>,
): Promise<Refusal | null> => (test ? null : refusalBySuppression({ toKey, channel, category, at: 'acceptance' }, context));

/** The footer of marketing email is in the recipient's language, or else the account's. It is recorded, so that each dispatch has the same. */
function inLanguageOf({ locale }: Recipient, accepted: AcceptedMessage, { branding }: MarketingRules): AcceptedMessage {
  return accepted.channel === 'email' ? { ...accepted, language: languageOf(locale) ?? branding.locale } : accepted;
}

type At = GateDecision['at'];

/** What `marketingBasis` says of the entry and of how the contact came to be. A contact that is several is written to where one of them may be. */
function refusedByConsent(
  { consents, members, bases }: Recipient,
  channel: ChannelName,
  { marketing_consent }: MarketingRules,
  at: At,
): Refusal | null {
  const said = effectiveForGates(consents, channel, MARKETING_PURPOSE);
  const rule = marketing_consent[channel];
  const decide = (basis: ContactBasis): BasisDecision => marketingBasis(said?.value, basis, rule);
  const decided =
    bases.length > 0 ? bases.map((member) => ({ member, decision: decide(member.basis) })) : [{ member: null, decision: decide(ACCOUNT_BASIS) }];
  if (decided.some(({ decision }) => decision.allowed)) return null;
  const [first] = decided;
  if (first?.member && !first.decision.allowed && first.decision.because !== 'entry') {
    const { because, request } = first.decision;
    const { contact_id, created_at } = first.member;
    const entry = { event_id: null, contact_id, channel: null, occurred_at: created_at, recorded_at: created_at };
    const cause = { because, kind: request?.kind ?? null, id: request?.id ?? null };
    return refusedAt(at, 'consent', 'no_consent', { kind: 'consent', rule, status: because === 'unconfirmed' ? 'pending' : 'none', ...entry, cause });
  }
  const entry: Omit<RefusedByKind<'consent'>, 'kind' | 'rule'> = said
    ? {
        status: said.value.status,
        event_id: said.value.event && hashId('evt', said.value.event),
        contact_id: said.value.contact_id,
        channel: said.value.said_on,
        occurred_at: said.at,
        recorded_at: said.value.recorded_at,
        ...(said.value.list_request && { cause: { because: 'unconfirmed' as const, kind: 'list' as const, id: null } }),
      }
    : { status: 'none', event_id: null, contact_id: members[0] ?? null, channel: null, occurred_at: null, recorded_at: null };
  return refusedAt(at, 'consent', 'no_consent', { kind: 'consent', rule, ...entry });
}

function refusedByCap(full: FullCap, at: At): Refusal {
  const { cap, times } = full;
  const { channel, max, per } = cap;
  const [first_at = '', last_at = first_at] = [times[0], times.at(-1)];
  const window = { counted: times.length, first_at, last_at, free_at: roomAgainAt(full) };
  return refusedAt(at, 'frequency_cap', 'frequency_cap', { kind: 'frequency_cap', channel, max, per, ...window });
}

/** End of the quiet hours that a time falls into, in the recipient's time zone or else the account's; null if it falls into none. */
function endOfQuietHoursFor({ timezone }: Recipient, { quiet_hours, timezone: accountTimezone }: MarketingRules, at: string): string | null {
  if (!quiet_hours.enabled) return null;
  const offsets = (timezone === null ? null : utcOffsetsOf(timezone)) ?? utcOffsetsOf(accountTimezone);
  const ms = Date.parse(at);
  const next = offsets ? endOfQuietHours(quiet_hours, ms, offsets) : ms;
  return next > ms ? new Date(next).toISOString() : null;
}
