import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { PROGRAM } from '../support/program.js';
import { HIGH_RATE_LIMITS } from '../support/service.js';
import { Link } from './cluster-link.js';
import { type Program, Run } from './cluster-process.js';

/** Pause of the supervisor before it retries a failed start. */
const RESTART_DELAY_MS = 300;
const START_MS = 30_000;

export type Role = 'api' | 'worker';
const ROLES = { api: 'api', worker: 'projections,processes' } as const;

/** Addresses of the two servers. */
export interface ServerAddresses {
  /** `host:port`. */
  readonly log: string;
  readonly views: string;
}

/** Environment of any process of this program over the two servers. */
export const settings = ({ log, views }: ServerAddresses, dir: string): Record<string, string> => {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('HELIOGRAPH_'));
  return {
    ...(Object.fromEntries(inherited) as Record<string, string>),
    PORT: '0',
    LOG_LEVEL: 'warn',
    HELIOGRAPH_DATA_DIR: dir,
    HELIOGRAPH_LOG: 'eventstoredb',
    HELIOGRAPH_VIEWS: 'mongodb',
    EVENTSTOREDB_URL: `esdb://${log}?tls=false`,
    MONGODB_URL: `mongodb://${views}/heliograph?directConnection=true`,
    HELIOGRAPH_MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    HELIOGRAPH_OPERATOR_TOKEN: OPERATOR_TOKEN,
    HELIOGRAPH_RATE_LIMITS: HIGH_RATE_LIMITS,
    HELIOGRAPH_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    HELIOGRAPH_WEBHOOK_RETRY_DELAYS: '500ms,2s,4s,8s',
  };
};

export const OPERATOR_TOKEN = 'operator-of-the-tests-only';

export const program = (args: readonly string[], env: Readonly<Record<string, string>>): Program => ({
  command: process.execPath,
  args: [PROGRAM, ...args],
  env,
});

/** One node: a process with its own links to the servers, and a supervisor that retries failed starts. */
export class Node {
  url = '';
  /** The holder name in leases; new with each start. */
  instance = '';
  readonly dispatchLogFile: string;
  /** Number of failed starts, which are expected while a server is unavailable. */
  failedStarts = 0;
  /** Starts that failed without a reason in the log, and unexpected exits. */
  readonly faults: string[] = [];
  /** Excluded from requests, as by a load balancer. */
  excluded = true;
  /** Aborts the pending requests to this node. */
  pendingRequests = new AbortController();
  /** Number of freezes and kills, to recognize requests that were sent before one. */
  disturbances = 0;
  #run: Run | null = null;
  readonly #previousOutputs: string[] = [];

  private constructor(
    readonly name: string,
    readonly role: Role,
    readonly toLog: Link,
    readonly toViews: Link,
    private readonly dir: string,
  ) {
    this.dispatchLogFile = join(dir, `${name}.handed-over`);
    mkdirSync(join(dir, name));
  }

  static async create(name: string, role: Role, dir: string): Promise<Node> {
    return new Node(name, role, await Link.open(), await Link.open(), dir);
  }

  get runs(): boolean {
    return this.#run?.runs ?? false;
  }

  get exitCode(): number | null {
    return this.#run?.exitCode ?? null;
  }

  /** Everything that all its runs have logged. */
  get output(): string {
    return [...this.#previousOutputs, this.#run?.stderr ?? ''].join('');
  }

  /** Starts the node, and retries until it runs. */
  async start(): Promise<void> {
    for (const until = performance.now() + START_MS; !(await this.#tryToStart()); await sleep(RESTART_DELAY_MS)) {
      this.failedStarts += 1;
      if (performance.now() > until) throw new Error(`${this.name} does not start: ${this.#previousOutputs.at(-1)?.slice(-2_000)}`);
    }
    this.excluded = false;
  }

  async kill(name: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.excluded = true;
    this.disturbances += 1;
    await this.#run?.end(name);
  }

  freeze(): void {
    this.excluded = true;
    this.disturbances += 1;
    this.#run?.freeze();
  }

  thaw(): void {
    this.#run?.thaw();
    this.excluded = false;
  }

  /** Aborts the pending requests to this node. */
  abortRequests(): void {
    this.pendingRequests.abort();
    this.pendingRequests = new AbortController();
  }

  async close(): Promise<void> {
    await this.kill();
    await Promise.all([this.toLog.close(), this.toViews.close()]);
  }

  async #tryToStart(): Promise<boolean> {
    if (this.#run) this.#previousOutputs.push(this.#run.stderr);
    let started = false;
    const run = new Run(program(['serve'], this.#env()), ({ code, output }) => {
      this.excluded = true;
      if (started) this.faults.push(`${this.name} exited with ${code} unexpectedly: ${output}`);
      else if (!/^heliograph: .*(MongoDB|EventStoreDB)/m.test(output))
        this.faults.push(`${this.name} did not start and gave no reason (${code}): ${output}`);
    });
    this.#run = run;
    const line = await run.line();
    if (line === null) {
      await run.exited();
      return false;
    }
    started = true;
    const { listening = '', instance = '' } = JSON.parse(line);
    this.url = listening;
    this.instance = instance;
    return true;
  }

  #env(): Record<string, string> {
    const addresses = { log: this.toLog.address, views: this.toViews.address };
    return {
      ...settings(addresses, join(this.dir, this.name)),
      HELIOGRAPH_ROLES: ROLES[this.role],
      HELIOGRAPH_SANDBOX_LOG: this.dispatchLogFile,
    };
  }
}
