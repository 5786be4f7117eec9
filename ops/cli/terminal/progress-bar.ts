import type { Writable } from 'node:stream';
import cliProgress, { type Options, type Params, type SingleBar } from 'cli-progress';
import { isTerminal } from './terminal.js';

/** How far long work is. */
export interface Progress {
  /** What is counted: `events copied`. */
  readonly text: string;
  readonly done?: number | undefined;
  /** From 0 to 1; null if the end is unknown. */
  readonly fraction: number | null;
}

/** Milliseconds between two lines where there is no terminal. Shorter work prints nothing there. */
const LINE_MS = 10_000;
const STEPS = 1_000;

/** Shows how far long work is: a bar for each text on a terminal, a line every ten seconds elsewhere. */
export class ProgressBar {
  #bar: { readonly bar: SingleBar; readonly text: string } | null = null;
  #nextLine: number;

  /** @param now in milliseconds. */
  constructor(
    private readonly out: Writable,
    private readonly now: () => number,
  ) {
    this.#nextLine = now() + LINE_MS;
  }

  show(progress: Progress): void {
    if (isTerminal(this.out)) this.#showBar(progress);
    else this.#showLine(progress);
  }

  /** Ends the bar, whatever it shows. Must be called, because a bar keeps the process alive. */
  end(): void {
    this.#bar?.bar.stop();
    this.#bar = null;
  }

  #showBar(progress: Progress): void {
    const steps = Math.floor((progress.fraction ?? 0) * STEPS);
    if (this.#bar?.text === progress.text) {
      this.#bar.bar.update(steps, progress);
      return;
    }
    this.end();
    const bar = new cliProgress.SingleBar({ stream: this.out, format: formatBar, linewrap: true, barsize: 30 }, cliProgress.Presets.shades_classic);
    bar.start(STEPS, steps, progress);
    this.#bar = { bar, text: progress.text };
  }

  #showLine({ text, done, fraction }: Progress): void {
    const now = this.now();
    if (now < this.#nextLine) return;
    this.#nextLine = now + LINE_MS;
    this.out.write(`${[done, text].join(' ').trim()}${fraction === null ? '' : ` (${percentOf(fraction)} %)`}\n`);
  }
}

const percentOf = (fraction: number): number => Math.floor(fraction * 100);

function formatBar(options: Options, { eta, progress }: Params, { text, done, fraction }: Progress): string {
  const counted = [done, text].join(' ').trim();
  if (fraction === null) return counted;
  // Other values stand for an unknown time.
  const left = typeof eta === 'number' && eta > 0 ? `, ${cliProgress.Format.TimeFormat(eta, options, 1)} left` : '';
  return `${cliProgress.Format.BarFormat(progress, options)} ${percentOf(fraction)} %  ${counted}${left}`;
}
