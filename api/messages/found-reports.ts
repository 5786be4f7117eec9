import type { IncomingReport } from '../../domain/webhooks/incoming.js';
import type { ClaimableReport } from '../../projections/webhooks/claim-report.js';

/** Whether somebody must claim it. */
export const isClaimable = (one: IncomingReport): one is ClaimableReport => one.kind === 'receipt' || one.kind === 'text' || one.kind === 'email';

/** Recipients that were left out of reports. */
export const cutOf = (found: readonly IncomingReport[]): number => found.reduce((sum, one) => sum + (one.kind === 'cut' ? one.recipients : 0), 0);

/** Where the tag of a message may be. */
export function tokensOf(report: ClaimableReport): readonly string[] {
  if (report.kind === 'text') return [];
  return [...(report.tokens ?? []), ...(report.kind === 'email' ? [report.token ?? '', ...report.to.slice(0, MAX_RECEIVERS)] : [])];
}
const MAX_RECEIVERS = 20;
