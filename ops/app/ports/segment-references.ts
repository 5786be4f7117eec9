import { DomainError } from '../../../domain/kernel/errors.js';
import type { ReadModels } from '../../../domain/kernel/ports.js';
import type { RuleUse, SegmentReferences } from '../../../domain/segments/validate.js';
import { segmentDefinitions } from '../../../projections/segments/definitions.js';
import { segmentQueries } from '../../../projections/segments/queries.js';

/** Loads the references between the segments of an account. Throws `unavailable` if the read model lacks what is in the log now. */
export const segmentReferencesLoader =
  (views: ReadModels, caughtUp: (projection: string) => Promise<boolean>) =>
  async (account: string): Promise<SegmentReferences> => {
    if (!(await caughtUp(segmentDefinitions.name))) throw new DomainError('unavailable', 'The segments are being brought up to date. Try again.');
    return segmentQueries({ views }).references(account);
  };

/** The segments of an account whose rules name a list or custom field, as of all that is in the log now. Throws `unavailable`. */
export const segmentsNaming =
  (views: ReadModels, caughtUp: (projection: string) => Promise<boolean>) =>
  async (account: string, name: string): Promise<RuleUse[]> => {
    if (!(await caughtUp(segmentDefinitions.name))) throw new DomainError('unavailable', 'The segments are being brought up to date. Try again.');
    return (await segmentQueries({ views }).naming(account, name)).map((id) => ({ resource: 'segment', id }));
  };
