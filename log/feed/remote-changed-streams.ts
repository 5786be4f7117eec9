import type { Checkpoint } from '../../domain/kernel/ports.js';
import type { ChangedStreamFeed, ChangedStreamsPage, StreamFilter } from './changed-streams.js';

/** A port to another thread, as a MessagePort is. */
export interface FeedPort {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** Pages that are sent before the first of them is taken. */
const WINDOW = 8;

type Request =
  | { readonly id: number; readonly do: 'open'; readonly wanted: StreamFilter; readonly after: Checkpoint; readonly until: Checkpoint | undefined }
  /** `taken`: one page more may be sent. */
  | { readonly id: number; readonly do: 'taken' | 'close' };
interface Answer {
  readonly id: number;
  /** Null at the end. */
  readonly page: ChangedStreamsPage | null;
}

/** Answers the requests of another thread from the feed of this one, until the signal aborts. */
export function serveChangedStreams(changedStreams: ChangedStreamFeed, port: FeedPort, signal: AbortSignal): void {
  const open = new Map<number, { readonly window: Window; readonly close: AbortController }>();
  const send = (answer: Answer): void => port.postMessage(answer);
  const run = async ({ id, wanted, after, until }: Extract<Request, { do: 'open' }>): Promise<void> => {
    const close = new AbortController();
    const ended = AbortSignal.any([signal, close.signal]);
    const window = new Window(WINDOW, ended);
    open.set(id, { window, close });
    for await (const page of changedStreams.pages(wanted, after, ended, until)) {
      send({ id, page });
      await window.taken();
    }
    open.delete(id);
    send({ id, page: null });
  };
  port.on('message', (message) => {
    const request = message as Request;
    if (request.do === 'open') void run(request);
    else if (request.do === 'taken') open.get(request.id)?.window.free();
    else open.get(request.id)?.close.abort();
  });
}

/** The names of the feed of another thread, which serves them at the other end of the port. */
export class RemoteChangedStreams implements ChangedStreamFeed {
  readonly #receivers = new Map<number, Receiver>();
  #last = 0;

  constructor(private readonly port: FeedPort) {
    port.on('message', (message) => {
      const { id, page } = message as Answer;
      this.#receivers.get(id)?.receive(page);
    });
  }

  async *pages(wanted: StreamFilter, after: Checkpoint, signal: AbortSignal, until?: Checkpoint): AsyncIterable<ChangedStreamsPage> {
    this.#last += 1;
    const id = this.#last;
    const receiver = new Receiver();
    this.#receivers.set(id, receiver);
    const send = (request: Request): void => this.port.postMessage(request);
    const stop = () => receiver.receive(null);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    else send({ id, do: 'open', wanted, after, until });
    try {
      for (let page = await receiver.next(); page && !signal.aborted; page = await receiver.next()) {
        yield page;
        send({ id, do: 'taken' });
      }
    } finally {
      signal.removeEventListener('abort', stop);
      this.#receivers.delete(id);
      send({ id, do: 'close' });
    }
  }
}

/** Counts the pages that may still be sent. */
class Window {
  #wake: () => void = () => {};

  constructor(
    private left: number,
    private readonly signal: AbortSignal,
  ) {
    signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  free(): void {
    this.left += 1;
    this.#wake();
  }

  /** Resolves when another page may be sent, or the signal aborts. */
  async taken(): Promise<void> {
    this.left -= 1;
    while (this.left <= 0 && !this.signal.aborted) await new Promise<void>((resolve) => (this.#wake = resolve));
  }
}

/** Pages in the order of their arrival. Null is the end. */
class Receiver {
  readonly #pages: (ChangedStreamsPage | null)[] = [];
  #wake: () => void = () => {};

  receive(page: ChangedStreamsPage | null): void {
    this.#pages.push(page);
    this.#wake();
  }

  async next(): Promise<ChangedStreamsPage | null> {
    if (this.#pages.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#pages.shift() ?? null;
  }
}
