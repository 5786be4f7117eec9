import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { PROGRAM } from '../../support/program.js';

/** The result of a command. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** `heliograph engines …` in its own process. */
export class EnginesCommand {
  readonly #child: ChildProcess;
  readonly ended: Promise<Ended>;

  constructor(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const child = spawn(process.execPath, [PROGRAM, 'engines', ...args], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const texts = Promise.all([text(child.stdout), text(child.stderr)]);
    this.ended = once(child, 'close').then(async ([code]) => {
      const [out, err] = await texts;
      return { code, out, err };
    });
  }

  async end(signal: 'SIGKILL' | 'SIGINT' | 'SIGTERM'): Promise<Ended> {
    this.#child.kill(signal);
    return this.ended;
  }
}
