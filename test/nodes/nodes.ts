import { randomBytes } from 'node:crypto';
import { LEASES } from '../../engines/mongodb/names.js';
import { databaseUrl, Servers, SHARED, skipReason } from '../support/engines.js';
import { eventually } from '../support/eventually.js';
import { withMongo } from '../support/mongodb.js';
import { MongoProxy } from '../support/mongodb-proxy.js';
import { type Reply, Service } from '../support/service.js';

export interface NodesOptions {
  readonly apis?: number;
  readonly workers?: number;
  /** Additional settings of all nodes. */
  readonly env?: Readonly<Record<string, string>>;
}

interface LeaseDoc {
  readonly _id: string;
  readonly holder: string;
  readonly until: number;
}

/** One installation: API nodes and workers that share one log and one database. */
export class Nodes {
  readonly apis: readonly Service[];
  readonly workers: readonly Service[];

  private constructor(
    readonly servers: Servers,
    /** Between all nodes and the database. */
    readonly mongo: MongoProxy,
    readonly env: Readonly<Record<string, string>>,
    { apis = 2, workers = 2 }: NodesOptions,
  ) {
    this.apis = Array.from({ length: apis }, () => Service.node({ ...env, HELIOGRAPH_ROLES: 'api' }));
    this.workers = Array.from({ length: workers }, () => Service.node({ ...env, HELIOGRAPH_ROLES: 'projections,processes' }));
  }

  /** Starts all nodes, the first worker first so that it gets all leases, and creates an account for all of them. */
  static async start(options: NodesOptions = {}): Promise<Nodes> {
    const servers = await Servers.start(SHARED);
    const mongo = await MongoProxy.start(servers.env.MONGODB_URL ?? '');
    const shared = {
      HELIOGRAPH_MASTER_KEY: randomBytes(32).toString('base64'),
      HELIOGRAPH_OPERATOR_TOKEN: randomBytes(16).toString('hex'),
      ...servers.env,
      MONGODB_URL: databaseUrl(mongo.url, servers.database ?? ''),
      ...options.env,
    };
    const nodes = new Nodes(servers, mongo, shared, options);
    try {
      for (const worker of nodes.workers) {
        await worker.restart();
        if (worker === nodes.workers[0]) await eventually('the first worker holds all leases', () => nodes.holdsAll(worker), { within: 30_000 });
      }
      for (const api of nodes.apis) await api.restart();
      const account = await nodes.a.createAccount('owner@example.com');
      for (const node of nodes.all) node.account = account;
    } catch (e) {
      await nodes.close();
      throw e;
    }
    return nodes;
  }

  /** `start` for a `before` hook: without a database the suite is skipped with a warning. */
  static async startIn(context: Mocha.Context, options: NodesOptions = {}): Promise<Nodes> {
    const reason = await skipReason(SHARED);
    if (reason !== null) {
      console.warn(`      skipped: ${context.test?.parent?.title}: ${reason}`);
      context.skip();
    }
    return Nodes.start(options);
  }

  /** The first API node. */
  get a(): Service {
    return at(this.apis, 0);
  }

  /** The second API node. */
  get b(): Service {
    return at(this.apis, 1);
  }

  get all(): readonly Service[] {
    return [...this.apis, ...this.workers];
  }

  /** Sends a message through a node. */
  send(node: Service, message: object = {}, headers: Readonly<Record<string, string>> = {}): Promise<Reply> {
    return node.api('POST', '/v1/messages/send', { to: '+14155550100', channel: 'sms', message: 'Hello', ...message }, headers);
  }

  async statusOf(node: Service, id: string): Promise<string> {
    return (await node.api('GET', `/v1/messages/${id}`)).body.status;
  }

  /** Whether this worker holds all current leases, among them those of partitions of processes. */
  async holdsAll({ instance }: Service): Promise<boolean> {
    const held = await this.leases();
    return held.some(({ _id }) => _id.startsWith('processes/partition/')) && held.every(({ holder }) => holder === instance);
  }

  /** The leases that are held. */
  async leases(): Promise<readonly LeaseDoc[]> {
    const all = await withMongo((client) =>
      client
        .db(this.servers.database ?? '')
        .collection<LeaseDoc>(LEASES)
        .find()
        .toArray(),
    );
    return all.filter(({ until }) => until > 0);
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((node) => node.close()));
    await this.mongo.close();
    await this.servers.close();
  }
}

function at(nodes: readonly Service[], n: number): Service {
  const node = nodes[n];
  if (!node) throw new Error('no such node');
  return node;
}
