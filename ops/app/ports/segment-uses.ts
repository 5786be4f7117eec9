/** What uses segments, lists and custom fields. */
import type { RuleUses, SegmentUses } from '../../../commands/segments/ports.js';
import { DomainError } from '../../../domain/kernel/errors.js';
import type { ReadModels } from '../../../domain/kernel/ports.js';
import { campaigns } from '../../../projections/campaigns/projection.js';
import { campaignQueries } from '../../../projections/campaigns/queries.js';
import { journeyQueries } from '../../../projections/journeys/journey-queries.js';
import { journeys } from '../../../projections/journeys/journeys.js';

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

/** Finds the journeys that name a list or custom field. */
export const journeysNaming =
  (views: ReadModels, caughtUp: (projection: string) => Promise<boolean>): RuleUses =>
  async (account, name) => {
    if (!(await caughtUp(journeys.name))) throw new DomainError('unavailable', 'The journeys are being brought up to date. Try again.');
    return (await journeyQueries({ views }).using(account, name)).map((id) => ({ resource: 'journey' as const, id }));
  };
