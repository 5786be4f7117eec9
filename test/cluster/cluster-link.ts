import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP proxy between one node and one server. Its own port is constant while the server restarts at other ports. */
export class Link {
  /** The current port of the server. */
  port = 0;
  readonly #flows = new Set<Flow>();
  readonly #server: Server;
  #silent = false;
  #delayMs = 0;

  private constructor() {
    this.#server = createServer((client) => this.#connect(client));
  }

  static async open(): Promise<Link> {
    const link = new Link();
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  /** The address that the node connects to: `host:port`. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Holds back all data in both directions, even the end of a connection. No connection breaks. */
  silence(): void {
    this.#silent = true;
  }

  /** Delays all data by `ms` in each direction. */
  slow(ms: number): void {
    this.#delayMs = ms;
  }

  /** Breaks the open connections. New ones are accepted at once. */
  cut(): void {
    for (const flow of [...this.#flows]) flow.cut();
  }

  /** Ends all faults. Data that was held back is delivered now. */
  heal(): void {
    this.#silent = false;
    this.#delayMs = 0;
    for (const flow of this.#flows) flow.flush();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #connect(client: Socket): void {
    const server = connect(this.port, '127.0.0.1');
    const state = { silent: () => this.#silent, delayMs: () => this.#delayMs };
    const flows = [new Flow(client, server, state), new Flow(server, client, state)];
    for (const flow of flows) {
      this.#flows.add(flow);
      flow.from.on('close', () => this.#flows.delete(flow));
    }
  }
}

interface Chunk {
  /** Null: the end of the connection. */
  readonly data: Buffer | null;
  readonly due: number;
}

/** One direction of one connection. */
class Flow {
  readonly #chunks: Chunk[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly from: Socket,
    private readonly to: Socket,
    private readonly state: { readonly silent: () => boolean; readonly delayMs: () => number },
  ) {
    from.on('data', (data) => this.#enqueue(data));
    from.on('close', () => this.#enqueue(null));
    from.on('error', () => {});
  }

  cut(): void {
    clearTimeout(this.#timer);
    this.#chunks.length = 0;
    this.from.destroy();
    this.to.destroy();
  }

  /** Forwards the data that is due and schedules the rest. */
  flush(): void {
    clearTimeout(this.#timer);
    while (!this.state.silent()) {
      const [first] = this.#chunks;
      if (!first) return;
      const wait = Math.min(first.due - performance.now(), this.state.delayMs());
      if (wait > 0) {
        this.#timer = setTimeout(() => this.flush(), wait);
        return;
      }
      this.#chunks.shift();
      if (first.data === null) this.to.destroySoon();
      else this.to.write(first.data);
    }
  }

  #enqueue(data: Buffer | null): void {
    this.#chunks.push({ data, due: performance.now() + this.state.delayMs() });
    if (this.#chunks.length === 1 || this.state.delayMs() === 0) this.flush();
  }
}
