/** How contacts of an audience become messages. */

import type { KnownCampaign } from '../../domain/campaigns/campaign.js';
import { type SendTime, sendTimeOf } from '../../domain/campaigns/send-time.js';
import { CUSTOM_FIELD_PREFIX } from '../../domain/contacts/facts.js';
import { channels } from '../../domain/kernel/channels.js';
import type { UtcOffsetAt } from '../../domain/kernel/clocks.js';
import { ERASED } from '../../domain/kernel/erased.js';
import { setOwnField } from '../../domain/kernel/own-fields.js';
import type { Position } from '../../domain/kernel/ports.js';
import type { BatchItem } from '../../domain/messages/batch.js';
import type { Content } from '../../domain/messages/content.js';
import type { QuietHours } from '../../domain/messages/quiet-hours.js';
import { utcOffsetsOf } from '../../formats/messages/utc-offsets.js';
import type { AudienceContact } from '../../log/aggregates/campaigns/campaign-reads.js';
import { sampleBucketOf } from '../../log/aggregates/segments/buckets.js';
import { hashId } from '../../log/runtime/ids.js';
import { isMailable } from '../messages/email-fields.js';
import { checkAcceptanceGates, keysOfRecipient } from '../messages/gates.js';
import { completeRequest, parseMessageRequest, recipientKey } from '../messages/parse-request.js';
import { knownRecipient } from '../messages/recipient.js';
import type { MadeRequest } from '../messages/request.js';
import { withAccountSender } from '../messages/route-problems.js';
import { itemOf } from '../messages/send-bulk.js';
import { separateContent } from '../messages/store-content.js';
import type { Context } from '../runtime/command.js';
import type { HoursToSend } from '../scores/ports.js';
import type { AccountValues, ContentSources } from '../templates/ports.js';
import { contentSources } from './content-sources.js';
import { variantOf } from './variants.js';

/** The id of the message of a contact that was frozen into the audience: the same for every worker and every try. */
export const campaignMessageId = (campaignId: string, contactId: string): string => hashId('msg', campaignId, contactId);

/** What all messages of a step have in common. */
export interface MakingOf {
  readonly campaign: KnownCampaign;
  readonly account: string;
  /** What templates read of the account. */
  readonly accountValues: AccountValues;
  readonly zone: UtcOffsetAt;
  /** Of the account; null where it has none. */
  readonly quiet: QuietHours | null;
  /** Where the log was when the campaign was started: its templates and partials are used as they were. */
  readonly startedAt: Position;
  /** The same for all contacts of a zone and of a variant: found once. */
  readonly times: Map<string, SendTime>;
  readonly sources: Map<string | null, ContentSources>;
  /** Of contacts; null for a campaign that is not sent at their best hours. */
  readonly hours: HoursToSend | null;
  /** The header `List-Id`; null for a campaign that is not to one list. */
  readonly list_id: string | null;
}

export type MakeResult =
  | { readonly item: BatchItem; readonly content: Content | null; readonly variant: string | null }
  /** No address of the channel, or nobody any more; too late; or a message that cannot be made. */
  | { readonly skipped: 'no_address' | 'too_late' | 'merged' | 'gone' }
  | { readonly invalid: string };

/** The address of a contact on the channel of a campaign; null where it has none. */
export function campaignAddressOf(
  channel: KnownCampaign['definition']['channel'],
  { id, facts }: Pick<AudienceContact, 'id' | 'facts'>,
): string | null {
  const { address } = channels[channel];
  const value = address === 'contact' ? id : facts.values[address]?.value;
  return typeof value === 'string' && value !== ERASED && value !== '' ? value : null;
}

/** What templates know of a contact. */
export function contactVariables({ id, facts }: Pick<AudienceContact, 'id' | 'facts'>): Record<string, unknown> {
  const custom_fields: Record<string, unknown> = {};
  const values: Record<string, unknown> = { id };
  for (const [name, { value }] of Object.entries(facts.values)) {
    if (value === null || value === ERASED) continue;
    if (name.startsWith(CUSTOM_FIELD_PREFIX)) setOwnField(custom_fields, name.slice(CUSTOM_FIELD_PREFIX.length), value);
    else setOwnField(values, name, value);
  }
  const tags = Object.entries(facts.tags).flatMap(([tag, { value }]) => (value ? [tag] : []));
  return { ...values, custom_fields, tags };
}

/** The variant whose content a contact gets: after a test the one that was chosen. */
export const variantFor = ({ id, definition, pass, test }: KnownCampaign, contactId: string): string | null =>
  pass === 'rest' && test?.decided ? test.decided.variant : variantOf(definition, id, contactId);

/** The content of a variant, with its template and partials as they were when the campaign was started. */
function sourcesOf({ campaign, startedAt, sources }: MakingOf, variant: string | null): ContentSources {
  const known = sources.get(variant);
  if (known) return known;
  const found = contentSources(campaign, startedAt, variant);
  sources.set(variant, found);
  return found;
}

