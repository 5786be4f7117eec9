/** How answers of carriers become outcomes, by the carrier's table of codes. */
import type { SendResult } from '../../domain/messages/send-result.js';
import { type ErrorClass, type ErrorCodes, type ErrorRule, errorClasses, errorRuleOf } from './codes.js';

/** Of an answer without a code. A wrong base address answers with 3xx or 404. */
export function classOfStatus(status: number): Extract<ErrorClass, 'transient' | 'misconfigured' | 'rejected'> {
  if (status === 401 || status === 402 || status === 403 || status === 404 || (status >= 300 && status < 400)) return 'misconfigured';
  if (status === 408 || status === 425 || status === 429 || status >= 500) return 'transient';
  return 'rejected';
}

/**
 * The outcome of an answer that refuses a message. `code`: the carrier's own, or null. A code that the table does not have counts as
 * passing, unless the status says that the settings are refused.
 */
export function refused(carrier: string, table: ErrorCodes, status: number, code: string | null): SendResult {
  const known = code === null ? undefined : errorRuleOf(table, code);
  const byStatus = classOfStatus(status);
  const isUnknown = code !== null && !known;
  const rule: ErrorRule = known ?? errorClasses[isUnknown && byStatus === 'rejected' ? 'transient' : byStatus];
  const shown = code ?? String(status);
  const error = `${carrier} answered with status ${status}${code === null ? '' : ` and code ${code}`}.`;
  const answer = { code: shown, error, ...(isUnknown && { unknown_code: true as const }) };
  if (rule.outcome !== 'permanent_error') return { outcome: rule.outcome, ...answer };
  const { outcome, reason, listed_as } = rule;
  return { outcome, reason, ...(listed_as && { listed_as }), ...answer };
}

/** The outcome of an answer whose carrier has no codes. */
export const refusedByStatus = (carrier: string, status: number): SendResult => refused(carrier, NO_CODES, status, null);
const NO_CODES: ErrorCodes = { title: '', page: '', codes: {} };
