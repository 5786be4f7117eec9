import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Groups of processes that must not outlive the tests, whatever ends them. */
const alive = new Set<number>();
process.on('exit', () => {
  for (const pid of alive) signal(pid, 'SIGKILL');
});

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch (e) {
    // Gone already.
    if ((e as NodeJS.ErrnoException).code !== 'ESRCH') throw e;
  }
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** How a process ended that nobody had told to. */
export interface Death {
  readonly code: number | string | null;
  /** The end of what it had said. */
  readonly said: string;
}

/** One run of one program, with all that it starts: signals go to the whole group. */
export class Run {
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;
  readonly #over: Promise<unknown>;
  readonly #lines: AsyncIterator<string>;
  #told = false;

  constructor(
    { command, args, env }: Program,
    private readonly onDeath: (death: Death) => void = () => {},
  ) {
    this.#child = spawn(command, [...args], { env: { ...env }, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    const { pid, stdin, stdout, stderr } = this.#child;
    if (pid === undefined || !stdin || !stdout || !stderr) throw new Error(`${command} does not start`);
    alive.add(pid);
    // What it is told while it dies is lost.
    stdin.on('error', () => {});
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    stdout.on('data', (chunk) => {
      this.stdout += chunk;
    });
    stderr.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.#over = once(this.#child, 'close').then(() => {
      alive.delete(pid);
      if (!this.#told) this.onDeath({ code: this.#child.exitCode ?? this.#child.signalCode, said: this.stderr.slice(-4_000) });
    });
  }

  get runs(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  /** The next line of its output; null once it has ended. */
  async line(): Promise<string | null> {
    const { value, done } = await this.#lines.next();
    return done ? null : value;
  }

  tell(order: unknown): void {
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  /** Holds it still: it does nothing and knows nothing of it. */
  freeze(): void {
    signal(this.#pid, 'SIGSTOP');
  }

  thaw(): void {
    signal(this.#pid, 'SIGCONT');
  }

  /** kill -9 or a gentler signal, and waits until it is gone. */
  async end(name: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#told = true;
    signal(this.#pid, name);
    await this.#over;
  }

  /** Resolves when it has ended. */
  async over(): Promise<void> {
    await this.#over;
  }

  get #pid(): number {
    return this.#child.pid as number;
  }
}
