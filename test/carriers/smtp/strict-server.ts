import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

/** What a strict server does beside what RFC 5321 says. */
export interface StrictServerOptions {
  /** Further lines of its reply to EHLO. */
  readonly extensions?: readonly string[];
  /** Its reply to this line, instead of its own; `null` for that. `.` stands for the end of a text. */
  readonly reply?: (line: string, session: StrictSession) => string | null;
  /** The server closes the connection behind its reply to a line that begins so. */
  readonly closesAfter?: string;
  /** The connection breaks once the server has so many bytes. */
  readonly cutAfter?: number;
}

/** A connection, as the server sees it. */
export interface StrictSession {
  /** Number of the connection, from 1. */
  readonly number: number;
  /** All commands, in their order; `.` for the end of a text. */
  readonly commands: string[];
  readonly socket: Socket;
}

/** A mail that the server has taken: its text without the dots that were doubled. */
export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: Buffer;
}

export const ALL_EXTENSIONS = ['PIPELINING', 'SIZE 20971520', '8BITMIME', 'SMTPUTF8'] as const;
const [MAX_COMMAND, MAX_TEXT_LINE] = [2_048, 998];

/**
 * A mail server that takes nothing which a server may refuse: line breaks that are not CR LF, lines that are too long, dots that are not
 * doubled, 8-bit texts and addresses that were not announced, wrong sizes, commands out of order, and several commands at once where it
 * has not offered PIPELINING, or after one that has to be the last. What it has seen of these is in `violations`.
 */
export async function strictServer(options: StrictServerOptions = {}) {
  const taken: TakenMail[] = [];
  const violations: string[] = [];
  const sessions: StrictSession[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    const session = { number: sessions.length + 1, commands: [], socket };
    sessions.push(session);
    new Conversation(session, options, { taken, violations }).start();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      for (const socket of sockets) socket.destroy();
      server.close(() => resolve());
    });
  return { taken, violations, sessions, port, url: `smtp://127.0.0.1:${port}`, close };
}

class Conversation {
  #rest = '';
  #received = 0;
  #text: string[] | null = null;
  #sender: { readonly address: string; readonly parameters: string } | null = null;
  #recipients: string[] = [];

  constructor(
    private readonly session: StrictSession,
    private readonly options: StrictServerOptions,
    private readonly seen: { readonly taken: TakenMail[]; readonly violations: string[] },
  ) {}

  start(): void {
    const { socket } = this.session;
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => this.#read(chunk.toString('latin1')));
    this.#answer('CONNECT', '220 strict.example ESMTP');
  }

