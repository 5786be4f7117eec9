import type { AllStreamResolvedEvent, AllStreamSubscription, Position } from '@eventstore/db-client';

type Subscribe = (checkpointReached: (subscription: unknown, position: Position) => void) => AllStreamSubscription;

/**
 * One subscription with back-pressure. Its callbacks only set flags and never throw: the client would silently stop
 * delivering.
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
      // Stays registered after the end: a late error without a listener would end the process.
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

  /** The next buffered event, or null. Once the buffer is empty, throws the error of a failed subscription. */
  read(): AllStreamResolvedEvent | null {
    const event = this.#subscription.read() as AllStreamResolvedEvent | null;
    if (event === null && this.#error) throw this.#error;
    return event;
  }

  /** The server's last checkpoint, or undefined while events are buffered. */
  get checkpoint(): bigint | undefined {
    return this.#subscription.readableLength === 0 ? this.#checkpoint : undefined;
  }

  /** Whether the server reported live events and the buffer is empty. */
  get caughtUp(): boolean {
    return this.#caughtUp && this.#subscription.readableLength === 0;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** Resolves with true when anything has changed since the last call, and with false after `ms` milliseconds. */
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

  /** Ends the call on the server, which leaving the loop would not. */
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
