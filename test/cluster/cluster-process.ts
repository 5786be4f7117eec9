import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Process groups that must not outlive the tests, however these end. */
const runningGroups = new Set<number>();
process.on('exit', () => {
  for (const pid of runningGroups) signal(pid, 'SIGKILL');
});

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch (e) {
    // The process has already exited.
    if ((e as NodeJS.ErrnoException).code !== 'ESRCH') throw e;
  }
}

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** An unexpected exit of a process. */
export interface UnexpectedExit {
  readonly code: number | string | null;
  /** The last part of its stderr. */
  readonly output: string;
}

/** One run of a program and its child processes: signals go to the whole process group. */
export class Run {
  stdout = '';
  stderr = '';
  readonly #child: ChildProcess;
  readonly #exited: Promise<unknown>;
  readonly #lines: AsyncIterator<string>;
  #endRequested = false;

  constructor(
    { command, args, env }: Program,
    private readonly onUnexpectedExit: (exit: UnexpectedExit) => void = () => {},
  ) {
    this.#child = spawn(command, [...args], { env: { ...env }, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    const { pid, stdin, stdout, stderr } = this.#child;
    if (pid === undefined || !stdin || !stdout || !stderr) throw new Error(`${command} does not start`);
    runningGroups.add(pid);
    // Input that is written during its exit is lost.
    stdin.on('error', () => {});
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]();
    stdout.on('data', (chunk) => {
      this.stdout += chunk;
    });
    stderr.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.#exited = once(this.#child, 'close').then(() => {
      runningGroups.delete(pid);
      if (!this.#endRequested) this.onUnexpectedExit({ code: this.#child.exitCode ?? this.#child.signalCode, output: this.stderr.slice(-4_000) });
    });
  }

  get runs(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  /** The next line of its stdout; null after its exit. */
  async line(): Promise<string | null> {
    const { value, done } = await this.#lines.next();
    return done ? null : value;
  }

  send(command: unknown): void {
    this.#child.stdin?.write(`${JSON.stringify(command)}\n`);
  }

  /** Suspends the process group. */
  freeze(): void {
    signal(this.#pid, 'SIGSTOP');
  }

  thaw(): void {
    signal(this.#pid, 'SIGCONT');
  }

  /** Sends a signal, SIGKILL by default, and resolves after the exit. */
  async end(name: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#endRequested = true;
    signal(this.#pid, name);
    await this.#exited;
  }

  /** Resolves after the exit. */
  async exited(): Promise<void> {
    await this.#exited;
  }

  get #pid(): number {
    return this.#child.pid as number;
  }
}