  get #extensions(): readonly string[] {
    return this.options.extensions ?? ALL_EXTENSIONS;
  }

  #offers(name: string): boolean {
    return this.#extensions.some((line) => line.split(' ', 1)[0] === name);
  }

  #violates(what: string): void {
    this.seen.violations.push(what);
    this.session.socket.end('521 5.5.0 That is not SMTP\r\n');
  }

  #read(bytes: string): void {
    const { cutAfter = Number.POSITIVE_INFINITY } = this.options;
    const kept = bytes.slice(0, Math.max(0, cutAfter - this.#received));
    this.#received += bytes.length;
    this.#rest += kept;
    this.#readLines();
    if (this.#received >= cutAfter) this.session.socket.destroy();
  }

  #readLines(): void {
    for (let end = this.#rest.indexOf('\n'); end >= 0; end = this.#rest.indexOf('\n')) {
      const line = this.#rest.slice(0, end);
      this.#rest = this.#rest.slice(end + 1);
      if (!line.endsWith('\r') || line.slice(0, -1).includes('\r')) this.#violates(`line break in ${JSON.stringify(line)}`);
      else if (this.#text) this.#readText(line.slice(0, -1));
      else this.#readCommand(line.slice(0, -1));
    }
  }

  #readText(line: string): void {
    if (line === '.') this.#endText();
    else if (line.length > MAX_TEXT_LINE) this.#violates(`line of ${line.length} bytes`);
    else if (line.startsWith('.') && !line.startsWith('..')) this.#violates(`dot in ${JSON.stringify(line)}`);
    else if (/[\x80-\xff]/.test(line) && !this.#sender?.parameters.includes('8BITMIME')) this.#violates(`8 bits in ${JSON.stringify(line)}`);
    else this.#text?.push(line.startsWith('.') ? line.slice(1) : line);
  }

  #endText(): void {
    const text = Buffer.from((this.#text ?? []).map((line) => `${line}\r\n`).join(''), 'latin1');
    const size = /SIZE=(\d+)/.exec(this.#sender?.parameters ?? '')?.[1];
    if (size !== undefined && Number(size) < text.length) this.seen.violations.push(`${text.length} bytes instead of ${size}`);
    const mail = { from: this.#sender?.address ?? '', to: this.#recipients, text };
    this.#text = null;
    if (this.#answer('.', mail.to.length > 0 ? '250 2.0.0 Taken' : '554 5.5.1 No valid recipients')) this.seen.taken.push(mail);
    this.#reset();
  }

  #reset(): void {
    this.#sender = null;
    this.#recipients = [];
  }

  #readCommand(line: string): void {
    const verb = /^[A-Za-z]*/.exec(line)?.[0].toUpperCase() ?? '';
    const problem = this.#problemOf(verb, line);
    if (problem === null) this.#perform(verb, line);
    else this.#violates(`${problem} ${line}`);
  }

  #problemOf(verb: string, line: string): string | null {
    if (line.length > MAX_COMMAND) return 'long command';
    const mayHaveMore = this.#offers('PIPELINING') && ['RSET', 'MAIL', 'RCPT'].includes(verb);
    if (this.#rest !== '' && !mayHaveMore) return 'more after';
    const parameters = verb === 'MAIL' ? line : (this.#sender?.parameters ?? '');
    return /[\x80-\xff]/.test(line) && !parameters.includes(' SMTPUTF8') ? 'letters in' : null;
  }

  #perform(verb: string, line: string): void {
    switch (verb) {
      case 'EHLO':
        this.#answer(line, ['250-strict.example', ...this.#extensions.map((one) => `250-${one}`), '250 HELP'].join('\r\n'));
        return;
      case 'MAIL':
        this.#takeSender(line);
        return;
      case 'RCPT':
        this.#takeRecipient(line);
        return;
      case 'DATA':
        if (this.#answer(line, this.#recipients.length > 0 ? '354 Go on' : '554 5.5.1 No valid recipients')) this.#text = [];
        return;
      case 'RSET':
        if (this.#answer(line, '250 2.0.0 Ok')) this.#reset();
        return;
      case 'QUIT':
        this.session.commands.push(line);
        this.session.socket.end('221 2.0.0 Bye\r\n');
        return;
      default:
        this.#answer(line, '500 5.5.2 Unknown command');
    }
  }

  #takeSender(line: string): void {
    const [, address = '', parameters = ''] = /^MAIL FROM:<([^<>]*)>((?: [A-Z0-9]+(?:=[A-Z0-9]+)?)*)$/.exec(line) ?? [];
    const named = [...parameters.matchAll(/ ([A-Z0-9]+)(?:=([A-Z0-9]+))?/g)].map(([, name = '', value = '']) => (name === 'BODY' ? value : name));
    if (address === '' || !named.every((name) => this.#offers(name))) this.#violates(`syntax of ${line}`);
    else if (this.#sender) this.#answer(line, '503 5.5.1 Nested MAIL');
    else if (this.#answer(line, '250 2.1.0 Ok')) this.#sender = { address: utf8(address), parameters };
  }

  #takeRecipient(line: string): void {
    const [, address = ''] = /^RCPT TO:<([^<>]+)>$/.exec(line) ?? [];
    if (address === '') this.#violates(`syntax of ${line}`);
    else if (!this.#sender) this.#answer(line, '503 5.5.1 MAIL first');
    else if (this.#answer(line, '250 2.1.5 Ok')) this.#recipients.push(utf8(address));
  }

  /** Whether the reply is positive. */
  #answer(line: string, own: string): boolean {
    if (line !== 'CONNECT') this.session.commands.push(utf8(line));
    const reply = this.options.reply?.(line, this.session) ?? own;
    if (reply !== '') this.session.socket.write(`${reply}\r\n`);
    const { closesAfter } = this.options;
    if (closesAfter !== undefined && line.startsWith(closesAfter)) this.session.socket.end();
    return /^[23]/.test(reply);
  }
}

const utf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString();
