import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { OutgoingMessage } from '../../carriers/runtime/carrier.js';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An answer; or `hang up`: the connection is closed after the request was read. */
export type Reply = { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } | 'hang up';

/** A carrier on this machine: it keeps the requests and answers as the spec says. */
export class FakeCarrier {
  readonly requests: ReceivedRequest[] = [];
  readonly #sockets = new Set<Socket>();

  readonly #server = createServer();

  private constructor(public reply: (request: ReceivedRequest) => Reply | Promise<Reply>) {
    this.#server.on('connection', (socket) => this.#sockets.add(socket));
    this.#server.on('request', async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = '', url = '', headers } = request;
      const received = { method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') };
      this.requests.push(received);
      const answer = await this.reply(received);
      if (answer === 'hang up') return void request.socket.destroy();
      const text = answer.body === undefined ? '' : typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(text);
    });
  }

  static async start(reply: (request: ReceivedRequest) => Reply | Promise<Reply>): Promise<FakeCarrier> {
    const fake = new FakeCarrier(reply);
    await fake.#listen();
    return fake;
  }

  /** For the suite that calls this, from its start to its end. */
  static own(reply: (request: ReceivedRequest) => Reply | Promise<Reply>): FakeCarrier {
    const fake = new FakeCarrier(reply);
    before(() => fake.#listen());
    after(() => fake.stop());
    return fake;
  }

  async #listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Known once it listens. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    if (!this.#server.listening) return;
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** A text message; the fields of `changes` replace its own. */
export const textMessage = (changes: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  ...{ message_id: 'msg_01J00000000000000000000001', account: 'acc_1', channel: 'sms', to: '+14155550100', from: '+14155550199' },
  ...{ category: 'transactional', content: { message: 'Code 1234 & more' }, attempt: 1 },
  ...changes,
});

/** An email with everything. */
export const fullEmail = (changes: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  ...{ message_id: 'msg_01J00000000000000000000002', account: 'acc_1', channel: 'email', to: 'ada@example.com', from: 'shop@example.org' },
  ...{ category: 'transactional', attempt: 1 },
  content: {
    ...{
      message: 'Hello',
      html: '<p>Hello</p>',
      subject: 'Grüße',
      to_name: 'Ada "the" Lovelace',
      from_name: 'Käse & Co',
      reply_to: 'reply@example.org',
    },
    attachments: [{ filename: 'a.txt', content_type: 'text/plain', bytes: 2, content: 'aGk=' }],
  },
  cc: [
    { address: 'cc@example.com', name: null },
    { address: 'ADA@example.com', name: 'Ada again' },
  ],
  bcc: [{ address: 'bcc@example.com', name: 'Bcc' }],
  headers: {
    'List-Unsubscribe': '<https://example.org/u/1>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    'Content-Type': 'text/evil',
  },
  ...changes,
});
