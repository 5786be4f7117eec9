import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FaultSwitches } from '../support/eventstoredb/faults.js';
import { type Program, Run } from './cluster-process.js';

const FAKE_SERVER = fileURLToPath(new URL('../support/eventstoredb/main.js', import.meta.url));
const MONGO = fileURLToPath(new URL('../../../.ci/mongo-server', import.meta.url));
const START_MS = 60_000;

/** A server that keeps its data in a folder, and each time it is started takes a port that is free then. */
abstract class KeptServer {
  port = 0;
  /** What went wrong without anybody's doing. */
  readonly deaths: string[] = [];
  #run: Run | null = null;

  protected constructor(readonly name: string) {}

  protected abstract program(): Program;
  /** The port, from the first line that it says. */
  protected abstract portIn(line: string): number;

  async start(): Promise<void> {
    const run = new Run(this.program(), ({ code, said }) => this.deaths.push(`${this.name} ended with ${code}: ${said}`));
    const late = setTimeout(() => void run.end(), START_MS);
    const line = await run.line();
    clearTimeout(late);
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

  protected tell(order: unknown): void {
    this.#run?.tell(order);
  }
}

type Act = 'endSubscriptions' | 'failSubscriptions' | 'muteSubscriptions' | 'endBatches' | 'failBatches';

/** The fake EventStoreDB server with a log on disk. */
export class LogServer extends KeptServer {
  constructor(private readonly dir: string) {
    super('the log server');
  }

  set(switches: Partial<FaultSwitches>): void {
    this.tell({ set: switches });
  }

  do(act: Act): void {
    this.tell({ do: act });
  }

  protected program(): Program {
    return { command: process.execPath, args: [FAKE_SERVER, '--dir', join(this.dir, 'log')], env: process.env };
  }

  protected portIn(line: string): number {
    return Number(new URL(JSON.parse(line).url).port);
  }
}

/** A server that speaks MongoDB's protocol. What it has answered is on its disk. */
export class MongoServer extends KeptServer {
  constructor(private readonly dir: string) {
    super('the Mongo server');
  }

  protected program(): Program {
    // Killed, the script cannot tidy up: what it leaves goes with the folder.
    return { command: 'bash', args: [MONGO, '--dir', join(this.dir, 'mongo')], env: { ...process.env, TMPDIR: this.dir } };
  }

  protected portIn(line: string): number {
    return Number(new URL(line).port);
  }
}
