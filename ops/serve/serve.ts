import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Worker } from 'node:worker_threads';
import { accountAuthenticator } from '../../api/accounts/authenticator.js';
import { accountRoutes, accountTokens } from '../../api/accounts/routes.js';
import { docsPage } from '../../api/docs.js';
import { healthPages, systemRoutes } from '../../api/health.js';
import { RecentWrites } from '../../api/kernel/last-writes.js';
import { RollingWindows, withOverrides } from '../../api/kernel/rate-limits.js';
import { createServer, stop as stopServer } from '../../api/kernel/server.js';
import type { Services } from '../../api/kernel/services.js';
import { messageRoutes } from '../../api/messages/routes.js';
import { openapiDocument, openapiRoute } from '../../api/openapi.js';
import { webhookRoutes } from '../../api/webhooks/routes.js';
import { version } from '../../net/user-agent.js';
import type { AnyProjection } from '../../projections/kernel.js';
import { projectionStatuses } from '../../projections/status.js';
import { type Application, allProjections, createApplication, createProcesses } from '../application.js';
import { type Config, unknownVariables } from '../config.js';
import { openEngine, startLogWriter } from '../engine.js';
import { createLogger, type Logger, requestLog } from '../logging.js';
import { createMetrics, type Metrics } from '../metrics.js';
import { masterKey, operatorToken } from '../secrets.js';
import { createDemoAccount, welcome } from './demo-account.js';
import { count, type FromThread, type ThreadData } from './thread-messages.js';

/** How long running requests may take once the server was told to stop. */
const STOP_GRACE_MS = 5_000;

export interface Running {
  /** Where it listens, or null where this process does not answer requests. */
  readonly url: string | null;
  stop(): Promise<void>;
}

/**
 * Runs the roles of the configuration in this process: HTTP here, the log's writer, the read models and the processes
 * each in a thread. Resolves once it listens. `onFailure` is told when a thread dies; then this process must end.
 */
export async function serve(config: Config, onFailure: (error: Error) => void): Promise<Running> {
  const logger = createLogger({ level: config.logLevel });
  const metrics = createMetrics();
  const master = masterKey(config);
  const instance = randomUUID();
  const writer = await startLogWriter(config);
  writer.onFailure(onFailure);
  const engine = openEngine(config, { writer: writer.connect(), instance });
  const application = createApplication(config, master, engine);

  const demo = (await engine.events.head()) === 'start' && config.roles.includes('api') ? await createDemoAccount(application) : null;
  const threads = config.roles
    .filter((role) => role !== 'api')
    .map((role) => new Thread({ role, config, master, instance, writer: writer.connect() }, metrics, onFailure));
  const stopping = new AbortController();
  const watching = application.watch(stopping.signal);
  const server = config.roles.includes('api') ? await listen(config, application, metrics, logger) : null;
  const url = server && (config.publicUrl ?? addressOf(server, config.host));
  if (demo && url) process.stderr.write(welcome(demo, url));
  logger.info('started', { roles: config.roles, data_dir: config.dataDir });
  for (const variable of unknownVariables(process.env)) logger.warn('no such setting, most likely misspelt', { variable });

  return {
    url,
    async stop() {
      if (server) await stopServer(server, STOP_GRACE_MS);
      await Promise.all(threads.map((thread) => thread.stop()));
      stopping.abort();
      await watching;
      await engine.close();
      await writer.close();
      logger.info('stopped');
    },
  };
}

/** A thread that works until it is stopped. */
class Thread {
  readonly #worker: Worker;
  #stopping = false;

  constructor(data: ThreadData, metrics: Metrics, onFailure: (error: Error) => void) {
    this.#worker = new Worker(new URL('./thread.js', import.meta.url), { workerData: data, transferList: [data.writer], name: data.role });
    this.#worker.on('message', (message: FromThread) => {
      if (message !== 'stopped') for (const call of message.metrics) count(metrics, call);
    });
    this.#worker.on('error', onFailure);
    this.#worker.on('exit', (code) => {
      if (!this.#stopping) onFailure(new Error(`the thread of ${data.role} ended with code ${code}`));
    });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const ended = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.postMessage('stop');
    await ended;
  }
}

async function listen(config: Config, application: Application, metrics: Metrics, logger: Logger): Promise<Server> {
  const { engine, clock, log, dispatcher, directory, vault, purposeKey, caughtUp } = application;
  const projections = allProjections(createProcesses(config, application));
  const byName = new Map<string, AnyProjection>(projections.map((projection) => [projection.name, projection]));
  const statuses = () => projectionStatuses(projections, { log, views: engine.views, now: clock.now });
  metrics.watchProjections(async () => (await statuses()).map((s) => ({ ...s, lagMs: s.lag_ms, halted: s.status === 'halted' })));
  const publicUrl = config.publicUrl ?? `http://${config.host}:${config.port}`;
  const services: Services = {
    log,
    views: engine.views,
    addresses: vault,
    clock,
    purposeKey,
    publicUrl,
    allowedCidrs: config.webhookAllowCidrs,
    caughtUp,
  };

  const sources = { storesReachable: async () => void (await engine.events.head()), projections: statuses, metrics: metrics.exposition };
  const routes = [...accountRoutes(services, directory), ...messageRoutes(services), ...webhookRoutes(services), ...systemRoutes(sources)];
  const limits = withOverrides(config.rateLimits);
  const described = { routes, limits, version, publicUrl, headerPrefix: config.headerPrefix };
  routes.push(openapiRoute(() => openapiDocument(described)));

  const logRequest = requestLog(logger);
  const server = createServer({
    routes,
    pages: [...healthPages(sources), docsPage(described)],
    authenticator: accountAuthenticator(directory, accountTokens(services)),
    dispatcher,
    limits: new RollingWindows(limits, clock.now),
    lastWrites: new RecentWrites(),
    reached: async (name, position, timeoutMs) => {
      const projection = byName.get(name);
      return !projection || engine.views.reached(projection, position, timeoutMs);
    },
    clock,
    config: { headerPrefix: config.headerPrefix, trustProxy: config.trustProxy, operatorToken: operatorToken(config) },
    report: (error, requestId) => logger.error('request failed', { request_id: requestId, error }),
    answered: (answered) => {
      const { method, status, durationMs } = answered;
      const route = answered.route === 'unknown' ? null : answered.route;
      metrics.observeRequest({ method, route, status, seconds: durationMs / 1_000 });
      logRequest({ ...answered, route });
    },
  });
  await caughtUp('accounts');
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  });
  return server;
}

function addressOf(server: Server, host: string): string {
  const { port, family, address } = server.address() as AddressInfo;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${name}:${port}`;
}
