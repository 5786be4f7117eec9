/** A report of a carrier that no account could claim when it came: of a message that is not recorded yet, or of nobody. */

import type { SealedAggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { list, oneOf, optional, record, text, time } from '../kernel/schema.js';
import type { SealedState } from '../kernel/sealed-state.js';

// Events

/**
 * `report`: as JSON. It is sealed under a key of its own, which is destroyed once it is claimed or dropped. `more`: further reports of the
 * same request, as JSON. `message_id`: of a mail, the message of ours that its receiving address proves.
 */
export const ReportKept = eventType(
  'ReportKept',
  record({
    report_id: text,
    carrier: text,
    kind: oneOf('receipt', 'text', 'email'),
    report: text,
    received_at: time,
    more: optional(text),
    message_id: optional(text),
  }),
  { personal: { subject: 'report_id', fields: ['report', 'more'] } },
);
/** The accounts are those that it belongs to; none where the operator dropped it. */
export const ReportSettled = eventType('ReportSettled', record({ report_id: text, accounts: list(text), at: time }));

export const keptReportEvents = [ReportKept, ReportSettled] as const;
export type KeptReportEvent = EventOf<(typeof keptReportEvents)[number]>;
export type SealedKeptReportEvent = SealedEventOf<(typeof keptReportEvents)[number]>;
type KeptReportData = EventOf<typeof ReportKept>['data'];

/** A report that nobody has claimed after this time is dropped, parked or not. In milliseconds. */
export const KEPT_FOR_MS = 30 * 86_400_000;

// State

export type KeptReport = { readonly status: 'new' } | { readonly status: 'kept'; readonly kept: KeptReportData } | { readonly status: 'settled' };

export function evolve(_: KeptReport, event: KeptReportEvent): KeptReport {
  return event.type === 'ReportKept' ? { status: 'kept', kept: event.data } : { status: 'settled' };
}

// Commands

export type KeptReportCommand =
  | { readonly type: 'Keep'; readonly kept: KeptReportData }
  | { readonly type: 'Settle'; readonly report_id: string; readonly accounts: readonly string[]; readonly now: string };

/** A repeat of either command produces no event. */
export function decide(command: KeptReportCommand, report: SealedState<KeptReport, KeptReportEvent>): readonly KeptReportEvent[] {
  if (command.type === 'Keep') return report.status === 'new' ? [{ type: 'ReportKept', data: command.kept }] : [];
  const { report_id, accounts, now: at } = command;
  return report.status === 'kept' ? [{ type: 'ReportSettled', data: { report_id, accounts: [...accounts], at } }] : [];
}

// Stream

export const keptReportStream = (reportId: string): string => `report-${reportId}`;

export const keptReport: SealedAggregate<KeptReport, KeptReportCommand, KeptReportEvent> = {
  stream: keptReportStream,
  events: keptReportEvents,
  initial: { status: 'new' },
  evolve,
  decide,
};
