/** How an answer to an append is lost after the append was written: never sent, or with the connection. */
export type Loss = 'silently' | 'breaking';

/** What goes wrong. Each switch stays until it is taken back, but for the one that counts. */
export interface FaultSwitches {
  /** Takes everything in and answers nothing; what came meanwhile is carried out when it speaks again. */
  silent: boolean;
  /** Refuses every call for the moment. */
  unavailable: boolean;
  /** Answers "Server Is Busy" in the way that this release of the client does not know. */
  busy: boolean;
  /** Added to every answer, in milliseconds. */
  slowMs: number;
  /** How the answer to the next append gets lost. */
  loseNextAnswer: Loss | null;
  /** Answers the question for its features with a failure that the client keeps for ever. */
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

  /** Stands before every answer. */
  async pass(): Promise<void> {
    if (this.slowMs > 0) await new Promise((resolve) => setTimeout(resolve, this.slowMs));
    while (this.#silent) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  takeLoss(): Loss | null {
    const loss = this.loseNextAnswer;
    this.loseNextAnswer = null;
    return loss;
  }

  /** Ends the subscriptions that are open, as a server does that is content. */
  endSubscriptions(): void {
    for (const call of [...this.subscriptions]) call.end();
  }

  failSubscriptions(code = 14, details = 'the server says goodbye'): void {
    for (const call of [...this.subscriptions]) call.fail(code, details);
  }

  /** Lets the subscriptions that are open bring nothing any more, while all else goes on. */
  muteSubscriptions(): void {
    for (const call of [...this.subscriptions]) call.mute?.();
  }

  /** Ends the streams on which appends come, with or without an error; appends under way are carried out all the same. */
  dropBatches(how: 'end' | 'fail'): void {
    for (const call of [...this.batches]) how === 'end' ? call.end() : call.fail(14, 'the connection is gone');
  }
}
