/** How the answer to a written append is lost: it is not sent, or the connection breaks. */
export type Loss = 'silently' | 'breaking';

/** Injected faults. Each stays until it is reset, except `loseNextAnswer`. */
export interface FaultSwitches {
  /** Accepts calls and answers none. They are executed when it is reset. */
  silent: boolean;
  /** Rejects every call. */
  unavailable: boolean;
  /** Answers "Server Is Busy" in a form that this release of the client does not know. */
  busy: boolean;
  /** Delay of every answer in milliseconds. */
  slowMs: number;
  /** How the answer to the next append is lost. */
  loseNextAnswer: Loss | null;
  /** Fails the request for the server's features, an error that the client caches forever. */
  featuresBroken: boolean;
}

interface OpenCall {
  readonly end: () => void;
  readonly fail: (code: number, details: string) => void;
  readonly mute?: () => void;
}

export class Faults implements FaultSwitches {
  unavailable = false;
  busy = false;
  slowMs = 0;
  loseNextAnswer: Loss | null = null;
  featuresBroken = false;
  readonly subscriptions = new Set<OpenCall>();
  readonly readings = new Set<OpenCall>();
  readonly batches = new Set<OpenCall>();
  #silent = false;
  #waiting: (() => void)[] = [];

  get silent(): boolean {
    return this.#silent;
  }
  set silent(silent: boolean) {
    this.#silent = silent;
    if (!silent) for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Awaited before every answer. */
  async pass(): Promise<void> {
    if (this.slowMs > 0) await new Promise((resolve) => setTimeout(resolve, this.slowMs));
    while (this.#silent) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  takeLoss(): Loss | null {
    const loss = this.loseNextAnswer;
    this.loseNextAnswer = null;
    return loss;
  }

  /** Ends the open subscriptions without an error. */
  endSubscriptions(): void {
    for (const call of [...this.subscriptions]) call.end();
  }

  failSubscriptions(code = 14, details = 'the server closes the subscription'): void {
    for (const call of [...this.subscriptions]) call.fail(code, details);
  }

  /** Stops the open subscriptions from delivering, while everything else works. */
  muteSubscriptions(): void {
    for (const call of [...this.subscriptions]) call.mute?.();
  }

  /** Ends the streams of batch appends, with or without an error. Appends in flight are executed. */
  dropBatches(how: 'end' | 'fail'): void {
    for (const call of [...this.batches]) how === 'end' ? call.end() : call.fail(14, 'the connection is lost');
  }
}
