import type { Writable } from 'node:stream';
import type { Phase, Progress } from './copy-context.js';

const PHASE_TEXTS: Readonly<Record<Phase, string>> = {
  comparing: 'events of the source read',
  keys: 'keys copied',
  copying: 'events copied',
  verifying: 'events of the target read',
};

/** Between two lines on a terminal, which replace each other, and elsewhere, where each one stays; in milliseconds. */
const INTERVAL_MS = { terminal: 500, elsewhere: 10_000 } as const;

/** Says how far a copying is. */
export class ProgressLine {
  readonly #terminal: boolean;
  #next: number;
  #open = false;

  constructor(
    private readonly out: Writable,
    private readonly now: () => number,
  ) {
    this.#terminal = (out as { isTTY?: boolean }).isTTY === true;
    // Elsewhere a short copying says nothing.
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

  /** Leaves the last line as it is. */
  end(): void {
    if (this.#open) this.out.write('\n');
    this.#open = false;
  }
}
