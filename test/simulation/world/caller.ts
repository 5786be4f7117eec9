import type { Request, Response } from './http.js';
import type { Node } from './node.js';
import type { World } from './world.js';

/** A request and what became of it. `response` is null where no node ever answered. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response | null;
  /** Virtual time of the first try and of the answer, in milliseconds since 1970. */
  readonly sentAt: number;
  readonly answeredAt: number;
  readonly tries: number;
}

const MAX_TRIES = 8;
const MEAN_PAUSE_MS = 3_000;

/** The programs that use the API. They repeat a request under the same idempotency key until they get a final answer. */
export class Caller {
  apiKey = '';
  readonly exchanges: Exchange[] = [];
  /** Requests without an answer so far. */
  open = 0;

  constructor(
    private readonly world: World,
    private readonly nodes: readonly Node[],
  ) {}

  /** Does something that counts as a request without an answer until it is over. */
  async hold(work: () => Promise<void>): Promise<void> {
    this.open += 1;
    await work();
    this.open -= 1;
  }

  async send(method: string, path: string, body?: unknown, idempotencyKey?: string, more: Request['headers'] = {}): Promise<Exchange> {
    const random = this.world.random('callers');
    const headers = { 'x-api-key': this.apiKey, ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }), ...more };
    const request: Request = { method, path, headers, body };
    const sentAt = this.world.now;
    this.open += 1;
    let response: Response | null = null;
    let tries = 0;
    while (tries < MAX_TRIES) {
      tries += 1;
      await this.world.sleep(random.duration(5), 'callers');
      response = await random.pick(this.nodes).request(request);
      if (response && response.status < 500 && response.status !== 429) break;
      await this.world.sleep(random.duration(MEAN_PAUSE_MS * tries), 'callers');
    }
    this.open -= 1;
    const exchange = { request, response, sentAt, answeredAt: this.world.now, tries };
    this.exchanges.push(exchange);
    this.world.trace('callers', `${method} ${path} ${idempotencyKey ?? ''} → ${response?.status ?? 'no answer'} after ${tries} tries`);
    return exchange;
  }
}
