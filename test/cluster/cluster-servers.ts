import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FaultSwitches } from '../support/eventstoredb/faults.js';
import { type Program, Run } from './cluster-process.js';

const FAKE_SERVER = fileURLToPath(new URL('../support/eventstoredb/main.js', import.meta.url));
const MONGO = fileURLToPath(new URL('../../../.ci/mongo-server', import.meta.url));
const START_MS = 60_000;

/** A server with its data in a folder. Each start takes a free port. */
abstract class PersistentServer {
  port = 0;
  /** Unexpected exits. */
  readonly unexpectedExits: string[] = [];
  #run: Run | null = null;

  protected constructor(readonly name: string) {}

  protected abstract program(): Program;
  /** The port, from its first line of output. */
  protected abstract portIn(line: string): number;

  async start(): Promise<void> {
    const run = new Run(this.program(), ({ code, output }) => this.unexpectedExits.push(`${this.name} exited with ${code}: ${output}`));
    const timeout = setTimeout(() => void run.end(), START_MS);
    const line = await run.line();
    clearTimeout(timeout);
    if (line === null) throw new Error(`${this.name} did not start: ${run.stderr}`);
    this.port = this.portIn(line);
    this.#run = run;
  }

  /** kill -9. */
  async kill(): Promise<void> {
    await this.#run?.end();
  }

  freeze(): void {
    this.#run?.freeze();
  }

  thaw(): void {
    this.#run?.thaw();
  }

  /** Ends it for good. */
  close(): Promise<void> {
    return this.kill();
  }

  protected send(command: unknown): void {
    this.#run?.send(command);
  }
}

type FaultAction = 'endSubscriptions' | 'failSubscriptions' | 'muteSubscriptions' | 'endBatches' | 'failBatches';

/** The fake EventStoreDB server with a log on disk. */
export class LogServer extends PersistentServer {
  constructor(private readonly dir: string) {
    super('the log server');
  }

  set(switches: Partial<FaultSwitches>): void {
    this.send({ set: switches });
  }

  do(action: FaultAction): void {
    this.send({ do: action });
  }

  protected program(): Program {
    return { command: process.execPath, args: [FAKE_SERVER, '--dir', join(this.dir, 'log')], env: process.env };
  }

  protected portIn(line: string): number {
    return Number(new URL(JSON.parse(line).url).port);
  }
}

/** A server of MongoDB's wire protocol. Acknowledged writes are on disk. */
export class MongoServer extends PersistentServer {
  constructor(private readonly dir: string) {
    super('the Mongo server');
  }

  protected program(): Program {
    // The script cannot clean up when it is killed. Its temporary files are removed with the folder.
    return { command: 'bash', args: [MONGO, '--dir', join(this.dir, 'mongo')], env: { ...process.env, TMPDIR: this.dir } };
  }

  protected portIn(line: string): number {
    return Number(new URL(line).port);
  }
}
