import type { Observable, Subscription } from 'rxjs';
import type { Clock } from '../../domain/kernel/ports.js';
import type { Announcement } from './account-changes.js';

/** Announcements that wait for a reader. One that is slower by more is cut, and goes on after its last one. */
const MAX_WAITING = 1_000;

/** Why a stream goes on. `texts`: announcements. `check`: its credential may have changed, or it was silent for long. */
export type NextOfStream = { readonly kind: 'texts'; readonly texts: readonly string[] } | { readonly kind: 'check' } | { readonly kind: 'end' };

/** The announcements for one stream, until it takes them. */
export class AnnouncementQueue {
  #texts: string[] = [];
  #mustCheck = false;
  #hasEnded = false;
  #resume: () => void = () => {};
  readonly #subscription: Subscription;

  constructor(
    announced: Observable<Announcement>,
    private readonly isWanted: (resource: string) => boolean,
    private readonly clock: Clock,
    private readonly signal: AbortSignal,
  ) {
    this.#hasEnded = signal.aborted;
    signal.addEventListener('abort', this.#end, { once: true });
    this.#subscription = announced.subscribe({ next: (one) => this.#add(one), complete: this.#end });
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Resolves with what has come since the last call, at once where something has; `check` after a silence of so many milliseconds. */
  async next(silenceMs: number): Promise<NextOfStream> {
    if (this.#texts.length === 0 && !this.#mustCheck && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        const timer = this.clock.timer(silenceMs, resolve);
        this.#resume = () => {
          timer.cancel();
          resolve();
        };
      });
      this.#resume = () => {};
    }
    if (this.#hasEnded) return { kind: 'end' };
    if (this.#mustCheck || this.#texts.length === 0) {
      this.#mustCheck = false;
      return { kind: 'check' };
    }
    const texts = this.#texts;
    this.#texts = [];
    return { kind: 'texts', texts };
  }

  close(): void {
    this.#subscription.unsubscribe();
    this.signal.removeEventListener('abort', this.#end);
    this.#end();
  }

  #add(one: Announcement): void {
    if (this.#hasEnded) return;
    if (one === null) this.#mustCheck = true;
    else if (!this.isWanted(one.resource)) return;
    else if (this.#texts.push(one.frame) > MAX_WAITING) this.#end();
    this.#resume();
  }

  readonly #end = (): void => {
    this.#hasEnded = true;
    this.#texts = [];
    this.#resume();
  };
}
