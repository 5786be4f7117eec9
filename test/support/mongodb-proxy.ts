import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { BSON } from 'mongodb';

/** A command to the server. */
export interface Command {
  /** `find`, `update`, `findAndModify`, … */
  readonly name: string;
  /** The collection, if the command has one. */
  readonly target: unknown;
}

/**
 * 'pass' it on, 'hold' it until `release`, 'lose' its answer together with the connection, or 'cut' all connections and
 * accept no more, as when the client dies.
 */
export type Verdict = 'pass' | 'hold' | 'lose' | 'cut';

const OP_MSG = 2013;
const HEADER = 16;

/**
 * A proxy between a driver and a real server that parses the messages of the wire protocol, so that a connection can break
 * at an exact step.
 */
export class MongoProxy {
  /** Called for every command except the driver's housekeeping. Without it commands are passed on unread. */
  decide: ((command: Command) => Verdict) | null = null;
  /** While true, nothing is forwarded in either direction. */
  silent = false;
  readonly #sockets = new Set<Socket>();
  readonly #held: (() => void)[] = [];
  /** Server connections whose next answer is dropped. */
  readonly #losing = new WeakSet<Socket>();
  readonly #server: Server;
  #dead = false;

  private constructor(private readonly target: URL) {
    this.#server = createServer((client) => this.#serve(client));
  }

  static async start(url: string): Promise<MongoProxy> {
    const proxy = new MongoProxy(new URL(url));
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** With directConnection: otherwise the driver would discover the server's own address and bypass the proxy. */
  get url(): string {
    return `mongodb://127.0.0.1:${(this.#server.address() as AddressInfo).port}/?directConnection=true`;
  }

  release(): void {
    for (const pass of this.#held.splice(0)) pass();
  }

  cut(): void {
    this.#dead = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve(client: Socket): void {
    if (this.#dead) {
      client.destroy();
      return;
    }
    const server = connect(Number(this.target.port), this.target.hostname);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        this.#sockets.delete(socket);
        other.destroy();
      });
    }
    client.on(
      'data',
      messages((message) => this.#forward(message, server)),
    );
    server.on('data', (chunk) => {
      if (this.#losing.has(server)) server.destroy();
      else if (!this.silent) client.write(chunk);
    });
  }

  #forward(message: Buffer, server: Socket): void {
    if (this.silent || this.#dead) return;
    const command = this.decide && commandOf(message);
    const verdict = (command && this.decide?.(command)) ?? 'pass';
    if (verdict === 'lose') this.#losing.add(server);
    if (verdict === 'cut') this.cut();
    else if (verdict === 'hold') this.#held.push(() => server.write(message));
    else server.write(message);
  }
}

/** Splits a byte stream into messages: each begins with its length. */
function messages(onMessage: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= HEADER && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      onMessage(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

const HOUSEKEEPING: ReadonlySet<string> = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions', 'killCursors']);

/** The command of an OP_MSG: the first field of the document in its first section. */
function commandOf(message: Buffer): Command | null {
  if (message.readInt32LE(12) !== OP_MSG || message[HEADER + 4] !== 0) return null;
  const [[name, target] = ['', null]] = Object.entries(BSON.deserialize(message.subarray(HEADER + 5), { allowObjectSmallerThanBufferSize: true }));
  return HOUSEKEEPING.has(name) ? null : { name, target };
}
