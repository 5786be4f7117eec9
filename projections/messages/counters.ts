/**
 * Counters of messages, of each campaign and of each day of an account, and of the links of each campaign: sums over the documents of the
 * messages, never a scan.
 */

import { createHash } from 'node:crypto';
import type { SealedEventOf } from '../../domain/kernel/event.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { Doc, DocumentRef, Partition } from '../../domain/kernel/ports.js';
import type { MessageClicked } from '../../domain/messages/receipt.js';
import type { View } from '../runtime/projection.js';
import type { MessageDoc } from './message-doc.js';

export const CAMPAIGN_COUNTERS = 'campaign_counters';
export const DAILY_COUNTERS = 'daily_counters';

/** `queued` are those that have not left queued and sending, scheduled ones among them. */
export const counterNames = [
  'messages',
  'queued',
  'sent',
  'delivered',
  'opened',
  'opened_by_machine',
  'clicked',
  'replied',
  'bounced',
  'failed',
  'suppressed',
  'canceled',
  'unsubscribed',
  'complained',
] as const;
export type CounterName = (typeof counterNames)[number];
export type Counters = Readonly<Record<CounterName, number>>;

export const noCounters = Object.fromEntries(counterNames.map((name) => [name, 0])) as Counters;

/** A part of the counters of a campaign: those of one partition of the messages. */
export interface CampaignCountersDoc extends Doc {
  readonly campaign_id: string;
  readonly counts: Counters;
  readonly variants: Readonly<Record<string, Counters>>;
}

/** What happened on one day (UTC), on one channel and in one campaign or none. Messages of test keys are left out. */
export interface DailyCountersDoc extends Doc {
  readonly account_id: string;
  readonly day: string;
  readonly channel: string;
  readonly campaign_id: string | null;
  readonly counts: Counters;
}

type CountedFields = Pick<MessageDoc, 'status' | 'sent_at' | 'engagement' | 'machine_opened' | 'replied' | 'unsubscribed' | 'complained'>;

const OPEN = new Set(['scheduled', 'queued', 'sending']);
const DISPATCHED = new Set(['sent', 'delivered', 'undelivered', 'bounced']);
const FAILED = new Set(['failed', 'undelivered', 'expired']);

/** What a message counts for. */
export function countedFor({
  status,
  sent_at,
  engagement,
  machine_opened,
  replied,
  unsubscribed,
  complained,
}: CountedFields): Record<CounterName, boolean> {
  return {
    messages: true,
    queued: OPEN.has(status),
    sent: sent_at !== null || DISPATCHED.has(status),
    delivered: status === 'delivered',
    opened: engagement.opens > 0,
    opened_by_machine: machine_opened === true,
    clicked: engagement.clicks > 0,
    replied: replied === true,
    bounced: status === 'bounced',
    failed: FAILED.has(status),
    suppressed: status === 'suppressed',
    canceled: status === 'canceled',
    unsubscribed: unsubscribed === true,
    complained: complained === true,
  };
}

type Delta = Partial<Record<CounterName, 1 | -1>>;

function deltaOf(before: CountedFields | undefined, after: CountedFields): Delta {
  const was = before && countedFor(before);
  const is = countedFor(after);
  const delta: Delta = {};
  for (const name of counterNames) if (is[name] !== (was?.[name] ?? false)) delta[name] = is[name] ? 1 : -1;
  return delta;
}

export function addCounters(counts: Counters, delta: Partial<Record<CounterName, number>>): Counters {
  const sum: Record<CounterName, number> = { ...counts };
  for (const name of counterNames) sum[name] += delta[name] ?? 0;
  return sum;
}

const suffix = ({ index, count }: Partition): string => (count === 1 ? '' : `/${index}`);
const campaignCountersId = (campaignId: string, partition: Partition): string => `${campaignId}${suffix(partition)}`;
const dailyCountersId = ({ account_id, channel, campaign_id }: CountedWhere, day: string, partition: Partition): string =>
  `${account_id}/${day}/${channel}/${campaign_id ?? ''}${suffix(partition)}`;

/** Where a message is counted. */
export type CountedWhere = Pick<MessageDoc, 'account_id' | 'channel' | 'campaign_id' | 'test'>;

/** The documents that count a message, for what happens on a day. */
export const counterRefs = (of: CountedWhere, day: string, partition: Partition): DocumentRef[] => [
  ...(of.test ? [] : [{ collection: DAILY_COUNTERS, id: dailyCountersId(of, day, partition) }]),
  ...(of.campaign_id === null ? [] : [{ collection: CAMPAIGN_COUNTERS, id: campaignCountersId(of.campaign_id, partition) }]),
];

/** Counts what has changed. */
export function countMessage(view: View, before: MessageDoc | undefined, after: MessageDoc, day: string): void {
  const delta = deltaOf(before, after);
  if (Object.keys(delta).length === 0) return;
  if (!after.test) countDay(view, delta, after, day);
  if (after.campaign_id !== null) countCampaign(view, delta, after.campaign_id, after.variant);
}

