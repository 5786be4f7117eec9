/** Who a message may be from, by channel and carrier. */
import type { FieldProblem } from '../kernel/errors.js';

/** E.164: a plus, and up to 15 digits without blanks. */
const NUMBER = /^\+[1-9]\d{6,14}$/;
/** Of 3 to 8 digits. */
const SHORT_CODE = /^\d{3,8}$/;
/** A name on phones: at most eleven characters, one of them a letter (3GPP TS 23.040, 9.1.2.5). */
const NAME = /^(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11}$/;
/** The id of an agent, as carriers write it. */
const AGENT = /^(?=.*[A-Za-z])[A-Za-z0-9_-]{1,100}$/;

const SMS_HINT =
  'Use a number such as +14155550100 (without blanks), a short code of 3 to 8 digits, or a name of at most 11 letters, digits and blanks with at least one letter, for example Acme Shop.';

interface SenderRule {
  readonly patterns: readonly RegExp[];
  readonly hint: string;
}

/** Channels whose senders have rules. Those of email are mailboxes; push and in_app have none. */
const rules: ReadonlyMap<string, SenderRule> = new Map([
  ['sms', { patterns: [NUMBER, SHORT_CODE, NAME], hint: SMS_HINT }],
  ['whatsapp', { patterns: [NUMBER], hint: 'Use a number such as +14155550100, without blanks.' }],
  [
    'rcs',
    {
      patterns: [NUMBER, AGENT],

      hint: 'Use the id of an agent, for example acme_agent, or a number such as +14155550100.',
    },
  ],
]);

/** Whether a sender is a number or a short code, in any spelling: texts to it can be received. */
export const isPhoneSender = (sender: string): boolean => /^\+?[\d\s().-]+$/.test(sender);

/** A name that networks show for a sender, within what they take and a little beyond. */
const SHOWN_NAME = /^(?=.*\p{L})[^\p{C}@]{1,30}$/u;

/** The sender of a text, which is no phone number, as it is: a short code, also with the plus of some carriers, or a name. Null for others. */
export function shortSenderOf(text: string): string | null {
  const sender = text.trim().replace(/^\+(?=\d{3,8}$)/, '');
  return SHORT_CODE.test(sender) || SHOWN_NAME.test(sender) ? sender : null;
}

/** Whether a sender in normal form (`parseTextSender`) is a short code or a name. */
export const isShortSender = (sender: string): boolean => !sender.startsWith('+');

/** What is wrong with the sender of a message on a channel. `further`: what the carriers of the channel take beside. */
export function senderProblems(field: string, sender: string, channel: string, further: readonly RegExp[]): FieldProblem[] {
  const rule = rules.get(channel);
  if (!rule) return [];
  const allowed = [...rule.patterns, ...further];
  if (allowed.some((pattern) => pattern.test(sender)) && sender.trim() === sender) return [];
  return [{ field, code: 'invalid_sender', message: `'${sender.slice(0, 100)}' is no sender on ${channel}. ${rule.hint}` }];
}
