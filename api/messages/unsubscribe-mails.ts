import { tokensIn } from '../../domain/messages/envelope-tokens.js';
import { isUnsubscribeSubject } from '../../domain/messages/unsubscribe-mails.js';
import type { IncomingEmail, IncomingReceipt } from '../../domain/webhooks/incoming.js';
import type { EnvelopeTags } from '../../formats/messages/envelope-tags.js';
import { type Claim, type ClaimableReport, namedIds } from '../../projections/webhooks/claim-report.js';
import { tokensOf } from './found-reports.js';

export interface UnsubscribeMailParts {
  readonly tags: EnvelopeTags;
  readonly claims: (report: ClaimableReport) => Promise<readonly Claim[]>;
}

/**
 * Makes the receipt of its message of a mail that unsubscribes, whichever carrier has brought it. Anybody can write one, so a proof makes it
 * count: the tag of the address that it came to, whoever sends it; or, without any tag, that its sender is the recipient of the message that
 * it names. Without a proof it stays the mail that it is, for a person to read.
 */
export function unsubscriptions({ tags, claims }: UnsubscribeMailParts): (report: ClaimableReport) => Promise<ClaimableReport> {
  return async (report) => {
    if (report.kind !== 'email' || !isUnsubscribeSubject(report.subject)) return report;
    const tokens = tokensOf(report);
    const tagged = tags.messageIn(tokens);
    if (tagged !== null) return receiptOf(report, [tagged]);
    const [first, ...others] = namedIds(report);
    if (first === undefined || tokensIn(tokens).length > 0) return report;
    const receipt = receiptOf(report, [first, ...others]);
    const owners = await claims({ ...receipt, recipient: report.from });
    return owners.some(({ elsewhere, copy }) => !elsewhere && !copy) ? receipt : report;
  };
}

function receiptOf(email: IncomingEmail, [message_id, ...other_ids]: readonly [string, ...string[]]): IncomingReceipt {
  const { carrier, account, subject, at, key, carrier_message_id, email_message_id } = email;
  const status = { kind: 'unsubscribed', raw_status: 'unsubscribed', code: null, raw: subject ?? '' } as const;
  return {
    kind: 'receipt',
    ...(account !== undefined && { account }),
    receipt: { ...status, carrier, carrier_message_id: message_id, at },
    message_id,
    ...(other_ids.length > 0 && { other_ids }),
    tokens: tokensIn(tokensOf(email)),
    // Each mail counts once: who has subscribed again can unsubscribe by the same message again.
    dedupe: key ?? carrier_message_id ?? email_message_id ?? at ?? 'unsubscribe',
  };
}
