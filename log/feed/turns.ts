import type { Clock } from '../../domain/kernel/clock.js';

/**
 * Gives turns one after the other, and between them the thread does whatever else it has to do. Urgent ones come before others that
 * wait, but never two of them in a row.
 */
export class Turns {
  readonly #urgent: (() => void)[] = [];
  readonly #others: (() => void)[] = [];
  #isGiving = false;
  #wasUrgent = false;

  constructor(private readonly clock: Pick<Clock, 'yieldToEventLoop'>) {}

  /** Resolves when it is its turn. */
  take(isUrgent: boolean): Promise<void> {
    return new Promise((resolve) => {
      (isUrgent ? this.#urgent : this.#others).push(resolve);
      if (!this.#isGiving) void this.#give();
    });
  }

  async #give(): Promise<void> {
    this.#isGiving = true;
    while (this.#urgent.length > 0 || this.#others.length > 0) {
      await this.clock.yieldToEventLoop();
      this.#next()?.();
    }
    this.#isGiving = false;
  }

  #next(): (() => void) | undefined {
    this.#wasUrgent = this.#urgent.length > 0 && !(this.#wasUrgent && this.#others.length > 0);
    return (this.#wasUrgent ? this.#urgent : this.#others).shift();
  }
}
