/** Bounces that mail systems write as a text for people: by which words one knows them, and how they name the recipients. */
import type { SessionStage } from './read-reply.js';

interface TextFormat {
  /** The mail systems that write so. */
  readonly system: string;
  /** One of these is in the text, or in the subject: in lower case. */
  readonly marks: readonly RegExp[];
}

/**
 * Sources: the message files of the systems: Exim (specification, "Customizing bounce and warning messages"), qmail (`qmail-send.c`, and
 * QSBMF at cr.yp.to/proto/qsbmf.txt), Sendmail (`savemail.c`), DragonFly (`dma/mail.c`), OpenSMTPD (`bounce.c`), Courier
 * (`dsn*.txt`), smail; what Yahoo, Gmail, Google Groups, mail.ru, GMX, Zoho, Amazon WorkMail, Exchange and Domino send.
 */
export const textFormats: readonly TextFormat[] = [
  {
    system: 'Exim',
    marks: [/this message was created automatically by mail delivery software/, /a message that you (?:have )?sent (?:could not|has not|was)/],
  },
  {
    system: 'qmail, and what writes QSBMF',
    marks: [/\bthis is the \S*(?: \S+)? program at\b/, /^hi\. this is the\b/, /i'm afraid i wasn't able to deliver your message/, /i've given up\b/],
  },
  { system: 'DragonFly', marks: [/this is the dragonfly mail agent/] },
  { system: 'OpenSMTPD', marks: [/this is the mailer-daemon, please do not reply/, /an error has occurred while attempting to deliver/] },
  { system: 'Yahoo', marks: [/sorry, we were unable to deliver your message/, /unable to deliver message to the following address/] },
  {
    system: 'Gmail',
    marks: [
      /delivery to the following recipients? (?:has been |have been |was |were )?(?:failed|delayed)/,
      /technical details of (?:permanent|temporary) failure/,
      /your message (?:wasn't|to \S+ (?:couldn't|has been)|couldn't be) .{0,10}(?:delivered|blocked)|there was a (?:temporary )?problem delivering your message/,
    ],
  },
  { system: 'Google Groups', marks: [/support\.google\.com\/a\/\S*bin\/topic|groups\.google\.com\/support|the group you tried to contact/] },
  { system: 'mail.ru', marks: [/создано автоматически сервером mail\.ru/, /ваше письмо не может быть доставлено/, /недоставленное сообщение/] },
  { system: 'GMX, mail.com, web.de', marks: [/smtp error from remote server/, /the header of the original message is following/] },
  { system: 'Apache James, Verizon', marks: [/error message below:?\s/] },
  {
    system: 'mailing lists',
    marks: [/you are not (?:a|an) (?:subscribed )?member of (?:this|the) (?:mailing )?list/, /not (?:a )?member.{0,40}mailing list/],
  },
  { system: 'Zoho', marks: [/error_code ?:/] },
  {
    system: 'Exchange',
    marks: [
      /did not reach the following recipient/,
      /your message .{0,300}did not reach/,
      /delivery has failed to these recipients|the following recipient\(s\) (?:could not|cannot) be reached/,
      /msexch:im[cs]|\bresolver\.(?:adr|rst)|generating server:|diagnostic information for administrators/,
    ],
  },
  { system: 'Domino, Notes', marks: [/was not delivered to:?\s/, /failure reasons\b/, /not listed in (?:the )?domino directory/] },
  { system: 'Amazon WorkMail and SES', marks: [/an error occurred while trying to deliver the mail to/, /this message could not be delivered/] },
  {
    system: 'Sendmail',
    marks: [/the following addresses had (?:permanent|transient) (?:\w+ )?errors/, /transcript of session follows/, /transcript of the session/],
  },
  { system: 'Postfix', marks: [/this is the (?:mail system|postfix program|\S+ program) at host/] },
  { system: 'IMail', marks: [/<smtp32 v/] },
  { system: 'InterScan', marks: [/message from interscan/, /interscan (?:mss|messaging|notification)/] },
  { system: 'm-FILTER', marks: [/「m-filter」/] },
  { system: 'MessageLabs, Symantec', marks: [/this is the mail delivery agent at (?:messagelabs|symantec)/] },
  { system: 'Courier', marks: [/this is a delivery status notification from/] },
  { system: 'AOL, Facebook', marks: [/this message was created automatically by facebook/, /email returned .{0,40}something went wrong/] },
];

/** What all kinds of mail systems write. */
const otherMarks: readonly RegExp[] = [
  /the following addresses? had (?:\w+ ){0,2}(?:errors|problems)|the original message was received at/,
  /(?:could not|couldn't|cannot|can't|can not|could n't|was not|wasn't|not able to|unable|failed|failure|not) (?:to )?(?:be )?deliver(?:ed|y|ing)?\b/,
  /\bundeliver(?:able|ed)\b|\bnon-?delivery\b|\bdelivery (?:status|failure|failed|error|problem|report|notification|incomplete)\b|\bfailed (?:delivery|recipient)|\bmail (?:system )?error\b|\bmail failure\b|incorrectly constructed/,
  /\breturned (?:mail|to sender|message)\b|\breturning message to sender|\bfailure notice\b|\berror sending your mail|\bcould not be sent\b|\btrouble delivering/,
  /\bmessage (?:you sent|from you|to the following)|\byour (?:e-?)?mail (?:sent|to)\b.{0,80}(?:not|fail|reject|block)|\bwas rejected by\b|\bnot relayed to\b/,
  /unzustellbar|nicht zugestellt|nicht zustellbar|non remis|n'a pas pu être|non distribu|no (?:se ha podido|se pudo|ha podido) entregar|no entregado|non (?:è stato|recapitat)|mancato recapito|não (?:foi )?(?:entregue|possível)|недоставлен|не доставлен|niet (?:worden )?(?:bezorgd|afgeleverd)|送信できません|配信できません|届けられません|メールエラー|エラー.{0,6}(?:メッセージ|通知)|退信|无法(?:投递|送达)/,
];

/** Texts that say that the mail system still tries. */
const DELAYS =
  /\bthis is a warning\b|\bwarning (?:message )?only\b|\bdo not need to resend|\b(?:has|have) been delayed\b|\bwill (?:be retried|retry|keep trying|continue to (?:try|be))|\bnot yet been delivered|\bdelivery incomplete\b|\bstill (?:undelivered|trying|being)\b|\bdelayed mail\b|\bdelay(?:ed)? (?:reason|notification)\b/;

/** Lines behind which the returned message stands. */
const RETURNED =
  /^[\s>*-]*(?:-+ ?)?(?:below this line is a copy|(?:un(?:sent|delivered) |returned |original )?(?:message|mail)(?: header| text|s?)?s? follows?\b|(?:the )?original message (?:follows|header|is)|returned message|original message|the header of the original|this is a copy of|message header(?:s)? follow|(?:undelivered|unsent) message|begin (?:included|original)|message text follows|copy of (?:the|your) message|the text of the (?:original )?message|included is a copy)/im;
const RETURNED_HEADER = /^(?:received|return-path|message-id|dkim-signature|x-received|mime-version|x-google-smtp-source|arc-seal)[ \t]*:/im;

/** Whether one knows a text, or a subject, as that of a bounce. */
export const isBounceText = (text: string): boolean => isIdentified(text) || otherMarks.some((mark) => mark.test(lineOf(text)));

/** Whether one knows which mail system wrote it. */
export const isIdentified = (text: string): boolean => textFormats.some(({ marks }) => marks.some((mark) => mark.test(lineOf(text))));

const lineOf = (text: string): string => text.toLowerCase().replace(/[’`]/g, "'").replace(/\s+/g, ' ');

/** Whether a list refused the message: its programs mark this as what a list sends. */
export const isListRefusal = (text: string): boolean => LIST_REFUSAL.test(text.slice(0, MAX_REFUSAL).toLowerCase().replace(/\s+/g, ' '));
const LIST_REFUSAL =
  /you are not (?:a|an) (?:\w+ )?member of (?:this|the) (?:mailing )?list|your (?:message|mail|post)\w* .{0,60}(?:was|has been) (?:rejected|refused)/;
const MAX_REFUSAL = 2_000;

/** Whether the system that wrote it still tries to deliver. */
export const tellsDelay = (text: string): boolean => DELAYS.test(text.toLowerCase().replace(/[ \t\r\n]+/g, ' '));

/** What the mail system itself wrote: without the returned message. */
export function withoutReturned(text: string): string {
  const ends = [RETURNED, RETURNED_HEADER].map((mark) => mark.exec(text)?.index ?? -1).filter((at) => at > 0);
  return ends.length > 0 ? text.slice(0, Math.min(...ends)) : text;
}

const ADDRESS = /[^\s<>"',;:()[\]{}|]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,253}[a-z0-9])?/;
/** A line that begins with an address, or with the name of what it is. */
const LINE = new RegExp(
  `^[\\s>*•-]*(?:[45]\\d\\d[ -])?(?:[45]\\.\\d{1,3}\\.\\d{1,3} )?(?:(?:rcpt to|rcpt|to|(?:original |final |failed )?recipients?|(?:failed )?address(?:es)?|unknown user|mailbox|user|e-?mail|delivery failed \\d+ attempts?|could not be delivered to|not delivered to|deliver(?:y|ed)? to|undeliverable to)\\s*:\\s*)?[<"'(]{0,2}(${ADDRESS.source})[>"')]{0,2}(?=$|[\\s:;,.[(-])`,
  'i',
);
/** Within a line, where no line begins with one. */
const INSIDE = new RegExp(
  `(?:deliver(?:ed|ing)?|relayed|sent|mail|message|errors?|recipients?|address(?:es)?|mailbox|account|user)\\b[^\\n@]{0,60}?[\\s<"'(:](${ADDRESS.source})`,
  'gi',
);
const MAX_RECIPIENTS = 200;
const MAX_LINE = 1_000;

/** What old Sendmail writes of a host, between those of recipients: `550 example.org (smtp)... 550 Host unknown`. */
const OF_HOST = /^[ \t>]*[45]\d\d \S{1,255} \(smtp\)\.\.\. /;
/** Characters behind an address that are read: what is said of it stands there. */
const MAX_RECIPIENT_WORDS = 800;

/** What a text says of a recipient. */
export interface RecipientWords {
  readonly recipient: string;
  readonly words: string;
}

/** The recipients that a text of a mail system is about, each with what follows its address. */
export function recipientsIn(text: string): RecipientWords[] {
  const found = new Map<string, string>();
  let current: string | null = null;
  for (const line of text.split(/\r?\n/)) {
    const address = LINE.exec(line.slice(0, MAX_LINE))?.[1];
    if (OF_HOST.test(line)) current = null;
    if (address !== undefined) current = found.size < MAX_RECIPIENTS || found.has(address.toLowerCase()) ? address.toLowerCase() : null;
    if (current !== null) found.set(current, `${found.get(current) ?? ''}${line}\n`.slice(0, MAX_RECIPIENT_WORDS));
  }
  if (found.size === 0) for (const [, address = ''] of text.matchAll(INSIDE)) if (found.size < MAX_RECIPIENTS) found.set(address.toLowerCase(), '');
  return [...found].map(([recipient, words]) => ({ recipient, words }));
}

/**
 * What the receiver refused, by the transcript of a session or the words of the mail system beside its reply; null where nothing says it.
 * A reply to the address that came only after `DATA`, as pipelining makes it, says that there were no valid recipients. Servers that name
 * the address in their reply answer it, unless something else is said.
 */
export function sessionStageIn(text: string): SessionStage | null {
  const words = text.replace(/\s+/g, ' ');
  if (ADDRESS_STAGE.test(words)) return 'address';
  if (CONTENT_STAGE.test(words)) return 'content';
  return NAMED_ADDRESS.test(words) ? 'named_address' : null;
}
const ADDRESS_STAGE =
  /in reply to rcpt|no valid recipients|need rcpt|valid rcpt|all rcpt commands|>>> ?rcpt to: ?<[^<>]{1,320}>[^<>]{0,100}<<< ?5|after rcpt|\brcpt_to\b|smtp:rcpt|response to rcpt|rcpt to response|does not like recipient|recipient address rejected|our rcpt\b/i;
/** Without the last one: KDDI replies to the content so, and names nobody (au.com, "Error messages"). */
const CONTENT_STAGE =
  /in reply to (?:end of )?data\b|after (?:end of )?data\b|after pipelined data|\bour (?:final )?data\b|\(data\)|\[data\]|sent the message\.|smtp command data\b|>>> ?data <<< ?5|\b55\d:? ?(?:<> ?)?: user unknown/i;
const NAMED_ADDRESS = /\b55\d[ -](?:5\.\d{1,3}\.\d{1,3} )?(?:<[^<>\s]{1,64}@[^<>\s]{1,255}>|[^\s<>]{1,64}@[^\s<>]{1,255}\.\.\. )/;
