import type { Priority } from '../runtime/process-manager.js';

/** Gives a permit back. Repeating it does nothing. */
export type Release = () => void;

interface Waiter {
  readonly grant: (release: Release | null) => void;
}

/**
 * A limit of what runs at the same time on this node. Whoever waits is served by priority, then by accounts in turn, then in
 * order. An eighth of the permits is for priority 0 alone, and as much again for priorities 0 and 1.
 */
export class CallPermits {
  readonly #waiting = new Map<Priority, Map<string, Waiter[]>>();
  readonly #held = new Map<Priority, number>();

  /** `most`: permits at a time, by priority: the most that this one and those after it may hold together. */
  constructor(private readonly most: readonly [number, number, number]) {}

  /** Permits of a carrier: some are always free for what is more urgent. */
  static ofCalls(total: number): CallPermits {
    const reserved = Math.ceil(total / 8);
    return new CallPermits([total, Math.max(1, total - reserved), Math.max(1, total - 2 * reserved)]);
  }

  /** Null where the signal aborts first. */
  acquire({ priority, account }: { readonly priority: Priority; readonly account: string }, signal: AbortSignal): Promise<Release | null> {
    if (signal.aborted) return Promise.resolve(null);
    return new Promise((resolve) => {
      const leave = () => {
        const queue = this.#waiting.get(priority)?.get(account) ?? [];
        queue.splice(queue.indexOf(waiter), 1);
        resolve(null);
      };
      const waiter: Waiter = {
        grant: (release) => {
          signal.removeEventListener('abort', leave);
          resolve(release);
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      const accounts = this.#waiting.get(priority) ?? new Map<string, Waiter[]>();
      this.#waiting.set(priority, accounts);
      const queue = accounts.get(account);
      if (queue) queue.push(waiter);
      else accounts.set(account, [waiter]);
      this.#grant();
    });
  }

  #grant(): void {
    for (const priority of [0, 1, 2] as const) {
      const accounts = this.#waiting.get(priority);
      while (accounts && accounts.size > 0 && this.#hasRoom(priority)) this.#grantNext(priority, accounts);
    }
  }

  #grantNext(priority: Priority, accounts: Map<string, Waiter[]>): void {
    const [[account, queue]] = accounts as unknown as [[string, Waiter[]]];
    accounts.delete(account);
    const waiter = queue.shift();
    // The account waits again behind the others.
    if (queue.length > 0) accounts.set(account, queue);
    if (!waiter) return;
    this.#held.set(priority, this.#heldBy(priority) + 1);
    let isHeld = true;
    waiter.grant(() => {
      if (!isHeld) return;
      isHeld = false;
      this.#held.set(priority, this.#heldBy(priority) - 1);
      this.#grant();
    });
  }

  #hasRoom(priority: Priority): boolean {
    let held = 0;
    for (const from of [2, 1, 0] as const) {
      held += this.#heldBy(from);
      if (from <= priority && held >= this.most[from]) return false;
    }
    return true;
  }

  #heldBy(priority: Priority): number {
    return this.#held.get(priority) ?? 0;
  }
}
