import { keepReport, OPERATOR } from '../../commands/webhooks/keep-report.js';
import { isUnreadable, recordReport } from '../../commands/webhooks/record-report.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import { type Claim, type ClaimableReport, reportClaims } from '../../queries/webhooks/claim-report.js';
import type { InletRequest } from '../kernel/inlet.js';
import type { Services } from '../kernel/services.js';

/**
 * Records a report for those that it belongs to; one of nobody is kept for the operator. Resolves with its owners, or 'unreadable' where
 * its sender is no address. That a message was accepted is of use only while its outcome is unknown: it is never kept.
 */
export function reportRecorder(
  services: Services,
): (report: ClaimableReport, request: Pick<InletRequest, 'execute'>) => Promise<readonly Claim[] | 'unreadable'> {
  const claims = reportClaims(services);
  return async (report, { execute }) => {
    const owners = await claims(report);
    const isStep = report.kind === 'receipt' && report.receipt.kind === 'accepted';
    const keep = async (): Promise<unknown> => (isStep ? undefined : execute(keepReport, report, OPERATOR));
    if (owners.length === 0) await keep();
    try {
      for (const owner of owners) await recordReport(report, owner, execute, services.clock.now());
    } catch (error) {
      if (isUnreadable(error)) return 'unreadable';
      // Its message is accepted, but not recorded by itself yet.
      if (!isDomainError(error) || error.code !== 'not_found') throw error;
      await keep();
    }
    return owners;
  };
}
