/** Who a message may be from, by channel and carrier. */
import type { FieldProblem } from '../kernel/errors.js';

/** E.164: a plus, and up to 15 digits without blanks. */
const NUMBER = /^\+[1-9]\d{6,14}$/;
/** Of 3 to 8 digits. */
const SHORT_CODE = /^\d{3,8}$/;
/** A name on phones: at most eleven characters, one of them a letter (3GPP TS 23.040, 9.1.2.5). */
const NAME = /^(?=.*[A-Za-z])[A-Za-z0-9 ]{1,11}$/;
/** Twilio takes some further characters: https://www.twilio.com/docs/glossary/what-alphanumeric-sender-id. */
const TWILIO_NAME = /^(?=.*[A-Za-z])[A-Za-z0-9 +_&-]{1,11}$/;
/** A messaging service of Twilio, which chooses the sender. */
const MESSAGING_SERVICE = /^MG[0-9a-f]{32}$/;
/** The id of an agent, as Twilio and Vonage write it. */
const AGENT = /^(?=.*[A-Za-z])[A-Za-z0-9_-]{1,100}$/;

const SMS_HINT =
  'Use a number such as +14155550100 (without blanks), a short code of 3 to 8 digits, or a name of at most 11 letters, digits and blanks with at least one letter, for example Acme Shop.';

interface SenderRule {
  readonly patterns: readonly RegExp[];
  /** Further ones, where Twilio is in the route. */
  readonly twilio: readonly RegExp[];
  readonly hint: string;
}

/** Channels whose senders have rules. Those of email are mailboxes; push and in_app have none. */
const rules: ReadonlyMap<string, SenderRule> = new Map([
  ['sms', { patterns: [NUMBER, SHORT_CODE, NAME], twilio: [TWILIO_NAME, MESSAGING_SERVICE], hint: SMS_HINT }],
  ['whatsapp', { patterns: [NUMBER], twilio: [MESSAGING_SERVICE], hint: 'Use a number such as +14155550100, without blanks.' }],
  [
    'rcs',
    {
      patterns: [NUMBER, AGENT],
      twilio: [MESSAGING_SERVICE],
      hint: 'Use the id of an agent, for example acme_agent, or a number such as +14155550100.',
    },
  ],
]);

export const isMessagingService = (sender: string): boolean => MESSAGING_SERVICE.test(sender);

/** What is wrong with the sender of a message on a channel. `carriers`: those that serve the channel. */
export function senderProblems(field: string, sender: string, channel: string, carriers: readonly string[]): FieldProblem[] {
  const rule = rules.get(channel);
  if (!rule) return [];
  const allowed = carriers.includes('twilio') ? [...rule.patterns, ...rule.twilio] : rule.patterns;
  if (allowed.some((pattern) => pattern.test(sender)) && sender.trim() === sender) return [];
  return [{ field, code: 'invalid_sender', message: `'${sender.slice(0, 100)}' is no sender on ${channel}. ${rule.hint}` }];
}
