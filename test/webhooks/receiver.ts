import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../domain/kernel/ports.js';
import { systemClock } from '../../ops/system/clock.js';

export interface Received {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** By the clock of the test. */
  readonly at: number;
}

export type Reply = number | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> } | 'hang' | 'hang up';
/** The reply to the nth request, from 1. */
export type Script = (received: Received, nth: number) => Reply | Promise<Reply>;

/** A customer's server, on a free port. */
export class Receiver {
  readonly requests: Received[] = [];
  /** Requests in flight, and their maximum so far. One whose caller has closed its connection is no longer in flight. */
  open = 0;
  mostOpen = 0;
  #taken = 0;
  #arrived: () => void = () => {};

  readonly #server = createServer();

  private constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly script: Script,
  ) {
    this.#server.on('request', (request, response) => this.#answer(request, response));
  }

  static async start(clock: Pick<Clock, 'now'>, script: Script): Promise<Receiver> {
    const receiver = new Receiver(clock, script);
    await receiver.#listen();
    return receiver;
  }

  /** For the suite that calls this, from its start to its end. */
  static own(script: Script = () => 200): Receiver {
    const receiver = new Receiver(systemClock, script);
    before(() => receiver.#listen());
    after(() => receiver.close());
    return receiver;
  }

  /** Known once it listens. */
  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async #listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#began();
    const { socket } = request;
    const ended = () => {
      socket.off('end', ended);
      response.off('close', ended);
      this.open -= 1;
    };
    socket.once('end', ended);
    response.once('close', ended);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received = { url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString(), at: this.clock.now() };
    this.requests.push(received);
    const nth = this.requests.length;
    this.#arrived();
    const reply = await this.script(received, nth);
    if (reply === 'hang') return;
    if (reply === 'hang up') return void socket.destroy();
    const { status, body = '', headers = {} } = typeof reply === 'number' ? { status: reply } : reply;
    response.writeHead(status, headers).end(body);
  }

  /** The next request that `next` has not returned yet; waits for it. */
  async next(): Promise<Received> {
    for (;;) {
      const request = this.requests[this.#taken];
      if (request) {
        this.#taken += 1;
        return request;
      }
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Counts after what has arrived before the request: the end of another connection may be noticed later than the request. */
  #began(): void {
    this.open += 1;
    setImmediate(() => {
      this.mostOpen = Math.max(this.mostOpen, this.open);
    });
  }
}
