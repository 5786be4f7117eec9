import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The way between one node and one server, which stays at its port while the server comes and goes at others. */
export class Link {
  /** Where the server is now. */
  port = 0;
  readonly #flows = new Set<Flow>();
  readonly #server: Server;
  #silent = false;
  #delayMs = 0;

  private constructor() {
    this.#server = createServer((client) => this.#carry(client));
  }

  static async open(): Promise<Link> {
    const link = new Link();
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  /** Where the node believes the server to be. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Nothing arrives any more, in either direction, and nothing breaks: not even the end of a connection is noticed. */
  silence(): void {
    this.#silent = true;
  }

  /** Everything takes so much longer, in each direction. */
  slow(ms: number): void {
    this.#delayMs = ms;
  }

  /** Breaks the connections that are open. New ones may be made at once. */
  cut(): void {
    for (const flow of [...this.#flows]) flow.cut();
  }

  /** As it should be. What was held back arrives now. */
  heal(): void {
    this.#silent = false;
    this.#delayMs = 0;
    for (const flow of this.#flows) flow.go();
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #carry(client: Socket): void {
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
  /** Null: the end. */
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
    from.on('data', (data) => this.#take(data));
    from.on('close', () => this.#take(null));
    from.on('error', () => {});
  }

  cut(): void {
    clearTimeout(this.#timer);
    this.#chunks.length = 0;
    this.from.destroy();
    this.to.destroy();
  }

  /** Hands on what is due, and comes back for the rest. */
  go(): void {
    clearTimeout(this.#timer);
    while (!this.state.silent()) {
      const [first] = this.#chunks;
      if (!first) return;
      const wait = Math.min(first.due - performance.now(), this.state.delayMs());
      if (wait > 0) {
        this.#timer = setTimeout(() => this.go(), wait);
        return;
      }
      this.#chunks.shift();
      if (first.data === null) this.to.destroySoon();
      else this.to.write(first.data);
    }
  }

  #take(data: Buffer | null): void {
    this.#chunks.push({ data, due: performance.now() + this.state.delayMs() });
    if (this.#chunks.length === 1 || this.state.delayMs() === 0) this.go();
  }
}
