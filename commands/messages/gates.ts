/**
 * The gates of a message, checked at acceptance and again right before hand-over: the do-not-contact list, and for marketing
 * consent, quiet hours and frequency caps, in this order.
 */

import { type ConsentRule, defaultSettings } from '../../domain/accounts/settings.js';
import { consentOf, MARKETING_PURPOSE } from '../../domain/consent/consent.js';
import type { ChannelName } from '../../domain/kernel/channels.js';
import type { Acceptance } from '../../domain/messages/message.js';
import { endOfQuietHours } from '../../domain/messages/quiet-hours.js';
import type { StatusReason } from '../../domain/messages/status.js';
import type { Context } from '../kernel.js';
import { contactKeyLookup } from '../lookups.js';
import { type MarketingRules, marketingRules, recipientLookup, suppressionGate } from './dependencies.js';
import { type CappedMessage, frequencyCapsOf, hasFreeSlot, releaseSlot, takeSlot } from './frequency-caps.js';
import { loadRecipient, type Recipient, unknownRecipient } from './recipient.js';
import { utcOffsetsOf } from './utc-offsets.js';

/** Applies the gates at acceptance. Frequency slots are only checked: they are taken at hand-over. */
export async function checkAcceptanceGates(acceptance: Omit<Acceptance, 'refused'>, message_id: string, context: Context): Promise<Acceptance> {
  const { to_key: toKey, channel, category } = acceptance.accepted;
  const refused = await context.use(suppressionGate).refusal({ toKey, channel, category, at: 'acceptance' });
  if (refused || category === 'transactional') return { ...acceptance, refused };
  const rules = await loadMarketingRules(context);
  const mayHaveContact = context.use(contactKeyLookup).mightContain(toKey);
  const recipient = mayHaveContact ? await context.use(recipientLookup)(context.log, toKey, channel) : unknownRecipient(toKey);
  if (!hasConsent(recipient, channel, rules)) return { ...acceptance, refused: 'no_consent' };
  const due = acceptance.send_at ?? context.now;
  const later = endOfQuietHoursFor(recipient, rules, due);
  const timed: Omit<Acceptance, 'refused'> = later === null ? acceptance : { ...acceptance, send_at: later, because: 'quiet_hours' };
  const free = await hasFreeSlot(context.log, recipient.subjects, { message_id, channel, caps: frequencyCapsOf(rules) }, later ?? due);
  return { ...timed, refused: free ? null : 'frequency_cap' };
}

/** The result of the gates at hand-over. Call `settle` with whether the hand-over started: it releases a slot that is not used. */
export interface HandOverGates {
  readonly refused: StatusReason | null;
  readonly wait_until: string | null;
  readonly settle: (started: boolean) => Promise<void>;
}

export interface HandOverCandidate {
  readonly id: string;
  readonly toKey: string;
  readonly channel: ChannelName;
  readonly category: string;
}

const nothingToSettle = async (): Promise<void> => {};

/** Reads the log itself, so the latest events count. Takes a frequency slot if caps apply. */
export async function checkHandOverGates({ id, toKey, channel, category }: HandOverCandidate, context: Context): Promise<HandOverGates> {
  const refused = await context.use(suppressionGate).refusal({ toKey, channel, category, at: 'hand_over', messageId: id });
  if (refused || category === 'transactional') return { refused, wait_until: null, settle: nothingToSettle };
  const rules = await loadMarketingRules(context);
  const recipient = await loadRecipient(context.log, toKey, channel);
  if (!hasConsent(recipient, channel, rules)) return { refused: 'no_consent', wait_until: null, settle: nothingToSettle };
  const capped: CappedMessage = { message_id: id, channel, caps: frequencyCapsOf(rules) };
  const releaseUnlessStarted = async (started: boolean) => (started ? undefined : releaseSlot(context, recipient.subjects, capped));
  // A message that was tried before quiet hours started holds a slot from that try; it takes another one after them.
  const wait_until = endOfQuietHoursFor(recipient, rules, context.now);
  if (wait_until !== null) return { refused: null, wait_until, settle: releaseUnlessStarted };
  const slot = await takeSlot(context, recipient.subjects, capped);
  if (slot === 'none') return { refused: 'frequency_cap', wait_until: null, settle: nothingToSettle };
  return { refused: null, wait_until: null, settle: slot === 'taken' ? releaseUnlessStarted : nothingToSettle };
}

const loadMarketingRules = async ({ use, cause }: Context): Promise<MarketingRules> =>
  (await use(marketingRules)(cause.account)) ?? defaultSettings('', 'UTC');

/** Withdrawn and pending consents refuse. Without any consent the account's rule decides. */
function hasConsent({ consents }: Recipient, channel: ChannelName, { marketing_consent }: MarketingRules): boolean {
  const consent = consentOf(consents, channel, MARKETING_PURPOSE);
  const rule: ConsentRule = marketing_consent[channel];
  return consent === 'granted' || (consent === 'none' && rule === 'opt_out');
}

/** End of the quiet hours that a time falls into, in the recipient's time zone or else the account's; null if it falls into none. */
function endOfQuietHoursFor({ timezone }: Recipient, { quiet_hours, timezone: accountTimezone }: MarketingRules, at: string): string | null {
  if (!quiet_hours.enabled) return null;
  const offsets = (timezone === null ? null : utcOffsetsOf(timezone)) ?? utcOffsetsOf(accountTimezone);
  const ms = Date.parse(at);
  const next = offsets ? endOfQuietHours(quiet_hours, ms, offsets) : ms;
  return next > ms ? new Date(next).toISOString() : null;
}
