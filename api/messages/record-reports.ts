import { keepMail, keepReport, OPERATOR } from '../../commands/webhooks/keep-report.js';
import { isUnreadableReport, recordReport } from '../../commands/webhooks/record-report.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import { ENVELOPE_PURPOSE, EnvelopeTags } from '../../formats/messages/envelope-tags.js';
import { type Claim, type ClaimableReport, reportClaims, reportsOnRecipients } from '../../projections/webhooks/claim-report.js';
import type { InboundRouteRequest } from '../http/inbound-route.js';
import type { Services } from '../http/services.js';
import { tokensOf } from './found-reports.js';
import { unsubscriptions } from './unsubscribe-mails.js';

type RecordingRequest = Pick<InboundRouteRequest, 'execute'>;

/** The accounts that have recorded a report; 'unclaimed' where nobody can claim it, or 'unreadable' where its sender is no address. */
export type RecordResult = readonly Claim[] | 'unclaimed' | 'unreadable';

export interface ReportRecorder {
  /** The reports of one request that count: see `reportsOnRecipients`; mails that unsubscribe as receipts of their message. */
  readonly counting: (reports: readonly ClaimableReport[]) => Promise<readonly ClaimableReport[]>;
  /** Records a report for those that it belongs to. */
  readonly record: (report: ClaimableReport, request: RecordingRequest) => Promise<RecordResult>;
  /**
   * Keeps what one request reported and nobody could claim for the operator, in as few records as possible. Resolves with whether
   * anything was kept: mail only where its receiving address proves a message of ours, within the bounds of `keepMail`; and never that a
   * message was accepted, which is of use only while its outcome is unknown.
   */
  readonly keep: (unclaimed: readonly ClaimableReport[], request: RecordingRequest) => Promise<boolean>;
}

/** Characters of reports in one record, but for the last report in it. */
const RECORD_CHARACTERS = 131_072;

export function reportRecorder(services: Services): ReportRecorder {
  const claims = reportClaims(services);
  const tags = new EnvelopeTags(services.purposeKey(ENVELOPE_PURPOSE));
  const asUnsubscription = unsubscriptions({ tags, claims });

  return {
    counting: async (reports) => reportsOnRecipients(claims, await Promise.all(reports.map(asUnsubscription))),

    async record(report, { execute }) {
      const owners = await claims(report);
      if (owners.length === 0) return 'unclaimed';
      try {
        for (const owner of owners) await recordReport(report, owner, execute, services.clock.now());
      } catch (error) {
        if (isUnreadableReport(error)) return 'unreadable';
        // Its message is accepted, but not recorded by itself yet.
        if (!isDomainError(error) || error.code !== 'not_found') throw error;
        return 'unclaimed';
      }
      return owners;
    },

    async keep(unclaimed, { execute }) {
      const useful = unclaimed.filter((report) => report.kind !== 'receipt' || report.receipt.kind !== 'accepted');
      const mails = useful.filter(isMail);
      let kept = false;
      for (const reports of inRecords(useful.filter((report) => !isMail(report)))) {
        await execute(keepReport, reports, OPERATOR);
        kept = true;
      }
      const [first, ...others] = mails;
      const message_id = first ? tags.messageIn(tokensOf(first)) : null;
      if (!first || message_id === null) return kept;
      const { output } = await execute(keepMail, { message_id, reports: [first, ...others] }, first.account ?? OPERATOR);
      return kept || output;
    },
  };
}

/** What anybody can cause who can mail an address of ours. All else is signed by a carrier, which reports on what it has sent. */
const isMail = (report: ClaimableReport): boolean =>
  report.kind === 'email' || (report.kind === 'receipt' && (report.receipt.carrier === MAIL_CARRIER || report.tokens !== undefined));
const MAIL_CARRIER = 'smtp';

/** Events have a maximum size. */
function inRecords(reports: readonly ClaimableReport[]): [ClaimableReport, ...ClaimableReport[]][] {
  const records: [ClaimableReport, ...ClaimableReport[]][] = [];
  let characters = 0;
  for (const report of reports) {
    const last = records.at(-1);
    if (last && characters < RECORD_CHARACTERS) last.push(report);
    else {
      records.push([report]);
      characters = 0;
    }
    characters +=
      report.kind === 'receipt' ? (report.receipt.raw?.length ?? 0) + RECEIPT_CHARACTERS : report.kind === 'text' ? report.report.text.length : 0;
  }
  return records;
}
/** Of a receipt without its raw text, about. */
const RECEIPT_CHARACTERS = 400;
