import type { Server } from 'node:http';
import { Duplex } from 'node:stream';
import { CALLERS, type Request, requestText } from './http.js';

/** A connection of a browser that follows a stream of server-sent events. */
export interface Live {
  /** Resolves when the stream is over, on either side, or its node has crashed. */
  readonly ended: Promise<void>;
  /** The browser leaves. */
  close(): void;
  /** The node has crashed: nothing arrives any more. */
  drop(): void;
}

export interface LiveHandlers {
  readonly onStatus: (status: number) => void;
  /** A part of the body. */
  readonly onText: (text: string) => void;
}

/** The server's end of a connection whose answer is read while it is written. */
class LiveConnection extends Duplex {
  #received = Buffer.alloc(0);
  #isBody = false;

  constructor(
    readonly remoteAddress: string,
    private readonly handlers: LiveHandlers,
    private readonly onEnd: () => void,
  ) {
    super();
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#received = Buffer.concat([this.#received, chunk]);
    if (!this.#isBody) this.#readHead();
    if (this.#isBody) this.#readChunks();
    done();
  }

  override _final(done: () => void): void {
    done();
    this.onEnd();
  }

  #readHead(): void {
    const end = this.#received.indexOf('\r\n\r\n');
    if (end < 0) return;
    const head = this.#received.toString('latin1', 0, end);
    this.handlers.onStatus(Number(head.split(' ', 2)[1]));
    this.#isBody = true;
    this.#received = this.#received.subarray(end + 4);
  }

  /** Each chunk is whole characters: the service writes texts. */
  #readChunks(): void {
    for (;;) {
      const end = this.#received.indexOf('\r\n');
      const size = Number.parseInt(this.#received.toString('latin1', 0, Math.max(0, end)), 16);
      if (!(size > 0) || this.#received.length < end + 2 + size + 2) return;
      this.handlers.onText(this.#received.toString('utf8', end + 2, end + 2 + size));
      this.#received = this.#received.subarray(end + 2 + size + 2);
    }
  }
}

/** Sends a request to a server that does not listen, and hands over its answer as it comes. */
export function follow(server: Server, request: Request, handlers: LiveHandlers, open: Set<Duplex>): Live {
  let over = (): void => {};
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  let isOver = false;
  const drop = (): void => {
    isOver = true;
    over();
  };
  const whileOpen =
    <T>(handle: (value: T) => void) =>
    (value: T) =>
      void (isOver || handle(value));
  const own = { onStatus: whileOpen(handlers.onStatus), onText: whileOpen(handlers.onText) };
  const close = (): void => {
    open.delete(connection);
    connection.destroy();
    drop();
  };
  const connection: LiveConnection = new LiveConnection(request.from ?? CALLERS, own, close);
  open.add(connection);
  server.emit('connection', connection);
  connection.push(requestText(request));
  return { ended, close, drop };
}
