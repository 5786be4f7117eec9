/** Notices of Amazon SES that come as mails: a topic of SNS to which an address is subscribed. */

import { isFields, parsedJsonOf, reasonOf, reportTextOf } from '../runtime/incoming.js';
import { receiveSes } from '../ses/receive.js';
import type { MailResult } from './delivery-status.js';

/** What the notice in a text reports, or null where there is none. Whether Amazon wrote it is not proven, as with all mail. */
export async function snsNoticeIn(written: string): Promise<readonly MailResult[] | null> {
  const text = written.replaceAll('\r', '');
  const start = text.indexOf('{');
  const end = text.indexOf('\n--\n', start);
  if (start < 0 || start > MAX_INTRODUCTION) return null;
  // Mail systems break long lines, also in the middle of a text.
  const outer = parsedJsonOf(Buffer.from(text.slice(start, end < 0 ? undefined : end).replace(/!?\n ?/g, '')));
  if (!isFields(outer)) return null;
  const Message = reportTextOf(outer.Message) ?? ('notificationType' in outer || 'eventType' in outer ? JSON.stringify(outer) : null);
  if (Message === null) return null;
  const results = (await receiveSes({ Message, MessageId: '' })).flatMap((one): MailResult[] => {
    if (one.kind !== 'receipt') return [];
    const { kind, reason, raw_status, code } = one.receipt;
    const why = kind === 'bounced' ? reasonOf(reason === 'hard_bounce' ? 'hard' : 'soft') : {};
    return [{ kind, ...why, raw_status, code, recipient: one.recipient ?? null }];
  });
  return results.length > 0 ? results : null;
}

/** Characters before the notice. */
const MAX_INTRODUCTION = 200;
