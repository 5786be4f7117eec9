import { meaningOfStatus } from './enhanced-statuses.js';
import { type BounceClass, type BounceMeaning, bounceMeanings } from './meanings.js';
import { replyPhrases } from './reply-phrases.js';

/** What is known of a refusal. */
export interface MailRefusal {
  /** The enhanced status code that the reporting system gives, or null. */
  readonly status: string | null;
  /** What the receiving system said, or else what the reporting one writes about the address. */
  readonly words: string;
  /**
   * What the receiver refused, as far as that is known: the address (`RCPT TO`), or the content behind it (`DATA`). Whom a receiver calls
   * unknown once it has the content is filtered: the address had been accepted.
   */
  readonly stage?: SessionStage | null;
  /** Whether the words are the reply of another host, so that an unknown name counts only where the address was refused. */
  readonly isReply?: boolean;
}

/** `named_address`: the reply names the address, and nothing says what it answers. */
export type SessionStage = 'address' | 'named_address' | 'content';

/** What a refusal means. `code`: the enhanced status code or the reply code that says the most, or null. */
export interface RefusalReading {
  readonly class: BounceClass;
  readonly meaning: BounceMeaning | null;
  readonly code: string | null;
}

/** Characters of words that are read: the expressions are not made for longer ones. */
export const MAX_WORDS = 2_000;

const ENHANCED = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/g;
const REPLY = /(?<![\d.\w[-])([245]\d\d)(?=[ -]|$)(?![ -]\d+ ?(?:bytes|seconds|hours|days|minutes))/g;

/**
 * Reads a refusal. The receiver's words come before its codes where they are plain, and its codes before those of the reporting system. A
 * code that is generic, such as 5.0.0, says nothing.
 */
export function readRefusal({ status, words: given, stage = null, isReply = false }: MailRefusal): RefusalReading {
  const raw = given.slice(0, MAX_WORDS);
  const codes = [...raw.matchAll(ENHANCED)].map(([, code]) => code as string);
  const replies = [...raw.matchAll(REPLY)].map(([, code]) => code as string);
  const specific = codes.find((code) => meaningOfStatus(code) !== null);
  const own = status !== null && meaningOfStatus(status) !== null ? status : undefined;
  const told = specific ?? own;
  const byCode = told === undefined ? null : meaningOfStatus(told);
  const code = told ?? codes[0] ?? status ?? replies[0] ?? null;
  const words = comparableWords(raw);
  const byWords = replyPhrases.find(({ phrases }) => phrases.some((phrase) => phrase.test(words)));
  const meaning = decided(byCode, byWords, { isOfReceiver: told === specific, stage, ofReceiver: codes[0] ?? '' });
  const isPassing = replies.length > 0 ? replies.every((reply) => reply.startsWith('4')) : status?.startsWith('4') === true && codes.length === 0;
  const isFiltered =
    told === undefined && byWords?.meaning === 'no_mailbox' && byWords.strength === 'mailbox' && !isOfAddress(words, { status, stage, isReply });
  return { class: classOf(meaning, isPassing || isFiltered), meaning, code };
}

type PhraseRow = (typeof replyPhrases)[number];

/**
 * Whether words call the address unknown, and not what was sent to it. "Mailbox unavailable" is the text of every reply 550 (RFC 5321,
 * 4.2.3): it counts beside a status, or where the address was refused.
 */
function isOfAddress(words: string, { status, stage, isReply }: Required<Pick<MailRefusal, 'status' | 'stage' | 'isReply'>>): boolean {
  if (stage !== null) return stage !== 'content';
  return /\bmailbox (?:unavailable|not found)/.test(words) ? status !== null : !isReply;
}

interface CodeContext {
  readonly isOfReceiver: boolean;
  readonly stage: SessionStage | null;
  /** The first code of the receiver, or an empty text. */
  readonly ofReceiver: string;
}

function decided(byCode: BounceMeaning | null, row: PhraseRow | undefined, { isOfReceiver, stage, ofReceiver }: CodeContext): BounceMeaning | null {
  if (!row) return byCode;
  if (row.strength === 'firm') return row.meaning;
  // "5.7.1 User unknown" is said of the right to write to somebody.
  if (byCode === null) return row.strength === 'mailbox' && ofReceiver.startsWith('5.7.') ? 'restricted' : row.meaning;
  const isHardCode = bounceMeanings[byCode] === 'hard';
  switch (row.strength) {
    case 'code':
      return isHardCode ? byCode : row.meaning;
    case 'mailbox':
      // A disabled mailbox of which the receiver says that it does not exist. Other codes of the receiver are meant.
      return isHardCode || !isOfReceiver || (byCode === 'disabled' && stage === 'address') ? row.meaning : byCode;
    case 'last':
      return byCode;
    default:
      return row.strength satisfies never;
  }
}

function classOf(meaning: BounceMeaning | null, isPassing: boolean): BounceClass {
  if (meaning === null) return isPassing ? 'soft' : 'unknown';
  const found = bounceMeanings[meaning];
  return found === 'hard' && isPassing ? 'soft' : found;
}

/** In lower case, without addresses, links, and what separates lines of a reply. */
export const comparableWords = (raw: string): string =>
  raw
    .toLowerCase()
    .replace(/\bhttps?:\S*?(spamhaus|spamcop|sorbs|dnsbl|barracudacentral|abuseat|blocklist|blacklist)\S*/g, ' listed at $1 ')
    .replace(/\bhttps?:\S*/g, ' ')
    .replace(/<[^<>\s]*>/g, ' ')
    .replace(/"?[^\s"<>@,;:()[\]]{1,100}"?@[^\s<>,;:()[\]]{1,255}/g, ' ')
    .replace(/[’`´]/g, "'")
    .replace(/[245]\d\d[- ](?=[245]\.\d{1,3}\.\d{1,3}[- ])/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
