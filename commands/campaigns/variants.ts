import { createHash } from 'node:crypto';
import type { Pass } from '../../domain/campaigns/campaign.js';
import type { CampaignDefinition } from '../../domain/campaigns/definition.js';

/** Assignments count in ten thousandths. */
const BUCKETS = 10_000;

/** A number from 0 to 9,999 that a contact always has in a campaign, for one purpose. */
export function variantBucketOf(salt: string, contactId: string): number {
  const digest = createHash('sha256').update(`${salt}/${contactId}`).digest();
  return digest.readUIntBE(0, 6) % BUCKETS;
}

/** The variant of a contact by the weights of the variants; null where there is none. */
export function variantOf({ variants }: Pick<CampaignDefinition, 'variants'>, campaignId: string, contactId: string): string | null {
  const sum = variants.reduce((total, { weight }) => total + weight, 0);
  const at = (variantBucketOf(`${campaignId}/variant`, contactId) / BUCKETS) * sum;
  let reached = 0;
  for (const { key, weight } of variants) {
    reached += weight;
    if (at < reached) return key;
  }
  return null;
}

/** Whether a contact is in the sample of a test. */
export const isInSample = ({ ab_test }: Pick<CampaignDefinition, 'ab_test'>, campaignId: string, contactId: string): boolean =>
  ab_test !== null && variantBucketOf(`${campaignId}/sample`, contactId) < ab_test.sample_percent * (BUCKETS / 100);

/** Whether a pass messages a contact. */
export const isOfPass = (definition: CampaignDefinition, pass: Pass, campaignId: string, contactId: string): boolean =>
  pass === 'all' || isInSample(definition, campaignId, contactId) === (pass === 'sample');
