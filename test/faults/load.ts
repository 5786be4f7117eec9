import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply, Service } from '../support/service.js';
import { between, pick, type Random } from './random.js';

/** One request of a caller, and its answer if there was one. */
export interface SentRequest {
  readonly path: string;
  readonly body: object;
  /** Unique to the messages of this request, to find them without an answer. */
  readonly tag: string;
  readonly size: number;
  readonly key: string | null;
  readonly webhook: boolean;
  tries: number;
  answer: { readonly text: string; readonly ids: readonly string[] } | null;
}

/** The rate of requests. */
export interface Pace {
  /** Mean pause of one caller between two requests. */
  readonly pauseMs: number;
  /** Sizes of a bulk, weighted. */
  readonly bulks: readonly (readonly [weight: number, size: { readonly from: number; readonly to: number }])[];
}

/** For one machine with local files. A large bulk takes two chunks and a final append. */
const BRISK: Pace = {
  pauseMs: 40,
  bulks: [
    [9, { from: 20, to: 120 }],
    [1, { from: 600, to: 700 }],
  ],
};
/** The sandbox carrier is busy twice for this address, then accepts the message. */
const BUSY = '+15005550005';

/**
 * Callers that send and record requests. A request with an idempotency key is repeated until it is answered, and sometimes
 * once more. A request without one is never repeated, since that would create another message.
 */
export class Load {
  readonly requests: SentRequest[] = [];
  /** Answers that are never allowed. */
  readonly unexpected: string[] = [];
  answers = 0;
  broken = 0;
  readonly #unanswered: SentRequest[] = [];
  readonly #ending = new AbortController();
  #callers: Promise<unknown> = Promise.resolve();
  #open: Promise<void> = Promise.resolve();
  #reopen: () => void = () => {};
  #answered: () => void = () => {};

  constructor(
    private readonly service: Pick<Service, 'api'>,
    private readonly receiver: string,
    private readonly random: Random,
    private readonly pace: Pace = BRISK,
  ) {}

  start(callers: number): void {
    this.#callers = Promise.all(Array.from({ length: callers }, () => this.#call()));
  }

  /** Pauses the callers. */
  close(): void {
    this.open();
    this.#open = new Promise((resolve) => {
      this.#reopen = resolve;
    });
  }

  open(): void {
    this.#reopen();
  }

  /** Resolves at the next answer. */
  answer(): Promise<void> {
    return new Promise((resolve) => {
      this.#answered = resolve;
    });
  }

  /** Ends the callers once every repeatable request is answered. */
  async finish(): Promise<void> {
    this.#ending.abort();
    await this.#callers;
  }

  async #call(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted || this.#unanswered.length > 0) {
      await this.#open;
      await this.#send(this.#unanswered.shift() ?? (signal.aborted ? this.#repeated() : this.#next()));
      await sleep(this.random() * 2 * this.pace.pauseMs);
    }
  }

  /** A new request, or now and then an answered one. */
  #next(): SentRequest {
    return this.random() < 0.05 ? this.#repeated() : this.#new();
  }

  #repeated(): SentRequest {
    const keyed = this.requests.filter(({ key }) => key !== null);
    return keyed[between(this.random, 0, keyed.length)] ?? this.#new();
  }

  #new(): SentRequest {
    const n = this.requests.length;
    const tag = `request-${n}`;
    const bulk = this.random() < 0.06;
    const { from, to: below } = pick(this.random, this.pace.bulks);
    const size = bulk ? between(this.random, from, below) : 1;
    const webhook = !bulk && this.random() < 0.3;
    const to = !bulk && this.random() < 0.03 ? BUSY : `+1415${String(2_000_000 + n).slice(-7)}`;
    const path = pick(this.random, [
      [3, 'good'],
      [1, 'shaky'],
    ]);
    const message = { to, channel: 'sms', message: tag, tags: [tag], ...(webhook && { webhook_url: `${this.receiver}/${path}` }) };
    const request: SentRequest = {
      path: bulk ? '/v1/messages/bulk' : '/v1/messages/send',
      body: bulk ? { defaults: message, messages: Array.from({ length: size }, (_, i) => ({ metadata: { i } })) } : message,
      tag,
      size,
      key: this.random() < 0.7 ? `key-${n}` : null,
      webhook,
      tries: 0,
      answer: null,
    };
    this.requests.push(request);
    return request;
  }

  async #send(request: SentRequest): Promise<void> {
    request.tries += 1;
    try {
      const reply = await this.service.api('POST', request.path, request.body, request.key === null ? {} : { 'Idempotency-Key': request.key });
      this.#record(request, reply);
    } catch {
      this.broken += 1;
      if (request.key !== null) this.#unanswered.push(request);
    }
  }

  #record(request: SentRequest, { status, text, body }: Reply): void {
    if (status !== 202) {
      this.unexpected.push(`${request.tag}: ${status} ${text.slice(0, 200)}`);
      return;
    }
    const ids = request.path.endsWith('/bulk') ? body.messages.map(({ id }: { id: string }) => id) : [body.id];
    if (request.answer && request.answer.text !== text) this.unexpected.push(`${request.tag} was answered ${request.answer.text} and then ${text}`);
    if (ids.length !== request.size) this.unexpected.push(`${request.tag} has ${ids.length} ids instead of ${request.size}`);
    request.answer ??= { text, ids };
    this.answers += 1;
    this.#answered();
  }
}
