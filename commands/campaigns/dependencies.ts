/** What the commands of campaigns need from outside. */
import type { CampaignReads } from '../../log/aggregates/campaigns/campaign-reads.js';
import { dependency } from '../runtime/dependency.js';

export const campaignReads = dependency<CampaignReads>('read models of campaigns');

/** What an audience may name. */
export interface AudienceChecks {
  /** The indexes of the ids that are no segments. */
  unknownSegments(account: string, ids: readonly string[]): Promise<readonly number[]>;
}
/** Until there are segments, none exists. */
export const audienceChecks = dependency<AudienceChecks>('checks of audiences', {
  fallback: { unknownSegments: async (_account, ids) => ids.map((_, i) => i) },
});
