/** What uses segments. */
import type { SegmentUses } from '../commands/segments/dependencies.js';
import type { ReadModels } from '../domain/kernel/ports.js';
import { campaigns } from '../projections/campaigns/projection.js';
import { campaignQueries } from '../projections/campaigns/queries.js';
import { journeyQueries } from '../projections/journeys/journey-queries.js';
import { journeys } from '../projections/journeys/journeys.js';

/** Each finds what uses a segment of an account. */
export const segmentUsers = (views: ReadModels, caughtUp: (projection: string) => Promise<boolean>): SegmentUses[] => [
  async (account, id) => {
    await caughtUp(campaigns.name);
    return (await campaignQueries({ views }).using(account, id)).map((of) => ({ resource: 'campaign' as const, id: of }));
  },
  async (account, id) => {
    await caughtUp(journeys.name);
    return (await journeyQueries({ views }).using(account, id)).map((of) => ({ resource: 'journey' as const, id: of }));
  },
];
