import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Engines, embedded, enginesUnderTest, Servers } from './engines.js';
import { eventually, TIMEOUT_FACTOR } from './eventually.js';
import { withLogsOfFailures } from './failure-logs.js';
import { type Reply, request } from './http.js';
import { PROGRAM } from './program.js';
import { type Account, createAccountHere, PASSWORD } from './service-accounts.js';
import { sharedSettings } from './shared-settings.js';

const START_MS = 30_000 * TIMEOUT_FACTOR;
const STOP_MS = 12_000;

export { type Account, PASSWORD, type Reply };

/** Rate limits that no test reaches by accident. */
export const HIGH_RATE_LIMITS = JSON.stringify(
  Object.fromEntries(['send', 'bulk', 'general', 'login', 'login_user', 'reset', 'reset_user', 'public'].map((group) => [group, 1_000_000])),
);

/** The result of a CLI command or a server. */
export interface ExitResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface LogLine {
  readonly level: string;
  readonly message: string;
  /** Status of the answered request. */
  readonly status?: number;
  readonly error?: { readonly type: string; readonly detail: string };
}

/** Errors of a server that exceeds a time limit. The service retries them. */
const SLOW_SERVER_ERRORS: ReadonlySet<string> = new Set(['StoreUnavailable', 'OutcomeUnknown']);

/** Each attempt waits two seconds for the read model. */
const MAX_ATTEMPTS = 10;

