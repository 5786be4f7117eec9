import type { Run } from '../run.js';
import type { Live } from '../world/live.js';

/** An event of a stream, as a browser got it. */
export interface LiveEvent {
  readonly id: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: a message or counts; an invariant asserts on them
  readonly data: any;
}

/** What is sent arrives so much later: what is on its way when a connection breaks is lost. */
const LAG_MS = 20;
const ANSWER_MS = 60_000;

/** A browser that follows the inbox of a contact over several connections. After each it goes on after the last event that it has. */
export class InboxBrowser {
  /** All that it got since it first had a position. */
  readonly events: LiveEvent[] = [];
  /** Where it began; null until it has a position. */
  start: string | null = null;
  /** How many connections it had that went on after another one. */
  resumed = 0;
  /** The status with which it was refused for good. */
  refused: number | null = null;

  #last = '';

  constructor(
    private readonly run: Run,
    readonly contact_id: string,
    private readonly token: string,
  ) {}

  /** Connects to some node for so long, or until the stream ends. */
  async follow(ms: number): Promise<void> {
    const live = this.#open();
    if (!live) return;
    const leaving = this.run.world.after(ms, 'browsers', live.close);
    await live.ended;
    leaving.cancel();
  }

  /** At rest: connects once more, until it has all that was left. */
  async catchUp(): Promise<void> {
    const counts = (): number => this.events.filter(({ event }) => event === 'counts').length;
    const before = counts();
    const live = this.#open();
    await this.run.world.run(ANSWER_MS, () => counts() > before || this.refused !== null);
    if (counts() === before && this.refused === null) throw new Error(`the stream of ${this.contact_id} is silent although the run is at rest`);
    live?.close();
  }

  #open(): Live | null {
    const { world, nodes } = this.run;
    const last = this.#last;
    const headers: Record<string, string> = last === '' ? {} : { 'last-event-id': last };
    if (last !== '') this.resumed += 1;
    const path = `/v1/inbox/stream?token=${this.token}`;
    let text = '';
    let isOpen = true;
    const live = world
      .random('browsers')
      .pick(nodes)
      .follow(
        { method: 'GET', path, headers },
        {
          onStatus: (status) => {
            if (status >= 400 && status < 500 && status !== 429) this.refused = status;
          },
          onText: (part) =>
            void world.after(LAG_MS, 'browsers', () => {
              if (!isOpen) return;
              const parts = `${text}${part}`.split('\n\n');
              text = parts.pop() ?? '';
              for (const one of parts) this.#take(one);
            }),
        },
      );
    live?.ended.then(() => {
      isOpen = false;
    });
    world.trace('browsers', `${live ? 'connects' : 'cannot connect'} to the inbox of ${this.contact_id} after ${last || 'nothing'}`);
    return live;
  }

  #take(part: string): void {
    const fields = Object.fromEntries(part.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
    // Without a position nothing has happened yet: the next connection begins anew.
    if (fields.event === undefined || fields.id === undefined) return;
    const isFirst = this.start === null;
    this.start ??= fields.id;
    this.#last = fields.id;
    // Where it began before this message, nobody knows.
    if (isFirst && fields.event !== 'counts') return;
    this.events.push({ id: fields.id, event: fields.event, data: JSON.parse(fields.data ?? 'null') });
  }
}
