import type { Observable, Subscription } from 'rxjs';
import type { Clock, Timer } from '../../domain/kernel/ports.js';
import type { InboxChange } from './changes.js';

/** Why a listener goes on: its inbox or its contact has changed, it was silent for long, or it ends. */
export type InboxNotification = InboxChange['of'] | 'beat' | 'end';

/** What wakes one listener. Several changes while it is busy are one: it looks at the read model itself. */
export class InboxNotifications {
  #due: InboxChange['of'] | null = null;
  #resume: () => void = () => {};
  #subscription: Subscription | null = null;
  #expiry: Timer | null = null;
  ended = false;

  constructor(
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
  ) {
    this.ended = signal.aborted;
    signal.addEventListener('abort', this.#end, { once: true });
  }

  /** The end of the changes ends the listener. */
  listen(changes: Observable<InboxChange['of']>): void {
    this.#subscription = changes.subscribe({ next: (of) => this.#note(of), complete: this.#end });
  }

  /** Milliseconds since 1970. */
  endAt(time: number): void {
    this.#expiry = this.clock.timer(Math.max(0, time - this.clock.now()), this.#end);
  }

  /** Resolves at the next wake, at once where there was one since the last. `beat` after `silenceMs` without any. */
  async next(silenceMs: number): Promise<InboxNotification> {
    let isSilent = false;
    if (this.#due === null && !this.ended) {
      await new Promise<void>((resolve) => {
        const beat = this.clock.timer(silenceMs, () => {
          isSilent = true;
          resolve();
        });
        this.#resume = () => {
          beat.cancel();
          resolve();
        };
      });
      this.#resume = () => {};
    }
    if (this.ended) return 'end';
    const due = this.#due;
    this.#due = null;
    return due ?? (isSilent ? 'beat' : 'items');
  }

  close(): void {
    this.ended = true;
    this.#subscription?.unsubscribe();
    this.#expiry?.cancel();
    this.signal.removeEventListener('abort', this.#end);
  }

  readonly #end = (): void => {
    this.ended = true;
    this.#resume();
  };

  #note(of: InboxChange['of']): void {
    if (this.#due !== 'contact') this.#due = of;
    this.#resume();
  }
}
