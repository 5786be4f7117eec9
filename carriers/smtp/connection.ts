import { isAscii } from 'node:buffer';
import { isInternational } from '../../domain/messages/international.js';
import { dotStuffed } from './dot-stuffing.js';
import { SmtpError } from './errors.js';
import type { Extensions } from './extensions.js';
import type { Reply } from './replies.js';
import type { Wire } from './wire.js';

/** Whom a mail is from and for, to the server: addresses as they are written in commands. */
export interface Envelope {
  readonly sender: string;
  readonly recipients: readonly string[];
}

const LINE_BREAK_OR_BRACKET = /[\r\n<>]/;

/** A connection to a server that takes mail. */
export class SmtpConnection {
  /** Messages that were handed over, taken or not. */
  messages = 0;
  /** Not used before, nor idle for a while. */
  isNew = true;
  /** The server has a part of a message that it refused. */
  #needsReset = false;

  constructor(
    readonly wire: Wire,
    readonly extensions: Extensions,
  ) {}

  /**
   * Hands a message to the server. A recipient that it refuses gets none, as long as it takes another one. `content`: header and text in
   * lines that end with CR LF. Rejects with an SmtpError.
   */
  async send(envelope: Envelope, content: Buffer): Promise<void> {
    this.messages += 1;
    this.isNew = false;
    checkAddresses(envelope);
    const limit = this.extensions.size?.limit ?? 0;
    if (limit > 0 && content.length > limit) throw new SmtpError(`Message size larger than allowed ${limit}`, { code: 'EMESSAGE' });
    await this.#announce(envelope, content);
    await this.#hand(content);
  }

  /** Sender, recipients and DATA: in one write where the server can read that (RFC 2920), else one by one. */
  async #announce(envelope: Envelope, content: Buffer): Promise<void> {
    const isReset = this.#needsReset;
    const commands = [
      ...(isReset ? ['RSET\r\n'] : []),
      `MAIL FROM:<${envelope.sender}>${this.#parametersOf(envelope, content)}\r\n`,
      ...envelope.recipients.map((recipient) => `RCPT TO:<${recipient}>\r\n`),
      'DATA\r\n',
    ];
    this.#needsReset = true;
    const all = this.extensions.pipelining ? await this.wire.exchange(commands.join(''), commands.length) : await this.#oneByOne(commands, isReset);
    if (isReset && !isTaken(all[0])) {
      // That says nothing about this message.
      const error = new SmtpError('Could not reset session state', { code: 'ECONNECTION', command: 'RSET' });
      this.wire.lose(error);
      throw error;
    }
    const [sender, ...replies] = isReset ? all.slice(1) : all;
    const data = replies[envelope.recipients.length];
    const refusal = refusalOf(sender, replies.slice(0, envelope.recipients.length));
    if (!refusal && data && isGo(data)) return;
    if (refusal && data && isGo(data)) await this.#endEmpty(sender);
    throw refusal ?? new SmtpError('Data command failed', { code: 'EENVELOPE', command: 'DATA', reply: data ?? replies.at(-1) ?? null });
  }

  async #oneByOne(commands: readonly string[], isReset: boolean): Promise<readonly Reply[]> {
    const replies: Reply[] = [];
    for (const [i, command] of commands.entries()) {
      const isLast = i === commands.length - 1;
      // DATA is for recipients that the server takes; the others need a sender.
      const taken = replies.slice(isReset ? 2 : 1).some(isTaken);
      if (isLast ? !taken : replies.some((reply, at) => at < (isReset ? 2 : 1) && !isTaken(reply))) break;
      replies.push(...(await this.wire.exchange(command, 1)));
    }
    return replies;
  }

  /** The server wants a text although it has refused the sender or all recipients: there is none. */
  async #endEmpty(sender: Reply | undefined): Promise<void> {
    if (isTaken(sender)) await this.wire.exchange('.\r\n', 1).catch(() => undefined);
    else this.wire.lose(new SmtpError('Connection closed unexpectedly', { code: 'ECONNECTION', command: 'DATA' }));
  }

  async #hand(content: Buffer): Promise<void> {
    let isWritten = false;
    const [reply] = await this.wire
      .exchange(dotStuffed(content), 1, () => {
        isWritten = true;
      })
      .catch((e: SmtpError) => {
        throw e.after(isWritten ? 'end' : 'beginning');
      });
    if (!isTaken(reply)) throw new SmtpError('Message failed', { code: 'EMESSAGE', command: 'DATA', reply: reply ?? null }).after('end');
    this.#needsReset = false;
  }

  #parametersOf({ sender, recipients }: Envelope, content: Buffer): string {
    const { smtpUtf8, eightBitMime, size } = this.extensions;
    const utf8 = smtpUtf8 && (isInternational(sender) || recipients.some(isInternational));
    const eightBit = eightBitMime && !isAscii(content);
    return `${utf8 ? ' SMTPUTF8' : ''}${eightBit ? ' BODY=8BITMIME' : ''}${size ? ` SIZE=${content.length}` : ''}`;
  }
}

function checkAddresses({ sender, recipients }: Envelope): void {
  if (recipients.length === 0) throw new SmtpError('No recipients defined', { code: 'EENVELOPE' });
  if (LINE_BREAK_OR_BRACKET.test(sender)) throw new SmtpError(`Invalid sender ${JSON.stringify(sender)}`, { code: 'EENVELOPE' });
  const wrong = recipients.find((recipient) => recipient === '' || LINE_BREAK_OR_BRACKET.test(recipient));
  if (wrong !== undefined) throw new SmtpError(`Invalid recipient ${JSON.stringify(wrong)}`, { code: 'EENVELOPE' });
}

const isTaken = (reply: Reply | undefined): boolean => reply !== undefined && reply.code >= 200 && reply.code < 300;
/** 354; some servers write 250. */
const isGo = ({ code }: Reply): boolean => code >= 200 && code < 400;

/** Why nobody gets the message; null where somebody does. Of several recipients a temporary refusal counts: the message may be tried again. */
function refusalOf(sender: Reply | undefined, recipients: readonly Reply[]): SmtpError | null {
  if (!isTaken(sender)) return new SmtpError('Mail command failed', { code: 'EENVELOPE', command: 'MAIL FROM', reply: sender ?? null });
  if (recipients.some(isTaken)) return null;
  const reply = recipients.find(({ code }) => code < 500) ?? recipients.at(-1) ?? null;
  return new SmtpError("Can't send mail - all recipients were rejected", { code: 'EENVELOPE', command: 'RCPT TO', reply });
}
