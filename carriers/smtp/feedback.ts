/** Complaints as mail: feedback reports (RFC 5965), and what Microsoft's Junk Mail Reporting Program sends. */
import { meaningOfFeedback } from '../../domain/messages/bounces/feedback-types.js';
import { headerLinesOf } from '../runtime/mime-parts.js';
import type { FieldsOfReport, MailResult } from './delivery-status.js';

/** What a feedback report says, one result for each recipient that it names; null where it is about no complaint. */
export function feedbackOf(blocks: readonly FieldsOfReport[]): readonly MailResult[] | null {
  const fields = blocks.find((block) => block['feedback-type'] !== undefined) ?? {};
  const type = (fields['feedback-type'] ?? '').toLowerCase().slice(0, 100);
  const kind = meaningOfFeedback(type);
  if (kind === null) return null;
  return [{ kind, raw_status: type, code: null, recipient: null }];
}

/** The field by which Microsoft names the recipient who complained. */
const JMRP_RECIPIENT = 'x-hmxmroriginalrecipient';
const JMRP_SENDER = /^staff@(?:hotmail|outlook)\.com$/i;

/** The complaint of a mail of JMRP, or null. `returned`: the message about which somebody complained. */
export function jmrpComplaintOf(from: string, subject: string, returned: string): MailResult | null {
  const isReport = JMRP_SENDER.test(from) && /^\s*complaint about message from\b/i.test(subject);
  if (!isReport && !headerLinesOf(returned).some(({ name }) => name === JMRP_RECIPIENT)) return null;
  return { kind: 'complained', raw_status: 'jmrp', code: null, recipient: null };
}
