import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { between, type Random } from '../faults/random.js';
import { RealLogServer } from '../faults/real-log-server.js';
import { FRESH } from '../support/eventstoredb/real.js';
import { eventually } from '../support/eventually.js';
import { type Account, type ExitResult, PASSWORD, type Reply } from '../support/service.js';
import { Node, OPERATOR_TOKEN, program, settings } from './cluster-node.js';
import { Run } from './cluster-process.js';
import { LogServer, MongoServer } from './cluster-servers.js';

const STARTING = { within: 30_000, every: 50 } as const;

/** A 503, or no answer. A caller with an idempotency key repeats the request. */
class NoAnswer extends Error {}

/** Two API nodes and two workers over a log server and a Mongo server, each in its own process. */
export class Cluster {
  /** A real one where EVENTSTOREDB_FRESH starts it. */
  readonly log: LogServer | RealLogServer;
  readonly mongo: MongoServer;
  /** Number of 503 answers. */
  unavailable = 0;
  /** Answers that are never allowed. */
  readonly unexpected: string[] = [];
  /** The slowest answer of a node without a fault during the request, in milliseconds. */
  longest = { ms: 0, what: '' };
  #key = '';

  private constructor(
    readonly apis: readonly Node[],
    readonly workers: readonly Node[],
    private readonly random: Random,
    readonly dir: string,
  ) {
    this.log = process.env[FRESH] ? new RealLogServer() : new LogServer(dir);
    this.mongo = new MongoServer(dir);
  }

  static async start(random: Random): Promise<Cluster> {
    const dir = mkdtempSync(join(tmpdir(), 'heliograph-nodes-'));
    const nodes = (role: 'api' | 'worker') => Promise.all([1, 2].map((n) => Node.create(`${role}-${n}`, role, dir)));
    const cluster = new Cluster(await nodes('api'), await nodes('worker'), random, dir);
    try {
      await cluster.startLog();
      await cluster.startMongo();
      cluster.#key = (await cluster.#createAccount()).key;
      await Promise.all(cluster.nodes.map((node) => node.start()));
      for (const node of cluster.apis)
        await eventually('the node has the account', async () => (await cluster.ask(node, 'GET', '/v1/messages')).status === 200, STARTING);
      return cluster;
    } catch (e) {
      await cluster.close();
      throw e;
    }
  }

  get nodes(): readonly Node[] {
    return [...this.apis, ...this.workers];
  }

  /** The fake log server, for faults that a real one cannot be made to have. */
  get fakeLog(): LogServer | null {
    return this.log instanceof LogServer ? this.log : null;
  }

  async startLog(): Promise<void> {
    await this.log.start();
    for (const { toLog } of this.nodes) toLog.port = this.log.port;
  }

  async startMongo(): Promise<void> {
    await this.mongo.start();
    for (const { toViews } of this.nodes) toViews.port = this.mongo.port;
  }

  /** A direct address, without faults. */
  get mongoUrl(): string {
    return `mongodb://127.0.0.1:${this.mongo.port}/heliograph?directConnection=true`;
  }

  /**
   * Sends a request to one of the API nodes, as a load balancer does. Throws if there is no answer, and on 503 after the
   * delay of its Retry-After.
   */
  readonly api = async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> => {
    const available = this.apis.filter(({ excluded }) => !excluded);
    const node = available[between(this.random, 0, available.length)];
    if (!node) {
      await sleep(100);
      throw new NoAnswer('no node answers');
    }
    const reply = await this.ask(node, method, path, body, headers);
    if (reply.status < 500) return reply;
    if (reply.status !== 503) this.unexpected.push(`${method} ${path} at ${node.name}: ${reply.status} ${reply.text}`);
    const wait = Number(reply.headers.get('retry-after'));
    if (!(wait > 0)) this.unexpected.push(`${method} ${path} at ${node.name}: ${reply.status} without Retry-After ${reply.text}`);
    this.unavailable += 1;
    await sleep(wait * 1_000);
    throw new NoAnswer(reply.text);
  };

  /** Sends a request to one node. */
  async ask(node: Node, method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const { disturbances, pendingRequests } = node;
    const startedAt = performance.now();
    const answer = await fetch(node.url + path, {
      method,
      headers: { 'X-API-Key': this.#key, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: pendingRequests.signal,
    });
    const text = await answer.text();
    const ms = performance.now() - startedAt;
    if (disturbances === node.disturbances && ms > this.longest.ms)
      this.longest = { ms, what: `${method} ${path} at ${node.name}: ${answer.status}` };
    return { status: answer.status, headers: answer.headers, text, body: text === '' ? null : JSON.parse(text) };
  }

  /** Sends a GET request with the operator's token. */
  system(path: string): Promise<Reply> {
    return this.api('GET', path, undefined, { 'X-API-Key': '', Authorization: `Bearer ${OPERATOR_TOKEN}` });
  }

  /** Runs a command of the CLI, connected to the servers directly. */
  async cli(...args: string[]): Promise<ExitResult> {
    const addresses = { log: `127.0.0.1:${this.log.port}`, views: `127.0.0.1:${this.mongo.port}` };
    const run = new Run(program(args, settings(addresses, join(this.dir, 'command'))));
    await run.exited();
    return { code: run.exitCode, stdout: run.stdout, stderr: run.stderr };
  }

  /** Ends all processes. With `FAULTS_KEEP` the folder remains, with the logs of the nodes. */
  async close(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()));
    await Promise.all([this.log.close(), this.mongo.close()]);
    for (const { name, output } of process.env.FAULTS_KEEP ? this.nodes : []) writeFileSync(join(this.dir, `${name}.log`), output);
    if (!process.env.FAULTS_KEEP) rmSync(this.dir, { recursive: true, force: true });
  }

  async #createAccount(): Promise<Pick<Account, 'key'>> {
    mkdirSync(join(this.dir, 'command'));
    const email = `${randomUUID()}@example.com`;
    const { code, stdout, stderr } = await this.cli('account', 'create', '--name', 'Tests', '--email', email, '--password', PASSWORD, '--json');
    if (code !== 0) throw new Error(`no account: ${stderr}`);
    return { key: JSON.parse(stdout).api_key };
  }
}