/** Where a message is in its batch. */
export interface PlaceInBatch {
  readonly batch_id: string;
  readonly index: number;
}

/** The message of one contact. `frozenId`: the contact as it is in the audience; it may be merged into `contact` since. */
export async function makeMessage(
  frozenId: string,
  contact: AudienceContact,
  { batch_id, index }: PlaceInBatch,
  making: MakingOf,
  context: Context,
): Promise<MakeResult> {
  const { campaign, account } = making;
  const { definition, test_key } = campaign;
  const to = campaignAddressOf(definition.channel, contact);
  if (to === null || !(await isMailable(to, definition.channel, context))) return { skipped: 'no_address' };
  const when = await sendTime(contact, making, context);
  if (when === 'too_late') return { skipped: 'too_late' };
  const variant = variantFor(campaign, frozenId);
  const id = campaignMessageId(campaign.id, frozenId);
  const to_key = recipientKey(definition.channel, to, context);
  const rendered = await context.ports.templates.render(account, definition.channel, sourcesOf(making, variant), {
    ...variablesOf(contact, making, context),
    ...linksOf(to_key, id, making, context),
  });
  if ('problem' in rendered) return { invalid: rendered.problem };
  const given: MadeRequest = {
    ...rendered.content,
    to,
    channel: definition.channel,
    category: definition.category,
    contact_id: contact.id,
    ...(campaign.webhook_url !== null && { webhook_url: campaign.webhook_url }),
    ...(making.list_id !== null && { headers: { 'List-Id': making.list_id } }),
  };
  const request = await withAccountSender(given, context);
  const about = {
    now: context.now,
    addresses: { key: (of: string, text: string) => (text === to ? to_key : context.addresses.key(of, text)) },
    ports: context.ports,
    cause: { ...context.cause, ...((test_key || contact.test) && { test: true as const }) },
  };
  const read = parseMessageRequest(request, about, contact.id);
  if ('problems' in read) return { invalid: read.problems.map(({ field, message }) => `${field}: ${message}`).join(' ') };
  const complete = await completeRequest(read, context);
  const accepted = {
    ...complete.accepted,
    campaign_id: campaign.id,
    ...(variant !== null && { variant }),
    ...(definition.frequency_cap && { frequency_cap: definition.frequency_cap }),
  };
  const timed = { ...complete, accepted, send_at: when.at, ...(when.at !== null && { because: when.because }) };
  const passed = await checkAcceptanceGates(timed, id, context, knownRecipient(contact, keysOfRecipient(accepted, to_key, context)));
  const separate = separateContent(passed.accepted, `${batch_id}/${index}`, context.cause);
  return { item: itemOf(id, batch_id, index, { ...passed, accepted: separate.accepted }), content: separate.content, variant };
}

async function sendTime(contact: AudienceContact, making: MakingOf, context: Context): Promise<SendTime> {
  const { campaign, zone, times, hours } = making;
  const { schedule } = campaign.definition;
  const own = contact.facts.values.timezone?.value;
  const named = (schedule?.use_contact_timezone || hours) && typeof own === 'string' ? own : '';
  const known = times.get(named);
  if (known) return known;
  const contactZone = named === '' ? null : utcOffsetsOf(named);
  const best = hours && (await bestHourOf(contact, making, { hours, offsetAt: contactZone ?? zone, now: Date.parse(context.now) }));
  const time = sendTimeOf({ schedule, scheduledFor: campaign.start_at, now: context.now, zone, contactZone, best });
  if (!best) times.set(named, time);
  return time;
}

async function bestHourOf({ id, members, addressKeys }: AudienceContact, { campaign, quiet }: MakingOf, { hours, offsetAt, now }: Timing) {
  const isMarketing = campaign.definition.category === 'marketing';
  return { hours: await hours({ members, addressKeys, offsetAt, now }), bucket: sampleBucketOf(id, campaign.id), quiet: isMarketing ? quiet : null };
}

interface Timing {
  readonly hours: HoursToSend;
  readonly offsetAt: UtcOffsetAt;
  readonly now: number;
}

/** The pages of the recipient: the same links that are in the headers of the mail. */
function linksOf(address_key: string, message_id: string, { campaign, account }: MakingOf, { ports }: Context): object | null {
  const { channel } = campaign.definition;
  return channel === 'email' ? ports.templates.recipientPages({ account, address_key, channel, message_id }) : null;
}

const variablesOf = (contact: AudienceContact, { campaign, accountValues }: MakingOf, { now }: Pick<Context, 'now'>) => ({
  contact: contactVariables(contact),
  campaign: { id: campaign.id, name: campaign.definition.name },
  account: accountValues,
  data: campaign.definition.content.data ?? {},
  now,
});
