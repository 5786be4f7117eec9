import { KEPT_CHARACTERS } from '../../domain/messages/inbound-email.js';
import { keptReport, keptReportStream } from '../../domain/webhooks/kept-report.js';
import { fingerprint, hashId } from '../../log/ids.js';
import { internalCommand } from '../kernel.js';
import type { Report } from './record-report.js';

/** The account under which reports of nobody are kept: no account has this id. */
export const OPERATOR = 'operator';

/** Keeps a report that no account could claim. The same report again changes nothing. Resolves with its id. */
export const keepReport = internalCommand({
  name: 'KeepReport',

  async handle(report: Report, context): Promise<string> {
    const carrier = report.kind === 'text' ? report.report.carrier : report.kind === 'email' ? report.carrier : report.receipt.carrier;
    const report_id = hashId('evt', 'report', fingerprint(report));
    const kept = { report_id, carrier, kind: report.kind, report: JSON.stringify(shortened(report)), received_at: context.now };
    await context.decide(keptReport, keptReportStream(report_id), { type: 'Keep', kept }, { assumeNew: true });
    return report_id;
  },
});

/** No more of an email than is recorded. */
const shortened = (report: Report): Report => {
  if (report.kind !== 'email') return report;
  const startOf = (value: string): string => value.slice(0, KEPT_CHARACTERS).toWellFormed();
  return { ...report, text: startOf(report.text), html: report.html === null ? null : startOf(report.html) };
};

/** Ends a kept report: the accounts have recorded it, or the operator dropped it. */
export const settleReport = internalCommand({
  name: 'SettleReport',

  async handle({ report_id, accounts }: { readonly report_id: string; readonly accounts: readonly string[] }, context): Promise<void> {
    const settle = { type: 'Settle', report_id, accounts, now: context.now } as const;
    await context.decide(keptReport, keptReportStream(report_id), settle, { sealed: true });
  },
});
