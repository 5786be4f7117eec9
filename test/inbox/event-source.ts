/** A browser's view of a stream of server-sent events, by fetch. */
import { eventually } from '../support/eventually.js';

export interface StreamEvent {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a message or counts; a test asserts on them
  readonly data: any;
}

export class EventStream {
  readonly events: StreamEvent[] = [];
  /** Parts without an event, such as heartbeats. */
  comments = 0;
  ended = false;
  readonly #abort = new AbortController();

  private constructor(private readonly onEvent: (event: StreamEvent) => void) {}

  /** Resolves once the server has answered. Throws for a status other than 200, with the status and the code. */
  static async open(
    url: string,
    {
      headers = {},
      onEvent = () => {},
    }: { readonly headers?: Readonly<Record<string, string>>; readonly onEvent?: (event: StreamEvent) => void } = {},
  ): Promise<EventStream> {
    const stream = new EventStream(onEvent);
    const response = await fetch(url, { headers, signal: stream.#abort.signal });
    if (response.status !== 200 || !response.body)
      throw new Error(`${response.status} ${((await response.json()) as { readonly code: string }).code}`);
    void stream.#read(response.body);
    return stream;
  }

  get lastId(): string {
    return this.events.at(-1)?.id ?? '';
  }

  of(event: string): readonly StreamEvent['data'][] {
    return this.events.filter((one) => one.event === event).map(({ data }) => data);
  }

  /** The next event of a kind that matches, among all that have arrived. */
  found(event: string, matches: (data: StreamEvent['data']) => boolean = () => true): Promise<StreamEvent> {
    return eventually(`an event '${event}'`, () => this.events.find((one) => one.event === event && matches(one.data)));
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(body: ReadableStream<Uint8Array>): Promise<void> {
    const decoder = new TextDecoder();
    let text = '';
    try {
      for await (const bytes of body) {
        text += decoder.decode(bytes, { stream: true });
        const parts = text.split('\n\n');
        text = parts.pop() ?? '';
        for (const part of parts) this.#take(part);
      }
    } catch {
      // The connection is gone.
    }
    this.ended = true;
  }

  #take(part: string): void {
    const fields = Object.fromEntries(part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
    if (fields.event === undefined) {
      this.comments += 1;
      return;
    }
    const event = { id: fields.id ?? '', event: fields.event, data: JSON.parse(fields.data ?? 'null') };
    this.events.push(event);
    this.onEvent(event);
  }
}
