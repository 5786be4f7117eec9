/** A report of a carrier that no account could claim when it came: of a message that is not recorded yet, or of nobody. */
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { list, oneOf, record, text, time } from '../kernel/schema.js';
import type { SealedDecider, SealedState } from '../kernel/sealed-state.js';

// Events

/** `report`: as JSON. It is sealed under a key of its own, which is destroyed once it is claimed or dropped. */
export const ReportKept = eventType(
  'ReportKept',
  record({ report_id: text, carrier: text, kind: oneOf('receipt', 'text', 'email'), report: text, received_at: time }),
  { personal: { subject: 'report_id', fields: ['report'] } },
);
/** The accounts are those that it belongs to; none where the operator dropped it. */
export const ReportSettled = eventType('ReportSettled', record({ report_id: text, accounts: list(text), at: time }));

export const keptReportEvents = [ReportKept, ReportSettled] as const;
export type KeptReportEvent = EventOf<(typeof keptReportEvents)[number]>;
export type SealedKeptReportEvent = SealedEventOf<(typeof keptReportEvents)[number]>;
type Kept = EventOf<typeof ReportKept>['data'];

// State

export type KeptReport = { readonly status: 'new' } | { readonly status: 'kept'; readonly kept: Kept } | { readonly status: 'settled' };

export function evolve(_: KeptReport, event: KeptReportEvent): KeptReport {
  return event.type === 'ReportKept' ? { status: 'kept', kept: event.data } : { status: 'settled' };
}

// Commands

export type KeptReportCommand =
  | { readonly type: 'Keep'; readonly kept: Kept }
  | { readonly type: 'Settle'; readonly report_id: string; readonly accounts: readonly string[]; readonly now: string };

/** A repeat of either command produces no event. */
export function decide(command: KeptReportCommand, report: SealedState<KeptReport, KeptReportEvent>): readonly KeptReportEvent[] {
  if (command.type === 'Keep') return report.status === 'new' ? [{ type: 'ReportKept', data: command.kept }] : [];
  const { report_id, accounts, now: at } = command;
  return report.status === 'kept' ? [{ type: 'ReportSettled', data: { report_id, accounts: [...accounts], at } }] : [];
}

export const keptReport: SealedDecider<KeptReport, KeptReportCommand, KeptReportEvent> = { initial: { status: 'new' }, evolve, decide };

// Stream

export const keptReportStream = (reportId: string): string => `report-${reportId}`;