/** Child processes that must end with the tests. */
const alive = new Set<ChildProcess>();
const folders = new Set<string>();
process.on('exit', () => {
  for (const child of alive) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
process.once('SIGTERM', () => process.exit(143));

/** The shared server, which ends with this process. */
let shared: Service | null = null;
let guests = 0;

/**
 * The real service: the CLI in its own process, on a free port, with a temporary data folder and servers.
 * After a kill it can be started again with the same data.
 */
export class Service {
  /** Empty for a node without the API. */
  url = '';
  /** The holder name in its leases. */
  instance = '';
  account: Account = { accountId: '', email: '', key: '', secret: '' };
  #server: ChildProcess | null = null;
  #over: Promise<unknown> = Promise.resolve();
  #stderr = '';
  #other: Promise<string> | null = null;
  #begun: Promise<void> | null = null;
  #servers: Servers | null = null;

  private constructor(
    private env: Readonly<Record<string, string>>,
    readonly dir = mkdtempSync(join(tmpdir(), 'heliograph-service-')),
    private readonly host: Service | null = null,
    private readonly program = PROGRAM,
  ) {}

  /**
   * For the suite that calls this, from its start to its end: a new account on a server that all specs of this process share. For
   * specs that neither stop the server nor depend on data outside their account.
   */
  static guest(): Service {
    if (!embedded) return Service.own(sharedSettings);
    const guest = Service.#newGuest();
    before(() => guest.#join());
    return withLogsOfFailures(guest);
  }

  /** For the suite that calls this: as `start` before its first spec, and closed after its last. The settings may depend on what began before. */
  static own(env: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>) = {}, engines: Engines = enginesUnderTest): Service {
    const service = new Service({});
    folders.add(service.dir);
    before(() => {
      service.env = typeof env === 'function' ? env() : env;
      return service.#begin(engines);
    });
    after(() => service.close());
    return withLogsOfFailures(service);
  }

  /** As `guest`, for one spec. */
  static shared(): Promise<Service> {
    return embedded ? Service.#newGuest().#join() : Service.start(sharedSettings);
  }

  /** Starts a server over empty engines and creates an account: beside servers by the command line, beside files without its process. */
  static async start(env: Readonly<Record<string, string>> = {}, engines: Engines = enginesUnderTest): Promise<Service> {
    const service = new Service(env);
    await service.#begin(engines);
    return service;
  }

  async #begin(engines: Engines): Promise<void> {
    const servers = await Servers.start(engines);
    this.#servers = servers;
    this.env = { ...servers.env, ...this.env };
    await this.restart();
    const email = 'owner@example.com';
    this.account = (servers.log ?? servers.database) ? await this.createAccount(email) : await createAccountHere(this.settings, email);
  }

  static #newGuest(): Service {
    shared ??= new Service(sharedSettings);
    folders.add(shared.dir);
    return new Service({}, shared.dir, shared);
  }

  async #join(): Promise<Service> {
    const host = this.host as Service;
    host.#begun ??= host.#begin(enginesUnderTest);
    await host.#begun;
    host.#unref();
    this.env = host.env;
    this.url = host.url;
    this.instance = host.instance;
    this.account = await createAccountHere(host.settings, `guest${++guests}@example.com`);
    return this;
  }

  /** A node with its own data folder, not started. Other engines come from the settings and are not removed by `close`. */
  static node(env: Readonly<Record<string, string>>, program = PROGRAM): Service {
    return new Service(env, undefined, null, program);
  }

  /** API key of another account: the demo account, or else a new one. */
  otherAccountKey(): Promise<string> {
    if (this.host) return this.host.otherAccountKey();
    const [, demo] = /^ *API key +(\S+)$/m.exec(this.#stderr) ?? [];
    this.#other ??= demo === undefined ? this.createAccount('other@example.com').then(({ key }) => key) : Promise.resolve(demo);
    return this.#other;
  }

  /** Its environment, without what it inherits. */
  get settings(): Readonly<Record<string, string>> {
    return {
      HELIOGRAPH_RATE_LIMITS: HIGH_RATE_LIMITS,
      HELIOGRAPH_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      HELIOGRAPH_VALIDATE_COMMANDS: 'true',
      LOG_LEVEL: 'warn',
      ...this.env,
      PORT: '0',
      HELIOGRAPH_DATA_DIR: this.dir,
    };
  }

  get key(): string {
    return this.account.key;
  }

  get operatorToken(): string {
    return this.env.HELIOGRAPH_OPERATOR_TOKEN ?? readFileSync(join(this.dir, 'operator.token'), 'utf8').trim();
  }

  get secret(): string {
    return this.account.secret;
  }

  get accountId(): string {
    return this.account.accountId;
  }

  /** Starts the server, waits for the line with its address, and returns how many milliseconds that took. */
  async restart(): Promise<number> {
    const startedAt = performance.now();
    const server = this.#launch();
    const lines = createInterface({ input: server.stdout as Readable });
    const first = once(lines, 'line', { signal: AbortSignal.timeout(START_MS) });
    const [line] = (await Promise.race([first, this.#over.then(() => [])]).catch(() => [])) as string[];
    if (line === undefined) {
      const end = this.running ? `no output after ${START_MS} ms` : `it ended with ${server.exitCode ?? server.signalCode}`;
      await this.kill9();
      throw new Error(`the service did not start: ${end}: ${this.#stderr.slice(-4_000)}`);
    }
    const { listening, instance } = JSON.parse(line);
    this.url = listening ?? '';
    this.instance = instance;
    return performance.now() - startedAt;
  }

  /** Lets this process end while the server runs. */
  #unref(): void {
    this.#server?.unref();
    for (const pipe of [this.#server?.stdout, this.#server?.stderr]) (pipe as Socket | null | undefined)?.unref();
  }

  /** Whether the process runs. */
  get running(): boolean {
    return this.#server !== null && this.#server.exitCode === null && this.#server.signalCode === null;
  }

  /** Of the server while it runs. */
  get pid(): number | undefined {
    return this.running ? this.#server?.pid : undefined;
  }

  /** Starts the process without waiting for its address, to kill it before it listens. */
  launch(): void {
    this.#launch().stdout?.resume();
  }

  #launch(): ChildProcess {
    const server = this.#spawn(['serve']);
    this.#server = server;
    this.#over = once(server, 'close').then(() => alive.delete(server));
    server.stderr?.on('data', (chunk) => {
      this.#stderr += chunk;
    });
    return server;
  }

  /** Sends SIGKILL and waits for the end. */
  async kill9(): Promise<void> {
    this.#server?.kill('SIGKILL');
    await this.#over;
  }

  /** Sends SIGTERM and waits for the end. */
  async stop(): Promise<{ code: number | null; ms: number }> {
    const startedAt = performance.now();
    this.#server?.kill('SIGTERM');
    const late = setTimeout(() => this.#server?.kill('SIGKILL'), STOP_MS);
    await this.#over;
    clearTimeout(late);
    return { code: this.#server?.exitCode ?? null, ms: performance.now() - startedAt };
  }

  /** Waits until every projection has reached the head of the log. */
  async caughtUp(within = 60_000): Promise<void> {
    const headers = { Authorization: `Bearer ${this.operatorToken}`, 'X-API-Key': '' };
    await eventually(
      'every projection has caught up',
      async () => {
        const { body } = await this.api('GET', '/v1/system/projections', undefined, headers);
        return body.every(({ position, head }: { position: string; head: string }) => position === head);
      },
      { within, every: 50 },
    );
  }

  /** Kills the server and removes its folder and servers. */
  async close(): Promise<void> {
    if (this.host) return;
    await this.kill9();
    await this.#servers?.close();
    rmSync(this.dir, { recursive: true, force: true });
  }

  /** Runs a command with the same data folder, beside the running server. */
  async cli(...args: string[]): Promise<ExitResult> {
    const child = this.#spawn(args);
    const [stdout, stderr] = [text(child.stdout as Readable), text(child.stderr as Readable)];
    await once(child, 'close');
    alive.delete(child);
    return { code: child.exitCode, stdout: await stdout, stderr: await stderr };
  }

  async createAccount(email: string): Promise<Account> {
    const { code, stdout, stderr } = await this.cli('account', 'create', '--name', 'Tests', '--email', email, '--password', PASSWORD, '--json');
    if (code !== 0) throw new Error(`no account: ${stderr}`);
    const { account_id: accountId, api_key: key, webhook_secret: secret } = JSON.parse(stdout);
    return { accountId, email, key, secret };
  }

  /**
   * Sends a request with the account's key, or with the credentials in the headers; an empty X-API-Key is not sent. A Buffer
   * or a text is sent unchanged, anything else as JSON. With slow servers a read model may lag behind the account's writes:
   * a read that is answered so is repeated.
   */
  async api(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    for (let attempt = 1; ; attempt++) {
      const reply = await this.ask(method, path, body, headers);
      if (embedded || method !== 'GET' || reply.headers.get('x-service-consistency') === null || attempt === MAX_ATTEMPTS) return reply;
    }
  }

  /** As `api`, with a path below `/v1`. */
  call(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return this.api(method, `/v1${path}`, body, headers);
  }

  /** The body of the answer to a `call` that must succeed. */
  async ok(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply['body']> {
    const reply = await this.call(method, path, body, headers);
    if (reply.status >= 300) throw new Error(`${method} ${path} was answered with ${reply.status}: ${reply.text.slice(0, 500)}`);
    return reply.body;
  }

  /** As `api`, without a repetition. Redirects are not followed. */
  ask(method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const { 'X-API-Key': key, ...others } = { 'X-API-Key': this.key, ...headers };
    return request(method, this.url + path, body, key === '' ? others : { 'X-API-Key': key, ...others });
  }

  /** Log lines of these levels, without those caused by slow servers. */
  loggedProblems(...levels: readonly string[]): LogLine[] {
    const all = levels.flatMap((level) => this.logged(level));
    return embedded ? all : all.filter(({ status, error }) => status !== 503 && !SLOW_SERVER_ERRORS.has(error?.type ?? ''));
  }

  /** The server's log lines of one level. */
  logged(level: string): LogLine[] {
    return (this.host ?? this).#stderr
      .split('\n')
      .flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as LogLine] : []))
      .filter((line) => line.level === level);
  }

  #spawn(args: readonly string[]): ChildProcess {
    const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('HELIOGRAPH_')));
    const child = spawn(process.execPath, [this.program, ...args], {
      env: { ...inherited, ...this.settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    alive.add(child);
    return child;
  }
}
