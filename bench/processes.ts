import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Child processes of the benchmark: programs of this folder, the CLI, and servers. All of them end with it. */

export const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
/** The bundled command line, which the benchmark starts as users do. */
export const CLI = here('../bin/cli.js');
const running = new Map<ChildProcess, NodeJS.Signals>();
process.once('exit', () => {
  for (const [child, signal] of running) child.kill(signal);
});

function track<C extends ChildProcess>(child: C, lastSignal: NodeJS.Signals = 'SIGKILL'): C {
  running.set(child, lastSignal);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Runs a program of this folder that receives one message and answers with `{ result }` or `{ error }`. */
export async function runJob<Input, Output>(file: string, input: Input, nodeOptions: readonly string[] = []): Promise<Output> {
  const child = track(fork(here(file), [], { execArgv: [...nodeOptions], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }));
  child.send(input as object);
  const answer = await Promise.race([
    once(child, 'message').then(([message]) => message as { result: Output } | { error: string }),
    once(child, 'exit').then(([code]) => ({ error: `${file} ended with ${code}` })),
  ]);
  if ('error' in answer) throw new Error(answer.error);
  return answer.result;
}

/** The environment of a service of the benchmark. It inherits no other settings. */
export type Environment = Readonly<Record<string, string>>;

const environment = (own: Environment): NodeJS.ProcessEnv => ({ PATH: process.env.PATH, LOG_LEVEL: 'warn', ...own });

/** Runs a CLI command with `--json` and returns its output. */
export async function commandLine<Output>(own: Environment, ...args: string[]): Promise<Output> {
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args, '--json'], { env: environment(own), maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as Output;
}

export interface Server {
  readonly url: string;
  readonly pid: number;
  /** Current and peak memory, in MB. */
  memory(): { readonly now: number; readonly peak: number };
  /** Lets the peak begin at the memory of now. */
  resetPeak(): void;
  /** CPU time so far, user and system, of all threads, in milliseconds. */
  cpuMs(): number;
  /** Sends SIGTERM; resolves after the exit. */
  stop(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
}

interface Program {
  /** The program, by default Node. */
  readonly program?: string;
  readonly args: readonly string[];
  readonly own: Environment;
  /** Parses the address from the first line of output. */
  readonly addressIn: (line: string) => string;
  /** The signal that ends it with this process. A program with its own children needs one that it can handle. */
  readonly lastSignal?: NodeJS.Signals;
}

/** Starts a program that prints its address. */
export async function startServer({ program = process.execPath, args, own, addressIn, lastSignal }: Program): Promise<Server> {
  const child = track(spawn(program, [...args], { env: environment(own), stdio: ['ignore', 'pipe', 'inherit'] }), lastSignal);
  const ended = once(child, 'exit');
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  const lines = createInterface({ input: child.stdout });
  const first = await Promise.race([once(lines, 'line').then(([line]) => String(line)), ended.then(() => null)]);
  if (first === null) throw new Error(`${args.join(' ')} ended before it listened`);
  return {
    url: addressIn(first),
    pid: child.pid as number,
    memory: () => memoryOf(child.pid as number),
    resetPeak: () => resetPeakOf(child.pid as number),
    cpuMs: () => cpuOf(child.pid as number),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  };
}

const listening = (line: string): string => (JSON.parse(line) as { listening: string }).listening;
export const startService = (own: Environment): Promise<Server> => startServer({ args: [CLI, 'serve'], own, addressIn: listening });
export const startEcho = (kind: 'bare' | 'plain' | 'lean'): Promise<Server> =>
  startServer({ args: [here('./echo.js'), kind], own: {}, addressIn: listening });

/** A mail server that keeps nothing. Its address is that of a configuration. */
export const startSmtpSink = (): Promise<Server> => startServer({ args: [here('./smtp-sink.js')], own: {}, addressIn: listening });

/** Of `/proc`, in which Linux counts CPU time. */
const TICK_MS = 10;

export function cpuOf(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number) as [number, number];
  return (user + system) * TICK_MS;
}

/** Only on Linux (man 5 proc_pid_clear_refs). */
function resetPeakOf(pid: number): void {
  if (process.platform === 'linux') writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

/** From `/proc`, so on Linux only. */
function memoryOf(pid: number): { now: number; peak: number } {
  if (process.platform !== 'linux') return { now: Number.NaN, peak: Number.NaN };
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mb = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1_024;
  return { now: mb('VmRSS'), peak: mb('VmHWM') };
}
