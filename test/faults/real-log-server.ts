import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { RealEventStoreDb } from '../support/eventstoredb/real.js';
import { eventually } from '../support/eventually.js';

const START_MS = 60_000;

/** How a process was started, as Linux shows it. */
interface Started {
  readonly pid: number;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A real EventStoreDB on this machine, which is killed, frozen and started again over its data as a process. Needs Linux. */
export class RealLogServer {
  port = 0;
  /** Unexpected exits. */
  readonly unexpectedExits: string[] = [];
  #server: RealEventStoreDb | null = null;
  #process: Started | null = null;
  /** What this process has started again. */
  #again: ChildProcess | null = null;

  async start(): Promise<void> {
    const before = this.#process;
    if (before === null) {
      this.#server = await RealEventStoreDb.start();
      this.port = Number(new URL(this.#server.url).port);
      this.#process = processAt(this.port);
      return;
    }
    const [command = '', ...args] = before.args;
    const child = spawn(command, args, { cwd: before.cwd, env: before.env, stdio: 'ignore' });
    this.#again = child;
    this.#process = { ...before, pid: child.pid ?? 0 };
    await eventually('the log server accepts connections', () => accepts(this.port), { within: START_MS, every: 100 });
  }

  /** kill -9. */
  async kill(): Promise<void> {
    const { pid } = this.#process ?? {};
    const ended = this.#again && this.#again.exitCode === null && this.#again.signalCode === null ? once(this.#again, 'exit') : null;
    if (pid) signal(pid, 'SIGKILL');
    await ended;
    await eventually('the log server has ended', async () => !(await accepts(this.port)), { within: START_MS });
  }

  freeze(): void {
    if (this.#process) signal(this.#process.pid, 'SIGSTOP');
  }

  thaw(): void {
    if (this.#process) signal(this.#process.pid, 'SIGCONT');
  }

  /** Ends it and removes its data. */
  async close(): Promise<void> {
    if (this.#process) await this.kill();
    await this.#server?.stop();
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (e) {
    // It has ended.
    if ((e as NodeJS.ErrnoException).code !== 'ESRCH') throw e;
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (is: boolean) => () => {
      socket.destroy();
      resolve(is);
    };
    socket.on('connect', answer(true));
    socket.on('error', answer(false));
  });

/** The process that listens at a port of this machine. */
function processAt(port: number): Started {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/)),
  );
  // Of each line: the local address, the state, and the inode of the socket. 0A: it listens.
  const inode = sockets.find(([, local = '', , state]) => local.endsWith(`:${hex}`) && state === '0A')?.[9];
  const pid = inode && readdirSync('/proc').find((name) => /^\d+$/.test(name) && holds(name, `socket:[${inode}]`));
  if (!pid) throw new Error(`no process of this machine listens at port ${port}`);
  const texts = (file: string): string[] =>
    readFileSync(`/proc/${pid}/${file}`, 'utf8')
      .split('\0')
      .filter((one) => one !== '');
  const env = texts('environ').map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]);
  return { pid: Number(pid), args: texts('cmdline'), cwd: readlinkSync(`/proc/${pid}/cwd`), env: Object.fromEntries(env) };
}

function holds(pid: string, socket: string): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`) === socket;
      } catch {
        return false;
      }
    });
  } catch {
    // It has ended, or belongs to somebody else.
    return false;
  }
}
