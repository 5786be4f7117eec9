import { type Clock, StoreUnavailable } from '../../domain/kernel/ports.js';

/** With more reads in flight a slow server answers none of them within its time limit. */
export const READS_IN_FLIGHT = 64;

/** Of this process. */
const ownClock: Pick<Clock, 'monotonic' | 'timer'> = {
  monotonic: () => performance.now(),
  timer: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Lets reads of streams take turns. One waits as long as the server answers others, and fails when it answers none for `ms` milliseconds. */
export class ReadTurns {
  #inFlight = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly clock = ownClock) {}

  async run<T>(ms: number, read: () => Promise<T>): Promise<T> {
    if (this.#inFlight < READS_IN_FLIGHT) this.#inFlight += 1;
    else await this.#turn(ms);
    const began = this.clock.monotonic();
    try {
      const found = await read();
      this.#answeredAt = this.clock.monotonic();
      return found;
    } catch (e) {
      // A refusal is an answer as well.
      if (this.clock.monotonic() - began < ms) this.#answeredAt = this.clock.monotonic();
      throw e;
    } finally {
      this.#passOn();
    }
  }

  #passOn(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#inFlight -= 1;
  }

  #turn(ms: number): Promise<void> {
    const asked = this.clock.monotonic();
    return new Promise((resolve, reject) => {
      const go = () => {
        timer.cancel();
        this.#waiting.delete(go);
        resolve();
      };
      const look = () => {
        const left = Math.max(asked, this.#answeredAt) + ms - this.clock.monotonic();
        if (left > 0) {
          timer = this.clock.timer(left, look);
          return;
        }
        this.#waiting.delete(go);
        reject(new StoreUnavailable('EventStoreDB answers no reads'));
      };
      let timer = this.clock.timer(ms, look);
      this.#waiting.add(go);
    });
  }
}
