import type { Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import type { Clock, Timer } from '../../domain/kernel/clock.js';
import { SmtpError, socketError } from './errors.js';
import type { ServerTimeouts } from './mail-server.js';
import { type Reply, ReplyReader } from './replies.js';

/** Milliseconds that a server has to close its side, once this side is closed. */
const CLOSING_MS = 5_000;
/** Bytes of a message in one write: a long one is seen to make progress. */
const PIECE = 65_536;

/** Replies that are awaited. */
interface PendingReplies {
  readonly count: number;
  readonly replies: Reply[];
  readonly resolve: (replies: readonly Reply[]) => void;
  readonly reject: (error: SmtpError) => void;
}

/** What is called when nobody asks: at most once each. */
export interface WireEvents {
  /** The connection is gone. */
  readonly lost: () => void;
  /** Nothing was written or read for the time that a connection may be without work. */
  readonly idle: () => void;
}

/**
 * A connection to a mail server as commands and replies. Once it is lost, whatever comes is ignored. It keeps the process alive only while
 * a reply is awaited.
 */
export class Wire {
  events: WireEvents | null = null;
  #reader = new ReplyReader();
  #awaited: PendingReplies | null = null;
  #lost: SmtpError | null = null;
  #touchedAt: number;
  #deadline: { readonly at: number; readonly message: string } | null = null;
  #timer: Timer | null = null;
  #securing: ((error: SmtpError) => void) | null = null;
  #isClosing = false;

  constructor(
    private socket: Socket,
    private readonly clock: Pick<Clock, 'now' | 'timer'>,
    private readonly timeouts: ServerTimeouts,
  ) {
    this.#touchedAt = clock.now();
    this.#listen();
    this.#arm();
  }

  /** Whether more can be written. */
  get isOpen(): boolean {
    return this.#lost === null && !this.#isClosing;
  }

  /** What comes next must be done within so many milliseconds, or the connection is lost with this message; null ends the limit. */
  limit(ms: number | null, message = ''): void {
    this.#deadline = ms === null ? null : { at: this.clock.now() + Math.max(0, ms), message };
    this.#arm();
  }

  /**
   * Writes commands, and resolves with their replies. With fewer where one refuses and the connection is lost before the next: `421` ends
   * it. Else rejects with an SmtpError where the connection is lost. `onLast`: called before the last bytes of a message are written.
   */
  exchange(commands: string | Buffer, count: number, onLast?: () => void): Promise<readonly Reply[]> {
    if (this.#lost) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#awaited = { count, replies: [], resolve, reject };
      this.#touchedAt = this.clock.now();
      this.socket.ref();
      if (typeof commands !== 'string') this.#writePieces(commands, onLast);
      else if (commands !== '') this.socket.write(commands);
    });
  }

  /** The last piece follows once the others have left this process: until then the server cannot have all. */
  #writePieces(bytes: Buffer, onLast: (() => void) | undefined): void {
    const lastFrom = Math.floor((bytes.length - 1) / PIECE) * PIECE;
    const writeLast = (): void => {
      onLast?.();
      this.socket.write(lastFrom === 0 ? bytes : bytes.subarray(lastFrom));
    };
    for (let from = 0; from < lastFrom; from += PIECE)
      this.socket.write(bytes.subarray(from, from + PIECE), (error) => {
        this.#touchedAt = this.clock.now();
        if (!error && this.isOpen && from + PIECE === lastFrom) writeLast();
      });
    if (lastFrom === 0) writeLast();
  }

  /** Goes on over TLS. What the server wrote before is forgotten (RFC 3207, 6). Rejects with an SmtpError. */
  secure(options: ConnectionOptions): Promise<void> {
    if (this.#lost) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      this.#securing = reject;
      this.#reader = new ReplyReader();
      const plain = this.socket;
      plain.off('data', this.#onData).off('error', this.#onError).off('close', this.#onClose);
      plain.on('error', () => undefined);
      try {
        this.socket = connectTls({ ...options, socket: plain }, () => {
          this.#securing = null;
          resolve();
        });
      } catch (e) {
        return this.lose(socketError(e));
      }
      this.#listen();
    });
  }

  /** Waits for work. */
  rest(): void {
    this.#touchedAt = this.clock.now();
    this.socket.unref();
  }

  /** Says goodbye. */
  quit(): void {
    if (!this.isOpen) return;
    this.#isClosing = true;
    this.#timer?.cancel();
    this.socket.end('QUIT\r\n').unref();
    this.#timer = this.clock.timer(CLOSING_MS, () => this.socket.destroy());
  }

  /** Breaks the connection. What is awaited fails with this error. */
  lose(error: SmtpError): void {
    if (this.#lost) return;
    this.#lost = error;
    this.#timer?.cancel();
    this.socket.destroy();
    this.#securing?.(error);
    const { replies = [], resolve, reject } = this.#awaited ?? {};
    this.#awaited = null;
    if (replies.some(({ code }) => code >= 400)) resolve?.(replies);
    else reject?.(error);
    this.events?.lost();
  }

  #listen(): void {
    this.socket.on('data', this.#onData).on('error', this.#onError).on('close', this.#onClose);
  }

  readonly #onData = (chunk: Buffer): void => {
    if (!this.isOpen) return;
    this.#touchedAt = this.clock.now();
    try {
      for (const reply of this.#reader.read(chunk)) this.#take(reply);
    } catch (e) {
      this.lose(new SmtpError((e as Error).message, { code: 'EPROTOCOL', command: 'CONN' }));
    }
  };

  readonly #onError = (error: Error): void => this.lose(socketError(error));

  readonly #onClose = (): void => {
    const { refusal } = this.#reader;
    if (refusal && this.#awaited) this.#take(refusal);
    this.lose(new SmtpError('Connection closed unexpectedly', { code: this.#securing ? 'ETLS' : 'ECONNECTION', command: 'CONN' }));
  };

  #take(reply: Reply): void {
    if (this.#lost) return;
    const awaited = this.#awaited;
    awaited?.replies.push(reply);
    if (reply.code === CLOSES) this.lose(new SmtpError('Server closed the connection', { code: 'ECONNECTION', command: 'CONN', reply }));
    else if (!awaited) this.lose(new SmtpError('Unexpected Response', { code: 'EPROTOCOL', command: 'CONN', reply }));
    else if (awaited.replies.length === awaited.count) {
      this.#awaited = null;
      awaited.resolve(awaited.replies);
    }
  }

  /** One timer, which is set anew only when it fires: each message writes and reads several times. */
  #arm(): void {
    if (!this.isOpen) return;
    this.#timer?.cancel();
    const { silence, idle } = this.timeouts;
    const now = this.clock.now();
    const left = this.#touchedAt + (this.#awaited ? silence : idle) - now;
    const untilDeadline = (this.#deadline?.at ?? Number.POSITIVE_INFINITY) - now;
    this.#timer = this.clock.timer(Math.max(1, Math.min(left, untilDeadline, silence, idle)), () => this.#checkTime());
  }

  #checkTime(): void {
    const now = this.clock.now();
    const deadline = this.#deadline;
    const since = now - this.#touchedAt;
    if (deadline && now >= deadline.at) this.lose(new SmtpError(deadline.message, { code: 'ETIMEDOUT', command: 'CONN' }));
    else if (this.#awaited && since >= this.timeouts.silence) this.lose(new SmtpError('Timeout', { code: 'ETIMEDOUT', command: 'CONN' }));
    else if (!this.#awaited && !this.#securing && since >= this.timeouts.idle) this.events?.idle();
    this.#arm();
  }
}
/** The reply by which a server says that it closes the connection (RFC 5321, 4.2.4.2). */
const CLOSES = 421;
