import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from './eventstoredb.js';
import { within } from './helpers.js';

/**
 * Another process over the same engine. It runs a job of child-main.ts and reports each step as one line of
 * JSON before the next step.
 */
export class Child<Report> {
  readonly reports: Report[] = [];
  readonly #process: ChildProcess;
  readonly #over: Promise<void>;
  #errors = '';
  #watchers: (() => void)[] = [];

  constructor(job: string, engine: string, dir: string, ...args: string[]) {
    const main = fileURLToPath(new URL('./child-main.js', import.meta.url));
    this.#process = spawn(process.execPath, [main, job, engine, dir, ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...childEnvironment() },
    });
    const { stdout, stderr } = this.#process;
    if (!stdout || !stderr) throw new Error('a child without pipes');
    stderr.on('data', (chunk) => {
      this.#errors += chunk;
    });
    createInterface({ input: stdout }).on('line', (line) => {
      this.reports.push(JSON.parse(line));
      for (const check of this.#watchers) check();
    });
    // 'close', not 'exit': all output has been read by then.
    this.#over = once(this.#process, 'close').then(() => {});
  }

  /** Resolves once it has reported `count` steps. */
  has(count: number): Promise<void> {
    const met = new Promise<void>((resolve) => {
      const check = () => {
        if (this.reports.length >= count) resolve();
      };
      this.#watchers.push(check);
      check();
    });
    const over = this.#over.then(() => {
      if (this.reports.length < count) throw new Error(`the child ended after ${this.reports.length} of ${count} reports: ${this.#errors}`);
    });
    return within(15_000, `${count} reports of a child`, Promise.race([met, over]));
  }

  /** Sends SIGKILL and waits for the exit. `reports` contains everything reported until then. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#over;
  }

  /** Waits until the job is done. */
  async done(): Promise<void> {
    await within(15_000, 'a child is done', this.#over);
    if (this.#process.exitCode !== 0) throw new Error(`the child failed: ${this.#errors}`);
  }
}
