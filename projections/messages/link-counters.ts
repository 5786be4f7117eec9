/** Counters of the links of each campaign: how often they were followed, and by how many. */
import { createHash } from 'node:crypto';
import type { SealedEventOf } from '../../domain/kernel/event.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { Doc, DocumentRef, Partition } from '../../domain/kernel/ports.js';
import type { MessageClicked } from '../../domain/messages/receipt.js';
import type { View } from '../runtime/projection.js';
import type { MessageDoc } from './message-doc.js';

export const LINK_COUNTERS = 'link_counters';

export const linkCounterNames = ['clicks', 'clickers', 'clicks_by_machine', 'clickers_by_machine'] as const;
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
export type FollowedLinks = Pick<MessageDoc, 'links' | 'machine_links'>;

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
