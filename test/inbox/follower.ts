import { eventually } from '../support/eventually.js';
import { EventStream, type StreamEvent } from './event-source.js';

/** A browser that follows an inbox, and goes on after its last event whenever the connection is gone. */
export class Follower {
  readonly events: StreamEvent[] = [];
  connections = 0;
  #stream: EventStream | null = null;
  #last = '';
  #isOver = false;

  constructor(
    /** Of the node that the next connection goes to. */
    private readonly url: () => string,
    private readonly token: string,
  ) {}

  async run(): Promise<void> {
    while (!this.#isOver) {
      const headers: Record<string, string> = this.#last === '' ? {} : { 'Last-Event-ID': this.#last };
      const onEvent = (event: StreamEvent) => {
        this.events.push(event);
        if (event.id !== '') this.#last = event.id;
      };
      const stream = await EventStream.open(`${this.url()}/v1/inbox/stream?token=${this.token}`, { headers, onEvent }).catch(() => null);
      if (stream) this.connections += 1;
      this.#stream = stream;
      await eventually('the stream ends', () => this.#isOver || !stream || stream.ended, { within: 600_000, every: 50 });
    }
  }

  stop(): void {
    this.#isOver = true;
    this.#stream?.close();
  }

  of(event: string): StreamEvent[] {
    return this.events.filter((one) => one.event === event);
  }
}
