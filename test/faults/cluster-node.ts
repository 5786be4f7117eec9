import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { HIGH_RATE_LIMITS } from '../support/service.js';
import { Link } from './cluster-link.js';
import { type Program, Run } from './cluster-process.js';

const CLI = fileURLToPath(new URL('../../ops/cli.js', import.meta.url));
/** Pause of the supervisor before it starts a node again that could not start. */
const AGAIN_MS = 300;
const START_MS = 30_000;

export type Role = 'api' | 'worker';
const ROLES = { api: 'api', worker: 'projections,processes' } as const;

/** Where a node finds the two servers. */
export interface Places {
  /** `host:port`. */
  readonly log: string;
  readonly views: string;
}

/** Settings of any process of this program over the two servers. */
export const settings = ({ log, views }: Places, dir: string): Record<string, string> => {
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
  args: [CLI, ...args],
  env,
});

/** One node: a process with ways of its own to the servers, and a supervisor that starts it again where it could not start. */
export class Node {
  url = '';
  /** As leases name it; another one after each start. */
  instance = '';
  readonly handOverLog: string;
  /** How often a start failed, as it may while a server is away. */
  failedStarts = 0;
  /** Starts that failed without saying why, and ends after a start that nobody wanted. */
  readonly faults: string[] = [];
  /** Nothing is asked of it meanwhile, as a load balancer would see to. */
  out = true;
  /** Aborts when callers give up what they have asked of it. */
  patience = new AbortController();
  /** Grows with each time that it was held up or killed, so that what was asked before is known. */
  disturbed = 0;
  #run: Run | null = null;
  readonly #said: string[] = [];

  private constructor(
    readonly name: string,
    readonly role: Role,
    readonly toLog: Link,
    readonly toViews: Link,
    private readonly dir: string,
  ) {
    this.handOverLog = join(dir, `${name}.handed-over`);
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

  /** All that it has ever written to its log. */
  get said(): string {
    return [...this.#said, this.#run?.stderr ?? ''].join('');
  }

  /** Starts it, again and again until it runs. */
  async start(): Promise<void> {
    for (const until = performance.now() + START_MS; !(await this.#tryToStart()); await sleep(AGAIN_MS)) {
      this.failedStarts += 1;
      if (performance.now() > until) throw new Error(`${this.name} does not start: ${this.#said.at(-1)?.slice(-2_000)}`);
    }
    this.out = false;
  }

  async kill(name: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.out = true;
    this.disturbed += 1;
    await this.#run?.end(name);
  }

  freeze(): void {
    this.out = true;
    this.disturbed += 1;
    this.#run?.freeze();
  }

  thaw(): void {
    this.#run?.thaw();
    this.out = false;
  }

  /** Whoever waits for an answer of it stops waiting. */
  giveUp(): void {
    this.patience.abort();
    this.patience = new AbortController();
  }

  async close(): Promise<void> {
    await this.kill();
    await Promise.all([this.toLog.close(), this.toViews.close()]);
  }

  async #tryToStart(): Promise<boolean> {
    if (this.#run) this.#said.push(this.#run.stderr);
    let started = false;
    const run = new Run(program(['serve'], this.#env()), ({ code, said }) => {
      this.out = true;
      if (started) this.faults.push(`${this.name} ended with ${code} although nobody had told it to: ${said}`);
      else if (!/^heliograph: .*(MongoDB|EventStoreDB)/m.test(said))
        this.faults.push(`${this.name} did not start and did not say why (${code}): ${said}`);
    });
    this.#run = run;
    const line = await run.line();
    if (line === null) {
      await run.over();
      return false;
    }
    started = true;
    const { listening = '', instance = '' } = JSON.parse(line);
    this.url = listening;
    this.instance = instance;
    return true;
  }

  #env(): Record<string, string> {
    const places = { log: this.toLog.address, views: this.toViews.address };
    return {
      ...settings(places, join(this.dir, this.name)),
      HELIOGRAPH_ROLES: ROLES[this.role],
      HELIOGRAPH_SANDBOX_LOG: this.handOverLog,
    };
  }
}
