/** The inbox of one contact over HTTP: calls with its token, and the live stream, which goes on after its last event. */

export interface Message {
  readonly id: string;
  readonly title: string | null;
  readonly message: string;
  readonly action_url: string | null;
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly created_at: string;
  readonly seen_at: string | null;
  readonly read_at: string | null;
  readonly archived_at: string | null;
  readonly expires_at: string | null;
}

export interface Counts {
  readonly unseen: number;
  readonly unread: number;
}

export interface Page {
  readonly data: readonly Message[];
  readonly next_cursor: string | null;
}

export interface Listener {
  message(message: Message): void;
  update(message: Message): void;
  counts(counts: Counts): void;
  /** The server has ended the stream: what was loaded may be another inbox's by now. */
  restart(): void;
  /** No token opens the inbox any more. */
  end(): void;
}

/** Heartbeats come every 20 s. */
const SILENCE_MS = 45_000;
const LONGEST_PAUSE_MS = 30_000;

export class Client {
  #last = '';
  #stop = new AbortController();
  #token: string | undefined;

  /** `renew` gets a new token. */
  constructor(
    private readonly base: string,
    token: string | undefined,
    private readonly renew: (() => Promise<string>) | undefined,
    private readonly on: Listener,
  ) {
    this.#token = token;
  }

  /** Throws where the answer is none of success. */
  async call<T>(method: 'GET' | 'POST', path: string): Promise<T> {
    const answer = await this.#fetch(path, { method, keepalive: method === 'POST' });
    if (!answer.ok) throw new Error(`${answer.status}`);
    return answer.json();
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Resolves once it is stopped, or the inbox cannot be opened any more. */
  async follow(): Promise<void> {
    const { signal } = this.#stop;
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        if (await this.#read()) {
          failures = 0;
          this.on.restart();
        }
      } catch (e) {
        if (e === GONE) {
          this.on.end();
          return;
        }
        // The connection was cut: the stream goes on after its last event.
      }
      const pause = Math.min(LONGEST_PAUSE_MS, 500 * 2 ** failures) * (0.5 + Math.random() / 2);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  /** True when the server has ended the stream, false where it did not begin. */
  async #read(): Promise<boolean> {
    const cut = new AbortController();
    let watch = 0;
    const live = () => {
      clearTimeout(watch);
      watch = setTimeout(() => cut.abort(), SILENCE_MS);
    };
    const stop = () => cut.abort();
    this.#stop.signal.addEventListener('abort', stop);
    live();
    try {
      const answer = await this.#fetch('stream', { signal: cut.signal, headers: this.#last ? { 'Last-Event-ID': this.#last } : {} });
      if ([401, 403, 404, 410].includes(answer.status)) throw GONE;
      const reader = answer.ok && answer.body?.getReader();
      if (!reader) return false;
      const decoder = new TextDecoder();
      for (let text = ''; ; ) {
        const { done, value } = await reader.read();
        if (done) return true;
        live();
        const parts = (text + decoder.decode(value, { stream: true })).split('\n\n');
        text = parts.pop() ?? '';
        for (const part of parts) this.#take(part);
      }
    } finally {
      clearTimeout(watch);
      this.#stop.signal.removeEventListener('abort', stop);
    }
  }

  #take(part: string): void {
    const [, id = '', event = '', data = ''] = /^(?:id: (.*)\n)?event: (.*)\ndata: (.*)$/.exec(part) ?? [];
    if (event === 'message' || event === 'update' || event === 'counts') this.on[event](JSON.parse(data));
    if (id) this.#last = id;
  }

  async #fetch(path: string, init: RequestInit, isAgain = false): Promise<Response> {
    this.#token ??= await this.renew?.();
    const used = this.#token;
    const headers = { ...init.headers, Authorization: `Bearer ${used}` };
    const answer = await fetch(`${this.base}/v1/inbox/${path}`, { ...init, headers, credentials: 'omit' });
    if (answer.status !== 401 || isAgain || !this.renew) return answer;
    if (this.#token === used) this.#token = undefined;
    return this.#fetch(path, init, true);
  }
}

const GONE = new Error('gone');