/** What happened stays counted for its day, whatever corrects it later. */
function countDay(view: View, delta: Delta, { account_id, channel, campaign_id }: MessageDoc, day: string): void {
  const happened = Object.fromEntries(Object.entries(delta).filter(([name, change]) => change === 1 && name !== 'queued'));
  if (Object.keys(happened).length === 0) return;
  const id = dailyCountersId({ account_id, channel, campaign_id }, day, view.partition);
  const known = view.get<DailyCountersDoc>(DAILY_COUNTERS, id);
  const counts = addCounters(known?.counts ?? noCounters, happened);
  view.put(DAILY_COUNTERS, { id, account_id, day, channel, campaign_id, counts } satisfies DailyCountersDoc);
}

function countCampaign(view: View, delta: Delta, campaign_id: string, variant: string | undefined): void {
  const id = campaignCountersId(campaign_id, view.partition);
  const known = view.get<CampaignCountersDoc>(CAMPAIGN_COUNTERS, id);
  const variants = known?.variants ?? {};
  const ofVariant = variant === undefined ? {} : { [variant]: addCounters(ownField(variants, variant) ?? noCounters, delta) };
  const counts = addCounters(known?.counts ?? noCounters, delta);
  view.put(CAMPAIGN_COUNTERS, { id, campaign_id, counts, variants: { ...variants, ...ofVariant } } satisfies CampaignCountersDoc);
}

// The links of each campaign: how often they were followed, and by how many.

export const LINK_COUNTERS = 'link_counters';

const linkCounterNames = ['clicks', 'clickers', 'clicks_by_machine', 'clickers_by_machine'] as const;
export type LinkCounters = Readonly<Record<(typeof linkCounterNames)[number], number>>;
export const noLinkCounters: LinkCounters = { clicks: 0, clickers: 0, clicks_by_machine: 0, clickers_by_machine: 0 };

/** The clicks on a link of a campaign, by one partition of the messages. `link`: as the content names it; null for those it does not name. */
export interface LinkCountersDoc extends Doc {
  readonly campaign_id: string;
  readonly link: string | null;
  readonly counts: LinkCounters;
  readonly variants: Readonly<Record<string, LinkCounters>>;
}

type Click = SealedEventOf<typeof MessageClicked>['data'];

/** The code of a click that a program made. */
const MACHINE_CLICK = 'machine_click';
export const isMachineClick = ({ code }: Pick<Click, 'code'>): boolean => code === MACHINE_CLICK;

/** Links of one message that are counted apart; a campaign has no more. */
const MAX_LINKS = 500;
const KEY_LENGTH = 16;
const keyOf = (link: string | null): string => (link === null ? 'other' : createHash('sha256').update(link).digest('hex').slice(0, KEY_LENGTH));

const idOf = (campaignId: string, link: string | null, { index, count }: Partition): string =>
  `${campaignId}/${keyOf(link)}${count === 1 ? '' : `/${index}`}`;

export const linkCountersRef = (campaignId: string, { link }: Pick<Click, 'link'>, partition: Partition): DocumentRef => ({
  collection: LINK_COUNTERS,
  id: idOf(campaignId, link ?? null, partition),
});

/** Of a message: the links that its reader, or a program, has followed. */
type FollowedLinks = Pick<MessageDoc, 'links' | 'machine_links'>;

/** The links of a message after a click. */
export function afterClick({ links = [], machine_links = [] }: FollowedLinks, click: Click): FollowedLinks {
  const key = keyOf(click.link ?? null);
  const added = (keys: readonly string[]): readonly string[] => (keys.includes(key) || keys.length >= MAX_LINKS ? keys : [...keys, key]);
  return isMachineClick(click) ? { machine_links: added(machine_links) } : { links: added(links) };
}

/** Counts a click on a message of a campaign. `before`: the message without it. */
export function countClick(view: View, before: MessageDoc, click: Click): void {
  const { campaign_id, variant } = before;
  if (campaign_id === null) return;
  const link = click.link ?? null;
  const machine = isMachineClick(click);
  const isFirst = !((machine ? before.machine_links : before.links) ?? []).includes(keyOf(link));
  const one: LinkCounters = machine
    ? { ...noLinkCounters, clicks_by_machine: 1, clickers_by_machine: isFirst ? 1 : 0 }
    : { ...noLinkCounters, clicks: 1, clickers: isFirst ? 1 : 0 };
  const id = idOf(campaign_id, link, view.partition);
  const known = view.get<LinkCountersDoc>(LINK_COUNTERS, id);
  const variants = known?.variants ?? {};
  const ofVariant = variant === undefined ? {} : { [variant]: addLinkCounters(ownField(variants, variant) ?? noLinkCounters, one) };
  const counts = addLinkCounters(known?.counts ?? noLinkCounters, one);
  view.put(LINK_COUNTERS, { id, campaign_id, link, counts, variants: { ...variants, ...ofVariant } } satisfies LinkCountersDoc);
}

export const addLinkCounters = (a: LinkCounters, b: LinkCounters): LinkCounters => ({
  clicks: a.clicks + b.clicks,
  clickers: a.clickers + b.clickers,
  clicks_by_machine: a.clicks_by_machine + b.clicks_by_machine,
  clickers_by_machine: a.clickers_by_machine + b.clickers_by_machine,
});
