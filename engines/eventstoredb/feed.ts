import type { AllStreamResolvedEvent, AllStreamSubscription, Position } from '@eventstore/db-client';

type Subscribe = (checkpointReached: (subscription: unknown, position: Position) => void) => AllStreamSubscription;

/**
 * One subscription, read at the pace of its reader: what is not read stays with the server. Its callbacks only take
 * note and never throw, because the client would stop delivering without a word.
 */
export class Feed {
  readonly #subscription: AllStreamSubscription;
  #error: Error | null = null;
  #ended = false;
  #checkpoint: bigint | undefined;
  #caughtUp = false;
  #changed = false;
  #wake = () => {};

  constructor(
    private readonly signal: AbortSignal,
    subscribe: Subscribe,
  ) {
    this.#subscription = subscribe((_, { commit }) => {
      this.#checkpoint = commit;
      this.#signalChange();
    });
    this.#subscription
      .on('readable', () => this.#signalChange())
      .on('end', () => this.#end())
      .on('close', () => this.#end())
      // Heard also after the subscription is done with: without a listener a late error would end the process.
      .on('error', (e: Error) => {
        this.#error ??= e;
        this.#end();
      })
      .on('caughtUp' as never, () => {
        this.#caughtUp = true;
        this.#signalChange();
      });
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** The next event that has arrived, or null. Throws what the subscription failed with once everything before has been read. */
  read(): AllStreamResolvedEvent | null {
    const event = this.#subscription.read() as AllStreamResolvedEvent | null;
    if (event === null && this.#error) throw this.#error;
    return event;
  }

  /** How far the server has looked; only to be taken when all that had arrived has been read. */
  get checkpoint(): bigint | undefined {
    return this.#subscription.readableLength === 0 ? this.#checkpoint : undefined;
  }

  /** Whether the server has said that it goes on with new events, and all of them that had arrived have been read. */
  get caughtUp(): boolean {
    return this.#caughtUp && this.#subscription.readableLength === 0;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Resolves true when something has happened since it last resolved, and false after `ms`. */
  waitForChange(ms: number): Promise<boolean> {
    if (this.#consumeChange()) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#wake(), ms);
      this.#wake = () => {
        clearTimeout(timer);
        this.#wake = () => {};
        resolve(this.#consumeChange());
      };
    });
  }

  /** Ends the call on the server; leaving a loop over the subscription would not. */
  close(): void {
    this.signal.removeEventListener('abort', this.#onAbort);
    this.#subscription.unsubscribe().catch(() => {});
    this.#subscription.destroy();
  }

  readonly #onAbort = (): void => this.#signalChange();

  #end(): void {
    this.#ended = true;
    this.#signalChange();
  }

  #signalChange(): void {
    this.#changed = true;
    this.#wake();
  }

  #consumeChange(): boolean {
    const changed = this.#changed || this.#ended || this.signal.aborted;
    this.#changed = false;
    return changed;
  }
}
