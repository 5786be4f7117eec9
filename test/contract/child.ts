import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from './eventstoredb.js';
import { within } from './helpers.js';

/**
 * Another process at the same engine. It does one of the jobs of child-main.ts and reports each step as one line of
 * JSON, written before it goes on.
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
    // 'close', not 'exit': only then has everything it wrote been read.
    this.#over = once(this.#process, 'close').then(() => {});
  }

  /** Resolves once it has reported so many steps. */
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

  /** kill -9, and waits until it is gone. Everything it reported until then is in `reports`. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#over;
  }

  /** Waits until it has done its job. */
  async done(): Promise<void> {
    await within(15_000, 'a child is done', this.#over);
    if (this.#process.exitCode !== 0) throw new Error(`the child failed: ${this.#errors}`);
  }
}
