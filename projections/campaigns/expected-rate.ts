import { ASSUMED_RATES } from '../../domain/campaigns/test-plan.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { dailyCounters } from '../messages/counter-queries.js';

const DAY_MS = 86_400_000;
const DAYS = 90;
/** Messages without which a rate says little. */
const ENOUGH = 1_000;

interface RateQuery {
  readonly account: string;
  readonly channel: string;
  readonly metric: keyof typeof ASSUMED_RATES;
  /** Milliseconds. */
  readonly now: number;
}

/** The rate of opens or clicks of campaigns of a channel in the last 90 days, or else an assumed one. */
export async function expectedRate(views: ReadModels, { account, channel, metric, now }: RateQuery): Promise<number> {
  const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  let [sent, found] = [0, 0];
  for await (const day of dailyCounters(views, account, dayOf(now - DAYS * DAY_MS), dayOf(now))) {
    if (day.channel !== channel || day.campaign_id === null) continue;
    sent += day.counts.sent;
    found += metric === 'open_rate' ? day.counts.opened : day.counts.clicked;
  }
  // Clicks of earlier messages may count, too.
  const rate = found / Math.max(1, sent);
  return sent >= ENOUGH && rate > 0 && rate < 1 ? rate : ASSUMED_RATES[metric];
}
