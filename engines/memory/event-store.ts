import {
  type Append,
  type AppendPosition,
  appendChain,
  type Checkpoint,
  type EventPage,
  type EventStore,
  type ExpectedRevision,
  type NewEvent,
  PAGE_BYTES,
  type Position,
  type ReadOptions,
  type RecordedEvent,
  StoreUnavailable,
  WrongExpectedRevision,
} from '../../domain/kernel/ports.js';

const PAGE = 1_000;
const positionText = (position: number): string => String(position).padStart(20, '0');

/** The log in memory: a list of all events and a list per stream. */
export class MemoryEventStore implements EventStore {
  readonly #log: RecordedEvent[] = [];
  readonly #streams = new Map<string, RecordedEvent[]>();
  readonly #waiting = new Set<() => void>();
  #closed = false;

  async append(stream: string, expected: ExpectedRevision, events: readonly NewEvent[]): Promise<AppendPosition> {
    if (events.length === 0) throw new RangeError(`append to ${stream} has no events`);
    this.#assertOpen();
    const there = this.#streams.get(stream) ?? [];
    const first = expected === 'no-stream' ? 0 : expected + 1;
    if (first === there.length) {
      this.#streams.set(stream, there);
      for (const { id, type, data, metadata } of events) {
        const recorded = Object.freeze({
          ...{ id, type, data, metadata, stream },
          revision: there.length,
          position: positionText(this.#log.length + 1),
        });
        there.push(recorded);
        this.#log.push(recorded);
      }
      for (const wake of [...this.#waiting]) wake();
    } else if (!events.every(({ id }, i) => there[first + i]?.id === id)) {
      throw new WrongExpectedRevision(stream, expected, there.length === 0 ? 'no-stream' : there.length - 1);
    }
    const { revision, position } = there[first + events.length - 1] as RecordedEvent;
    return { revision, position };
  }

  appendAll(chains: readonly (readonly Append[])[]): Promise<(AppendPosition | WrongExpectedRevision)[]> {
    return Promise.all(chains.map((chain) => appendChain(this, chain)));
  }

  async read(
    stream: string,
    { from, limit = Number.POSITIVE_INFINITY, backwards = false }: ReadOptions = {},
  ): Promise<RecordedEvent[] | 'not-found'> {
    this.#assertOpen();
    const there = this.#streams.get(stream);
    if (!there) return 'not-found';
    return backwards
      ? there
          .slice(0, (from ?? there.length) + 1)
          .reverse()
          .slice(0, limit)
      : there.slice(from ?? 0, (from ?? 0) + limit);
  }

  async readAll(after: Checkpoint, limit: number, maxBytes = PAGE_BYTES): Promise<EventPage> {
    this.#assertOpen();
    const from = after === 'start' ? 0 : Number(after);
    const events: RecordedEvent[] = [];
    for (let bytes = 0, at = from; events.length < limit && bytes < maxBytes; at++) {
      const event = this.#log[at];
      if (!event) break;
      events.push(event);
      bytes += event.data.length;
    }
    return { events, upTo: events.at(-1)?.position ?? after, caughtUp: from + events.length >= this.#log.length };
  }

  async pageEnd(after: Checkpoint, limit: number): Promise<Checkpoint> {
    return (await this.readAll(after, limit)).upTo;
  }

  async readBackwards(before: Position | 'end', limit: number): Promise<readonly RecordedEvent[]> {
    this.#assertOpen();
    const end = before === 'end' ? this.#log.length : Number(before) - 1;
    return this.#log.slice(Math.max(0, end - limit), end).reverse();
  }

  async head(): Promise<Checkpoint> {
    this.#assertOpen();
    return this.#log.at(-1)?.position ?? 'start';
  }

  async *subscribe(after: Checkpoint, signal: AbortSignal, limit = PAGE, streamPrefix = ''): AsyncIterable<EventPage> {
    let at = after;
    while (!signal.aborted) {
      const page = await this.readAll(at, limit);
      at = page.upTo;
      const events = page.events.filter(({ stream }) => stream.startsWith(streamPrefix));
      if (events.length > 0) yield { ...page, events };
      if (page.events.length === 0) await this.#waitForAppend(Number(at === 'start' ? 0 : at), signal);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const wake of [...this.#waiting]) wake();
  }

  /** Resolves when the log is longer than `seen`, is closed, or the signal aborts. */
  async #waitForAppend(seen: number, signal: AbortSignal): Promise<void> {
    while (this.#log.length <= seen && !this.#closed && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          this.#waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        this.#waiting.add(wake);
        signal.addEventListener('abort', wake, { once: true });
      });
    }
  }

  #assertOpen(): void {
    if (this.#closed) throw new StoreUnavailable('the log is closed');
  }
}
