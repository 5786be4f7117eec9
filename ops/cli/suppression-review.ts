/** Looks through suppressions by bounces again: whether their kept reports mean by the present tables that the address is gone. */

import { textBounceOf } from '../../carriers/smtp/bounce-text.js';
import { bounceOf, reportFields } from '../../carriers/smtp/delivery-status.js';
import { smtp } from '../../carriers/smtp/smtp.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import type { BounceClass } from '../../domain/messages/bounces/meanings.js';
import { readRefusal } from '../../domain/messages/bounces/read-reply.js';
import { type MessageEvent, messageStream } from '../../domain/messages/message.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { suppressionQueries } from '../../projections/suppressions/queries.js';

/** An entry whose bounce is none of a closed mailbox. */
export interface ReviewedSuppression {
  readonly account: string;
  readonly id: string;
  readonly address_key: string;
  readonly channel: string;
  readonly message_id: string;
  readonly carrier: string;
  /** What the kept report means by the present tables. */
  readonly bounce_class: Exclude<BounceClass, 'hard'>;
  readonly meaning: string | null;
  readonly code: string | null;
}

interface ReviewParts {
  readonly log: EventLog;
  readonly views: ReadModels;
}

const PAGE = 200;

/** The entries of an account that a bounce has made and whose kept reports, read again, mean something else than a closed mailbox. */
export async function* reviewedSuppressions(parts: ReviewParts, account: string): AsyncGenerator<ReviewedSuppression> {
  const queries = suppressionQueries(parts);
  let after: string | null = null;
  for (;;) {
    const page = await queries.entries({ account, reason: 'bounced', after, descending: false, limit: PAGE });
    for (const { item } of page) {
      const cause = item.reasons.find(({ reason, via }) => reason === 'bounced' && via === 'feedback');
      if (!cause || cause.message_id === null) continue;
      const read = await readAgain(parts.log, cause.message_id);
      if (read === null || read.bounce_class === 'hard') continue;
      const { bounce_class, ...more } = read;
      yield { account, id: item.id, address_key: item.address_key, channel: item.channel, message_id: cause.message_id, bounce_class, ...more };
    }
    if (page.length < PAGE) return;
    after = page.at(-1)?.cursor ?? null;
  }
}

type KeptReading = Pick<ReviewedSuppression, 'carrier' | 'meaning' | 'code'> & { readonly bounce_class: BounceClass };

/** What the reports on a message mean; hard where one of them does, null where none can be read again. */
async function readAgain(log: EventLog, messageId: string): Promise<KeptReading | null> {
  const events = (await log.read<MessageEvent>(messageStream(messageId))) ?? [];
  const readings = events.flatMap(({ event }): KeptReading[] => {
    if (event.type !== 'MessageBounced' && event.type !== 'ReceiptIgnored') return [];
    const { reason, raw, carrier } = event.data;
    if (reason !== 'hard_bounce' || raw === undefined) return [];
    const found = carrier === smtp.name ? ofMail(raw) : ofJson(raw);
    return found === null ? [] : [{ carrier, ...found }];
  });
  return readings.find(({ bounce_class }) => bounce_class === 'hard') ?? readings[0] ?? null;
}

/** The kept report or text of a mail. */
function ofMail(raw: string): Omit<KeptReading, 'carrier'> | null {
  const report = bounceOf(reportFields(raw)).receipts;
  const text = { text: raw, subject: '', mailer: '', failed: [], own: new Set<string>() };
  const results = report.length > 0 ? report : textBounceOf(text).receipts;
  const classes = results.flatMap(({ bounce_class, code }) => (bounce_class === undefined ? [] : [{ bounce_class, code, meaning: null }]));
  return classes.find(({ bounce_class }) => bounce_class === 'hard') ?? classes[0] ?? null;
}

/** Fields of the reports of carriers in which the words of the receiver are, and the code beside them. */
const WORDS = /^(?:diagnosticCode|reason|Details|Description|smtp_response|response)$/;
const STATUS = /^(?:status|Status)$/;

/** The report of a carrier as JSON. It says at least that the carrier gave up, so only plain words mean something else. */
function ofJson(raw: string): Omit<KeptReading, 'carrier'> | null {
  const words: string[] = [];
  let status: string | null = null;
  try {
    JSON.parse(raw, (name, value: unknown) => {
      if (typeof value === 'string' && WORDS.test(name)) words.push(value);
      if (typeof value === 'string' && STATUS.test(name)) status ??= value;
      return value;
    });
  } catch {
    return null;
  }
  if (words.length === 0) return null;
  const { class: bounce_class, meaning, code } = readRefusal({ status, words: words.join(' ') });
  return bounce_class === 'unknown' ? { bounce_class: 'hard', meaning, code } : { bounce_class, meaning, code };
}
