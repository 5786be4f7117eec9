import { abTestResult } from '../../domain/campaigns/ab-test.js';
import type { KnownCampaign } from '../../domain/campaigns/campaign.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { loadCampaign, loadLastPart } from '../../log/aggregates/campaigns/load-campaign.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { type CampaignCounters, campaignCounters } from '../messages/counter-queries.js';
import { type Counters, noCounters } from '../messages/counters.js';
import { messages } from '../messages/projection.js';

const CATCH_UP_MS = 2_000;

/** What a campaign has done so far, from counters. */
export interface CampaignStats extends Counters {
  /** Contacts of the frozen audience. */
  readonly audience: number;
  readonly skipped: number;
  readonly by_variant: Readonly<Record<string, Counters>>;
}

export async function campaignStats(log: EventLog, views: ReadModels, campaign: KnownCampaign): Promise<CampaignStats> {
  const { id, audience, definition } = campaign;
  const [{ last }, { counts, variants }] = await Promise.all([loadLastPart(log, id), campaignCounters(views, id)]);
  // Also those that nobody has got.
  const by_variant = { ...Object.fromEntries(definition.variants.map(({ key }) => [key, noCounters])), ...variants };
  return { audience: audience?.count ?? 0, skipped: last?.skipped ?? 0, ...counts, by_variant };
}

/** The numbers of a test as they are now. */
export function testNumbers({ definition }: Pick<KnownCampaign, 'definition'>, { variants }: Pick<CampaignCounters, 'variants'>) {
  const success = definition.ab_test?.metric === 'open_rate' ? 'opened' : 'clicked';
  return abTestResult(
    definition.variants.map(({ key, weight }) => {
      const counts = ownField(variants, key);
      const n = counts?.sent ?? 0;
      return { key, weight, assigned: counts?.messages ?? 0, n, successes: Math.min(n, counts?.[success] ?? 0) };
    }),
  );
}

/** What the process of campaigns asks the counters. */
export const campaignProgress = ({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) => {
  const caughtUp = async (): Promise<boolean> => {
    const head = await log.store.head();
    return head === 'start' || views.waitUntilReached(messages, head, CATCH_UP_MS);
  };
  return {
    /** Null while a message has not left queued and sending. */
    async finished(account: string, id: string): Promise<Readonly<Record<string, number>> | null> {
      const campaign = await loadCampaign(log, account, id);
      if (!campaign.expanded || !(await caughtUp())) return null;
      const { counts } = await campaignCounters(views, id);
      if (counts.messages !== campaign.expanded.messages || counts.queued > 0) return null;
      return { audience: campaign.audience?.count ?? 0, skipped: campaign.expanded.skipped, ...counts };
    },

    /** The result of a test, decided by the counters of now. */
    async decided(account: string, id: string) {
      const campaign = await loadCampaign(log, account, id);
      if (campaign.status !== 'testing' || !(await caughtUp())) return null;
      const { variant, result } = testNumbers(campaign, await campaignCounters(views, id));
      return { variant, result };
    },
  };
};
