import { hasPlace, keptMails, keptMailsStream } from '../../domain/webhooks/kept-mails.js';
import { keptReport, keptReportStream } from '../../domain/webhooks/kept-report.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { fingerprint, hashId } from '../../log/runtime/ids.js';
import { toExpected } from '../runtime/append.js';
import { internalCommand } from '../runtime/command.js';
import { keptFields, type Reports } from './kept-fields.js';

/** The account under which reports of nobody are kept: no account has this id. */
export const OPERATOR = 'operator';

/**
 * Keeps reports of a carrier that no account could claim, as one record. The same reports again change nothing. Resolves with its id.
 * What came by mail is kept by `keepMail` alone.
 */
export const keepReport = internalCommand({
  name: 'KeepReport',

  async handle(reports: Reports, context): Promise<string> {
    // The id of a single report is that of earlier versions.
    const report_id = hashId('evt', 'report', fingerprint(reports.length === 1 ? reports[0] : reports));
    const kept = { report_id, ...keptFields(reports), received_at: context.now };
    await context.decide(keptReport, keptReportStream(report_id), { type: 'Keep', kept }, { assumeNew: true });
    return report_id;
  },
});

/** A mail that nobody could claim. */
export interface UnclaimedMail {
  /** The message that a tag of ours in its receiving address names, or another proof. It may not be on record. */
  readonly message_id: string;
  /** What the mail reports. */
  readonly reports: Reports;
}

/**
 * Keeps a mail that no account could claim: one of its message and day, and at most `MAX_KEPT_MAILS` of the account of this command.
 * Resolves with whether a mail of this message and day is kept, or was.
 */
export const keepMail = internalCommand({
  name: 'KeepMail',

  async handle({ message_id, reports }: UnclaimedMail, context): Promise<boolean> {
    const { account } = context.cause;
    const { now } = context;
    const report_id = hashId('evt', 'kept-mail', account, message_id, now.slice(0, 'yyyy-mm-dd'.length));
    const [places, stream] = [keptMailsStream(account), keptReportStream(report_id)];
    const kept = { report_id, ...keptFields(reports), message_id, received_at: now };
    return context.attempt(
      async () => ({
        report: await loadAggregate(context.log, keptReport, stream, { sealed: true }),
        mails: await loadAggregate(context.log, keptMails, places),
      }),
      ({ report, mails }) => {
        if (report.state.status !== 'new') return { appends: [], result: true };
        if (!hasPlace(mails.state, report_id, now)) return { appends: [], result: false };
        // The place is taken first: a crash between the two never leaves a mail that is not counted.
        const counted = keptMails.decide({ type: 'Count', report_id, now }, mails.state);
        const appends = [
          ...(counted.length > 0 ? [{ stream: places, expected: toExpected(mails.revision), events: counted }] : []),
          { stream, expected: 'no-stream' as const, events: keptReport.decide({ type: 'Keep', kept }, report.state) },
        ];
        return { appends, result: true };
      },
    );
  },
});

/** Ends a kept report: the accounts have recorded it, or the operator dropped it, or its time is over. Its place is free again. */
export const settleReport = internalCommand({
  name: 'SettleReport',

  async handle({ report_id, accounts }: { readonly report_id: string; readonly accounts: readonly string[] }, context): Promise<void> {
    const stream = keptReportStream(report_id);
    const { state, revision } = await loadAggregate(context.log, keptReport, stream, { sealed: true });
    // Before the end: a crash between the two leaves work that is done again.
    if (state.status === 'kept' && state.kept.message_id !== undefined)
      await context.decide(keptMails, keptMailsStream(context.cause.account), { type: 'Release', report_id, now: context.now });
    const settle = { type: 'Settle', report_id, accounts, now: context.now } as const;
    await context.decide(keptReport, stream, settle, { sealed: true, loaded: { state, revision } });
  },
});
