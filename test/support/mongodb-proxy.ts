import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { BSON } from 'mongodb';

/** A command on its way to the server. */
export interface Command {
  /** `find`, `update`, `findAndModify`, … */
  readonly name: string;
  /** The collection, where it concerns one. */
  readonly target: unknown;
}

/**
 * 'pass' it on, 'hold' it back until released, 'lose' its answer and the connection with it, or 'cut' all connections and
 * take no more: as when the client dies.
 */
export type Verdict = 'pass' | 'hold' | 'lose' | 'cut';

const OP_MSG = 2013;
const HEADER = 16;

/**
 * Stands between a driver and a real server and knows where one message of the wire protocol ends and what it asks for,
 * so that a connection can break at an exact step.
 */
export class MongoProxy {
  /** Asked for every command but those of the driver's own housekeeping. */
  decide: (command: Command) => Verdict = () => 'pass';
  /** While true nothing goes through in either direction, and nothing is refused. */
  silent = false;
  readonly #sockets = new Set<Socket>();
  readonly #held: (() => void)[] = [];
  /** Connections to the server whose next answer is lost. */
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

  /** Directly: otherwise the driver would ask the server for its own address and go there. */
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
    const command = commandOf(message);
    const verdict = command ? this.decide(command) : 'pass';
    if (verdict === 'lose') this.#losing.add(server);
    if (verdict === 'cut') this.cut();
    else if (verdict === 'hold') this.#held.push(() => server.write(message));
    else server.write(message);
  }
}

/** Hands on whole messages: each begins with its length. */
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

/** The command of an OP_MSG: after its flags and the kind of its first section stands a document whose first field names it. */
function commandOf(message: Buffer): Command | null {
  if (message.readInt32LE(12) !== OP_MSG || message[HEADER + 4] !== 0) return null;
  const [[name, target] = ['', null]] = Object.entries(BSON.deserialize(message.subarray(HEADER + 5), { allowObjectSmallerThanBufferSize: true }));
  return HOUSEKEEPING.has(name) ? null : { name, target };
}
