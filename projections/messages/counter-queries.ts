import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { type Status, statusNames } from '../../domain/messages/status.js';
import {
  addCounters,
  addLinkCounters,
  CAMPAIGN_COUNTERS,
  type CampaignCountersDoc,
  type Counters,
  DAILY_COUNTERS,
  type DailyCountersDoc,
  LINK_COUNTERS,
  type LinkCounters,
  type LinkCountersDoc,
  noCounters,
  noLinkCounters,
} from './counters.js';
import { messages } from './projection.js';
import { STATUS_COUNTERS, type StatusCountersDoc, type StatusCounts } from './status-counters.js';

export interface CampaignCounters {
  readonly counts: Counters;
  readonly variants: Readonly<Record<string, Counters>>;
}

/** Partitions are far fewer. */
const MAX_PARTS = 1_000;
/** Of 500 links at most, with those of the variants. */
const MAX_LINK_PARTS = 100_000;
const PAGE = 1_000;

/** The counters of a campaign: the sum over the partitions of the messages. */
export async function campaignCounters(views: ReadModels, campaignId: string): Promise<CampaignCounters> {
  const parts = await views.docs<CampaignCountersDoc>(messages, CAMPAIGN_COUNTERS).find({ where: { campaign_id: campaignId }, limit: MAX_PARTS });
  let counts = noCounters;
  const variants: Record<string, Counters> = {};
  for (const part of parts) {
    counts = addCounters(counts, part.counts);
    for (const [key, one] of Object.entries(part.variants)) setOwnField(variants, key, addCounters(ownField(variants, key) ?? noCounters, one));
  }
  return { counts, variants };
}

export interface LinkOfCampaign {
  /** As the content of the campaign names it; null for addresses that it does not name. */
  readonly link: string | null;
  readonly counts: LinkCounters;
  readonly variants: Readonly<Record<string, LinkCounters>>;
}

/** The links of a campaign that were followed, those with the most clickers first: the sums over the partitions of the messages. */
export async function linkCounters(views: ReadModels, campaignId: string): Promise<readonly LinkOfCampaign[]> {
  const links = new Map<string | null, { counts: LinkCounters; variants: Record<string, LinkCounters> }>();
  const docs = views.docs<LinkCountersDoc>(messages, LINK_COUNTERS);
  for (const part of await docs.find({ where: { campaign_id: campaignId }, limit: MAX_LINK_PARTS })) {
    const sum = links.get(part.link) ?? { counts: noLinkCounters, variants: {} };
    links.set(part.link, sum);
    sum.counts = addLinkCounters(sum.counts, part.counts);
    for (const [key, one] of Object.entries(part.variants))
      setOwnField(sum.variants, key, addLinkCounters(ownField(sum.variants, key) ?? noLinkCounters, one));
  }
  const found = [...links].map(([link, sums]) => ({ link, ...sums }));
  return found.sort(
    (a, b) => b.counts.clickers - a.counts.clickers || b.counts.clicks - a.counts.clicks || ((a.link ?? '') < (b.link ?? '') ? -1 : 1),
  );
}

/** The counters of the days (UTC) of an account, `from` and `to` included, a page at a time. */
export async function* dailyCounters(views: ReadModels, account: string, from: string, to: string): AsyncGenerator<DailyCountersDoc> {
  const docs = views.docs<DailyCountersDoc>(messages, DAILY_COUNTERS);
  for (let day = from; day <= to; day = nextDay(day)) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const query = { where: { account_id: account, day }, range: { field: 'id', gt: after }, order: { field: 'id' } } as const;
      const found: DailyCountersDoc[] = await docs.find({ ...query, limit: PAGE });
      yield* found;
      after = found.length < PAGE ? undefined : found.at(-1)?.id;
    }
  }
}

const DAY_MS = 86_400_000;
const nextDay = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);

const HOUR_MS = 3_600_000;
/** Days of the longest range, each with its partitions. */
const MAX_STATUS_PARTS = 100_000;

/**
 * The messages of an account by status that were accepted in whole hours (UTC): `from` included, `to` not, in milliseconds since 1970.
 */
export async function statusCounts(views: ReadModels, account: string, from: number, to: number): Promise<StatusCounts> {
  const [first, last] = [from, to - 1].map((ms) => new Date(ms).toISOString().slice(0, 10));
  const docs = views.docs<StatusCountersDoc>(messages, STATUS_COUNTERS);
  const range = { field: 'day', gte: first, lte: last } as const;
  const sums: Partial<Record<Status, number>> = {};
  for (const { day, hours } of await docs.find({ where: { account_id: account }, range, order: { field: 'day' }, limit: MAX_STATUS_PARTS })) {
    for (const [hour, counts] of Object.entries(hours)) {
      const ms = Date.parse(`${day}T${hour}:00:00Z`);
      if (ms < from || ms + HOUR_MS > to) continue;
      for (const status of statusNames) if (counts[status] !== undefined) sums[status] = (sums[status] ?? 0) + counts[status];
    }
  }
  return sums;
}
