import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Clock } from '../../domain/kernel/ports.js';

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

  private constructor(
    private readonly server: Server,
    readonly origin: string,
  ) {}

  static async start(clock: Pick<Clock, 'now'>, script: Script): Promise<Receiver> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = new Receiver(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('request', async (request, response) => {
      receiver.#began();
      const { socket } = request;
      const ended = () => {
        socket.off('end', ended);
        response.off('close', ended);
        receiver.open -= 1;
      };
      socket.once('end', ended);
      response.once('close', ended);
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const received = { url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString(), at: clock.now() };
      receiver.requests.push(received);
      const nth = receiver.requests.length;
      receiver.#arrived();
      const reply = await script(received, nth);
      if (reply === 'hang') return;
      if (reply === 'hang up') return void request.socket.destroy();
      const { status, body = '', headers = {} } = typeof reply === 'number' ? { status: reply } : reply;
      response.writeHead(status, headers).end(body);
    });
    return receiver;
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
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Counts after what has arrived before the request: the end of another connection may be noticed later than the request. */
  #began(): void {
    this.open += 1;
    setImmediate(() => {
      this.mostOpen = Math.max(this.mostOpen, this.open);
    });
  }
}
