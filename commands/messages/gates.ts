/**
 * The gates that a message passes twice, when it is accepted and right before it is handed over: the do-not-contact list,
 * and for marketing the recipient's consent, quiet hours and how often the recipient was written to, in this order.
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

/** What the gates at acceptance make of a message. Places are only looked for: they are taken at hand-over. */
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

/** What the gates at hand-over say. `settle` is to be called with whether the hand-over began. */
export interface HandOverGates {
  readonly refused: StatusReason | null;
  readonly wait_until: string | null;
  readonly settle: (began: boolean) => Promise<void>;
}

export interface HandOverCandidate {
  readonly id: string;
  readonly toKey: string;
  readonly channel: ChannelName;
  readonly category: string;
}

const nothingToSettle = async (): Promise<void> => {};

/** Asks the log itself, so what was said a moment ago counts. Takes a place where frequency is capped. */
export async function checkHandOverGates({ id, toKey, channel, category }: HandOverCandidate, context: Context): Promise<HandOverGates> {
  const refused = await context.use(suppressionGate).refusal({ toKey, channel, category, at: 'hand_over', messageId: id });
  if (refused || category === 'transactional') return { refused, wait_until: null, settle: nothingToSettle };
  const rules = await loadMarketingRules(context);
  const recipient = await loadRecipient(context.log, toKey, channel);
  if (!hasConsent(recipient, channel, rules)) return { refused: 'no_consent', wait_until: null, settle: nothingToSettle };
  const capped: CappedMessage = { message_id: id, channel, caps: frequencyCapsOf(rules) };
  const unlessBegun = async (began: boolean) => (began ? undefined : releaseSlot(context, recipient.subjects, capped));
  // One that was tried before quiet hours began has a place by the time of that try, and takes another after them.
  const wait_until = endOfQuietHoursFor(recipient, rules, context.now);
  if (wait_until !== null) return { refused: null, wait_until, settle: unlessBegun };
  const place = await takeSlot(context, recipient.subjects, capped);
  if (place === 'none') return { refused: 'frequency_cap', wait_until: null, settle: nothingToSettle };
  return { refused: null, wait_until: null, settle: place === 'taken' ? unlessBegun : nothingToSettle };
}

const loadMarketingRules = async ({ use, cause }: Context): Promise<MarketingRules> =>
  (await use(marketingRules)(cause.account)) ?? defaultSettings('', 'UTC');

/** A withdrawal and a question that is not answered refuse; of silence the account decides. */
function hasConsent({ consents }: Recipient, channel: ChannelName, { marketing_consent }: MarketingRules): boolean {
  const said = consentOf(consents, channel, MARKETING_PURPOSE);
  const rule: ConsentRule = marketing_consent[channel];
  return said === 'granted' || (said === 'none' && rule === 'opt_out');
}

/** When the quiet hours end in which a moment lies, by the recipient's clock or else the account's; null where it lies in none. */
function endOfQuietHoursFor({ timezone }: Recipient, { quiet_hours, timezone: ours }: MarketingRules, at: string): string | null {
  if (!quiet_hours.enabled) return null;
  const offsets = (timezone === null ? null : utcOffsetsOf(timezone)) ?? utcOffsetsOf(ours);
  const ms = Date.parse(at);
  const next = offsets ? endOfQuietHours(quiet_hours, ms, offsets) : ms;
  return next > ms ? new Date(next).toISOString() : null;
}
