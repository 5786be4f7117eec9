import type { Writable } from 'node:stream';
import type { Phase, Progress } from './copy-context.js';

const PHASE_TEXTS: Readonly<Record<Phase, string>> = {
  comparing: 'events of the source read',
  keys: 'keys copied',
  copying: 'events copied',
  verifying: 'events of the target read',
};

/** Milliseconds between two lines. On a terminal each line replaces the last. */
const INTERVAL_MS = { terminal: 500, elsewhere: 10_000 } as const;

/** Prints the progress of a copy. */
export class ProgressLine {
  readonly #terminal: boolean;
  #next: number;
  #open = false;

  constructor(
    private readonly out: Writable,
    private readonly now: () => number,
  ) {
    this.#terminal = (out as { isTTY?: boolean }).isTTY === true;
    // A short copy prints nothing outside a terminal.
    this.#next = this.#terminal ? 0 : now() + INTERVAL_MS.elsewhere;
  }

  show({ phase, done, fraction }: Progress): void {
    const now = this.now();
    if (now < this.#next) return;
    this.#next = now + (this.#terminal ? INTERVAL_MS.terminal : INTERVAL_MS.elsewhere);
    const text = `${done} ${PHASE_TEXTS[phase]}${fraction === null ? '' : ` (${Math.floor(fraction * 100)} %)`}`;
    this.out.write(this.#terminal ? `\r\u001b[K${text}` : `${text}\n`);
    this.#open = this.#terminal;
  }

  /** Ends the last line. */
  end(): void {
    if (this.#open) this.out.write('\n');
    this.#open = false;
  }
}
