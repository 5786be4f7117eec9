/** How answers of carriers become outcomes: one table a carrier. */
import { ownField } from '../../domain/kernel/own-fields.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import type { StatusReason } from '../../domain/messages/status.js';

/**
 * What an error of a carrier means. `transient`: later. `misconfigured`: once somebody has corrected the settings. `gone`: the
 * address does not exist. `opted_out` and `bounced`: the carrier has it on a list of its own. `rejected`: never, for any other reason.
 */
export type ErrorClass = 'transient' | 'misconfigured' | 'gone' | 'opted_out' | 'bounced' | 'rejected';

const REASONS: Readonly<Record<Exclude<ErrorClass, 'transient' | 'misconfigured'>, StatusReason>> = {
  gone: 'invalid_recipient',
  opted_out: 'stop_keyword',
  bounced: 'hard_bounce',
  rejected: 'carrier_rejected',
};

/** By the carrier's own codes. What is not listed is decided by the status of the answer. */
export type ErrorTable = Readonly<Record<string, ErrorClass>>;

/** Of an answer whose code has no entry. A wrong base address answers with 3xx or 404. */
export function classOfStatus(status: number): ErrorClass {
  if (status === 401 || status === 402 || status === 403 || status === 404 || (status >= 300 && status < 400)) return 'misconfigured';
  if (status === 408 || status === 425 || status === 429 || status >= 500) return 'transient';
  return 'rejected';
}

/** The outcome of an answer that refuses a message. `code`: the carrier's own, or null. */
export function refused(carrier: string, table: ErrorTable, status: number, code: string | null): SendResult {
  const kind = ownField(table, code ?? '') ?? classOfStatus(status);
  const shown = code ?? String(status);
  const error = `${carrier} answered with status ${status}${code === null ? '' : ` and code ${code}`}.`;
  if (kind === 'transient') return { outcome: 'transient_error', code: shown, error };
  if (kind === 'misconfigured') return { outcome: 'misconfigured', code: shown, error };
  return { outcome: 'permanent_error', reason: REASONS[kind], code: shown, error };
}
