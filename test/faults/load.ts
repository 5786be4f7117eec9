import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply, Service } from '../support/service.js';
import { between, pick, type Random } from './random.js';

/** What a caller knows of one request: what he asked, and what he was answered, if he was. */
export interface Asked {
  readonly path: string;
  readonly body: object;
  /** Carried by each of its messages and by nothing else, so that they can be found where no answer came. */
  readonly tag: string;
  readonly size: number;
  readonly key: string | null;
  readonly webhook: boolean;
  tries: number;
  answer: { readonly text: string; readonly ids: readonly string[] } | null;
}

/** How much they ask. */
export interface Pace {
  /** Mean pause of one caller between two requests. */
  readonly pauseMs: number;
  /** Sizes of a bulk with how often they come. */
  readonly bulks: readonly (readonly [weight: number, size: { readonly from: number; readonly to: number }])[];
}

/** For one machine with its own files. The large bulks take two appends and the one that makes them count. */
const BRISK: Pace = {
  pauseMs: 40,
  bulks: [
    [9, { from: 20, to: 120 }],
    [1, { from: 600, to: 700 }],
  ],
};
/** A busy carrier: refuses twice for now, then takes the message. */
const BUSY = '+15005550005';

/**
 * Callers that send and keep a record. A caller with an idempotency key repeats until he is answered, sometimes once more
 * after that; a caller without one never repeats, since that would be another message.
 */
export class Load {
  readonly asked: Asked[] = [];
  /** Whatever no caller should ever meet. */
  readonly surprises: string[] = [];
  answers = 0;
  broken = 0;
  readonly #unanswered: Asked[] = [];
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

  /** Callers wait from here on instead of running against a closed door. */
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

  /** Ends the callers once everything that may be repeated is answered. */
  async finish(): Promise<void> {
    this.#ending.abort();
    await this.#callers;
  }

  async #call(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted || this.#unanswered.length > 0) {
      await this.#open;
      await this.#ask(this.#unanswered.shift() ?? (signal.aborted ? this.#repeated() : this.#next()));
      await sleep(this.random() * 2 * this.pace.pauseMs);
    }
  }

  /** Something new, or now and then something that was answered already. */
  #next(): Asked {
    return this.random() < 0.05 ? this.#repeated() : this.#new();
  }

  #repeated(): Asked {
    const keyed = this.asked.filter(({ key }) => key !== null);
    return keyed[between(this.random, 0, keyed.length)] ?? this.#new();
  }

  #new(): Asked {
    const n = this.asked.length;
    const tag = `asked-${n}`;
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
    const asked: Asked = {
      path: bulk ? '/v1/messages/bulk' : '/v1/messages/send',
      body: bulk ? { defaults: message, messages: Array.from({ length: size }, (_, i) => ({ metadata: { i } })) } : message,
      tag,
      size,
      key: this.random() < 0.7 ? `key-${n}` : null,
      webhook,
      tries: 0,
      answer: null,
    };
    this.asked.push(asked);
    return asked;
  }

  async #ask(asked: Asked): Promise<void> {
    asked.tries += 1;
    try {
      const reply = await this.service.api('POST', asked.path, asked.body, asked.key === null ? {} : { 'Idempotency-Key': asked.key });
      this.#take(asked, reply);
    } catch {
      this.broken += 1;
      if (asked.key !== null) this.#unanswered.push(asked);
    }
  }

  #take(asked: Asked, { status, text, body }: Reply): void {
    if (status !== 202) {
      this.surprises.push(`${asked.tag}: ${status} ${text.slice(0, 200)}`);
      return;
    }
    const ids = asked.path.endsWith('/bulk') ? body.messages.map(({ id }: { id: string }) => id) : [body.id];
    if (asked.answer && asked.answer.text !== text) this.surprises.push(`${asked.tag} was answered ${asked.answer.text} and then ${text}`);
    if (ids.length !== asked.size) this.surprises.push(`${asked.tag} has ${ids.length} ids instead of ${asked.size}`);
    asked.answer ??= { text, ids };
    this.answers += 1;
    this.#answered();
  }
}
