/** The codes of carriers: one table serves the answers to messages and the reports on them. */
import { ownField } from '../../domain/kernel/own-fields.js';
import type { CarrierListing } from '../../domain/messages/send-result.js';
import type { StatusReason } from '../../domain/messages/status.js';
import type { StatusMeaning } from './incoming.js';

/** What follows from an error. */
export interface ErrorRule {
  /** What the answer to a message with such a code is. */
  readonly outcome: 'transient_error' | 'misconfigured' | 'permanent_error';
  /** Why a message is undelivered whose report has such a code; also of a permanent error. */
  readonly reason: StatusReason;
  /** The carrier has the recipient on a list of its own, and says why: the suppression is that of the event itself. */
  readonly listed_as?: CarrierListing;
}

/**
 * What an error of a carrier means. `transient`: later. `misconfigured`: once somebody has corrected the settings. `gone`: the address
 * does not exist. `stopped` and `unsubscribed`: the person wants no messages, by a keyword or otherwise. `inactive`: on a list of the
 * carrier's that does not say why. `no_device`: the device takes no more messages. `outside_window`: WhatsApp takes only a template now. `rejected`: never, for any other reason.
 */
export const errorClasses = {
  transient: { outcome: 'transient_error', reason: 'carrier_unavailable' },
  misconfigured: { outcome: 'misconfigured', reason: 'carrier_rejected' },
  gone: { outcome: 'permanent_error', reason: 'invalid_recipient' },
  stopped: { outcome: 'permanent_error', reason: 'stop_keyword', listed_as: 'opted_out' },
  unsubscribed: { outcome: 'permanent_error', reason: 'unsubscribed', listed_as: 'opted_out' },
  inactive: { outcome: 'permanent_error', reason: 'hard_bounce' },
  no_device: { outcome: 'permanent_error', reason: 'no_device' },
  outside_window: { outcome: 'permanent_error', reason: 'template_required' },
  rejected: { outcome: 'permanent_error', reason: 'carrier_rejected' },
} as const satisfies Readonly<Record<string, ErrorRule>>;
export type ErrorClass = keyof typeof errorClasses;

/** By the carrier's own codes, with what the carrier says of each. */
export type ErrorTable = Readonly<Record<string, readonly [means: ErrorClass, says: string]>>;

interface TableSource {
  /** As the documentation of this project heads it. */
  readonly title: string;
  /** The page of the carrier's documentation that it is from. */
  readonly page: string;
}

export interface ErrorCodes extends TableSource {
  readonly codes: ErrorTable;
  /** Whether reports have these codes, too. Default: yes. */
  readonly onlyAnswers?: true;
}

/** By the carrier's own statuses. Null: one that says nothing of a message. */
export interface StatusCodes extends TableSource {
  readonly statuses: Readonly<Record<string, StatusMeaning | null>>;
}

/** Statuses with what a code in the same report adds, and the codes of errors. */
export type CodeTable = ErrorCodes | StatusCodes;

/** What a code means; undefined where the table does not have it. */
export const errorRuleOf = ({ codes }: Pick<ErrorCodes, 'codes'>, code: string): ErrorRule | undefined => {
  const [means] = ownField(codes, code) ?? [];
  return means && errorClasses[means];
};

/** What a report says why a message did not arrive. */
interface ReportedFailure {
  readonly reason: StatusReason;
  readonly listed_as?: CarrierListing;
}

/**
 * Why a message did not arrive, by the code of its report. A code that nobody knows counts as passing, and is named. `otherwise`: where
 * there is no code.
 */
export function reportedFailureOf(
  table: ErrorCodes,
  code: string | null,
  otherwise: StatusReason = 'carrier_rejected',
): { readonly failure: ReportedFailure; readonly unknown_code?: string } {
  if (code === null) return { failure: { reason: otherwise } };
  const rule = errorRuleOf(table, code);
  if (!rule) return { failure: { reason: errorClasses.transient.reason }, unknown_code: code };
  const { reason, listed_as } = rule;
  return { failure: { reason, ...(listed_as && { listed_as }) } };
}
