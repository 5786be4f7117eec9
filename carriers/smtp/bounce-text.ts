/** Bounces that a mail system writes as a text for people. */
import { type RefusalReading, readRefusal } from '../../domain/messages/bounces/read-reply.js';
import { isBounceText, isIdentified, recipientsIn, sessionStageIn, tellsDelay, withoutReturned } from '../../domain/messages/bounces/text-formats.js';
import { boundedRecipients, reasonOf } from '../runtime/incoming.js';
import { bounceOf, type MailResult, reportFields } from './delivery-status.js';

export interface TextBounce {
  readonly receipts: readonly MailResult[];
  readonly cut: number;
  /** What the mail system wrote. */
  readonly raw: string;
}

/** What is looked at: the text, the subject, and the field X-Failed-Recipients. */
export interface BounceMail {
  readonly text: string;
  readonly subject: string;
  /** The program that wrote it: the field X-Mailer. */
  readonly mailer: string;
  readonly failed: readonly string[];
  /** Addresses that belong to the sender of the message, in lower case: they are no recipients. */
  readonly own: ReadonlySet<string>;
}

/** Whether one knows a mail as a bounce by its words. */
export const isTextBounce = ({ text, subject, failed }: BounceMail): boolean => failed.length > 0 || isBounceText(subject) || isBounceText(text);

/**
 * The recipients of a bounce in text, each with what is said of it. Where none is named, one result without a recipient; where nothing
 * says why, one of an unknown kind.
 */
export function textBounceOf({ text, subject, mailer, failed, own }: BounceMail): TextBounce {
  const written = withoutReturned(text);
  const asReport = reportIn(written);
  if (asReport !== null) return { ...asReport, raw: written };
  const isDelayed = tellsDelay(written) || tellsDelay(subject);
  const whole = sessionStageIn(written);
  const inText = recipientsIn(written).filter(({ recipient }) => !own.has(recipient));
  const named = failed.length > 0 ? failed.map((recipient) => inText.find((one) => one.recipient === recipient) ?? { recipient, words: '' }) : inText;
  /** What stands beside an address, or else the whole text where it is about one recipient. */
  const readingOf = (words: string): RefusalReading => {
    const first = readRefusal({ status: null, words, stage: sessionStageIn(words) ?? whole });
    if (first.meaning !== null || (named.length > 1 && words.trim() !== '')) return first;
    const next = readRefusal({ status: null, words: `${written} ${subject}`, stage: whole, isReply: REPLY_CODE.test(written) });
    return next.meaning === null ? first : next;
  };
  const isOfKnown = failed.length > 0 || isIdentified(`${mailer} ${written}`);
  const readings = (named.length > 0 ? named : [{ recipient: null, words: '' }]).map(({ recipient, words }) => {
    const { class: found, code } = certain(readingOf(words), isOfKnown || (sessionStageIn(words) ?? whole) === 'address');
    const about = { raw_status: isDelayed ? 'delayed' : 'failed', code, recipient };
    return isDelayed && found !== 'hard' ? { kind: 'deferred' as const, ...about } : { kind: 'bounced' as const, ...reasonOf(found), ...about };
  });
  const { kept, cut } = boundedRecipients(readings, ({ recipient }) => recipient ?? '');
  return { receipts: kept, cut, raw: written };
}

const REPLY_CODE = /\b5\d\d\b/;

/**
 * Of a system that nobody knows, words alone do not close a mailbox: it is a bounce of an unknown kind, unless a code or the transcript of
 * the session says more.
 */
const certain = (reading: RefusalReading, isOfKnown: boolean): RefusalReading =>
  isOfKnown || reading.class !== 'hard' || reading.code?.includes('.') ? reading : { ...reading, class: 'unknown' };

/** The fields of a report that stands in the text, as Amazon WorkMail and gateways write it. */
function reportIn(text: string): Omit<TextBounce, 'raw'> | null {
  if (!/^[ \t>]*(?:final|original)-recipient[ \t]*:/im.test(text) || !/^[ \t>]*(?:action|status|diagnostic-code)[ \t]*:/im.test(text)) return null;
  const found = bounceOf(reportFields(text.replace(/^[ \t>]+(?=[a-z-]+[ \t]*:)/gim, '')), text);
  return found.receipts.length > 0 ? found : null;
}
