import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accountAuthenticator } from '../../api/accounts/authenticator.js';
import { accountRoutes, accountTokens } from '../../api/accounts/routes.js';
import { consentRoutes } from '../../api/consent/routes.js';
import { contactRoutes } from '../../api/contacts/routes.js';
import { docsPage } from '../../api/docs.js';
import { eventRoutes } from '../../api/events/routes.js';
import { healthPages, systemRoutes } from '../../api/health.js';
import { RecentWrites } from '../../api/kernel/last-writes.js';
import { type Hit, type RateLimits, withOverrides } from '../../api/kernel/rate-limits.js';
import type { AnyRoute } from '../../api/kernel/route.js';
import { createServer } from '../../api/kernel/server.js';
import type { Services } from '../../api/kernel/services.js';
import type { Answered } from '../../api/kernel/shell.js';
import { listRoutes } from '../../api/lists/routes.js';
import { messageRoutes } from '../../api/messages/routes.js';
import { openapiDocument, openapiRoute } from '../../api/openapi.js';
import { publicRoutes } from '../../api/public/routes.js';
import { suppressionRoutes } from '../../api/suppressions/routes.js';
import { sandboxInboundRoute } from '../../api/suppressions/sandbox-inbound.js';
import { webhookRoutes } from '../../api/webhooks/routes.js';
import { inboundReport } from '../../carriers/sandbox/inbound.js';
import { SANDBOX } from '../../carriers/sandbox/sandbox.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import { version } from '../../net/user-agent.js';
import type { AnyProcessManager, Todo } from '../../processes/kernel.js';
import { TODOS, todoList } from '../../processes/todo-list.js';
import type { AnyProjection } from '../../projections/kernel.js';
import { projectionStatuses } from '../../projections/status.js';
import { type Application, allProjections, carrierRoutes, createProcesses } from '../application.js';
import type { Config } from '../config.js';
import { type Logger, requestLog } from '../logging.js';
import type { Metrics, TodoList } from '../metrics.js';
import { operatorToken } from '../secrets.js';

export interface Listening {
  readonly server: Server;
  /** Where the outside reaches it. */
  readonly url: string;
}

/** Serves the API; on a node without that role only what tells how the node is. Resolves once it listens and knows the accounts that are in the log. */
export async function listen(config: Config, application: Application, metrics: Metrics, logger: Logger): Promise<Listening> {
  const { engine, clock, dispatcher, directory, caughtUp } = application;
  const processes = createProcesses(config, application);
  const projections = allProjections(processes);
  const limits = withOverrides(config.rateLimits);
  // Which port it is may be known only once it listens; nobody asks before.
  const place = { url: config.publicUrl ?? '' };
  const services = servicesOf(config, application, place);
  const sources = healthOf(application, processes, projections, metrics);
  const answersCallers = config.roles.includes('api');
  const routes: AnyRoute[] = answersCallers
    ? [
        ...accountRoutes(services, directory),
        ...messageRoutes(services),
        ...contactRoutes(services),
        ...eventRoutes(services),
        ...consentRoutes(services),
        ...listRoutes(services),
        ...suppressionRoutes(services),
        sandboxInboundRoute({ carrierOf: (channel) => carrierRoutes({ sandboxLog: null })(channel).name, sandbox: SANDBOX, reportOf: inboundReport }),
        ...publicRoutes(services, { accountName: async (account) => (await directory.settings(account))?.settings.name ?? null }),
        ...webhookRoutes(services),
      ]
    : [];
  routes.push(...systemRoutes(sources));
  const described = describe(config, routes, limits, place);
  if (answersCallers) routes.push(openapiRoute(() => openapiDocument(described)));

  const server = createServer({
    routes,
    pages: [...healthPages(sources), ...(answersCallers ? [docsPage(described)] : [])],
    authenticator: accountAuthenticator(directory, accountTokens(services)),
    dispatcher,
    limits: counted(await engine.rateLimits(limits, clock), metrics),
    lastWrites: new RecentWrites(),
    reached: reachedIn(projections, application),
    clock,
    config: { headerPrefix: config.headerPrefix, trustProxy: config.trustProxy, operatorToken: operatorToken(config) },
    intentKey: application.purposeKey('intent'),
    report: (error, requestId) => logger.error('request failed', { request_id: requestId, error }),
    answered: observe(metrics, logger),
  });
  if (answersCallers) await caughtUp('accounts');
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(config.port, config.host, resolve);
  });
  if (config.publicUrl === null) place.url = addressOf(server, config.host);
  return { server, url: place.url };
}

interface Place {
  readonly url: string;
}

const servicesOf = (config: Config, { engine, log, vault, clock, purposeKey, caughtUp }: Application, place: Place): Services => ({
  log,
  views: engine.views,
  addresses: vault,
  clock,
  purposeKey,
  get publicUrl() {
    return place.url;
  },
  allowedCidrs: config.webhookAllowCidrs,
  caughtUp,
});

const describe = ({ headerPrefix }: Config, routes: readonly AnyRoute[], limits: ReturnType<typeof withOverrides>, place: Place) => ({
  routes,
  limits,
  version,
  headerPrefix,
  get publicUrl() {
    return place.url;
  },
});

/** Counts what the limits refuse. */
const counted = (limits: RateLimits, metrics: Metrics): RateLimits => ({
  hit(group, who) {
    const seen = (hit: Hit): Hit => {
      if (!hit.allowed) metrics.countRateLimited(group);
      return hit;
    };
    const hit = limits.hit(group, who);
    return hit instanceof Promise ? hit.then(seen) : seen(hit);
  },
});

function healthOf(
  { engine, log, clock }: Application,
  processes: readonly AnyProcessManager[],
  projections: readonly AnyProjection[],
  metrics: Metrics,
) {
  const statuses = () => projectionStatuses(projections, { log, views: engine.views, now: clock.now });
  metrics.watchTodos(() => Promise.all(processes.map((process) => lengthOf(process, engine.views, clock.now()))));
  metrics.watchProjections(async () => (await statuses()).map((s) => ({ ...s, lagMs: s.lag_ms, halted: s.status === 'halted' })));
  const storesReachable = async () =>
    void (await Promise.all([engine.events.head(), ...projections.slice(0, 1).map(engine.views.status, engine.views)]));
  return { storesReachable, projections: statuses, metrics: metrics.exposition };
}

/** Due ones are counted no further than anybody needs to know. */
const MOST_DUE = 1_000;

async function lengthOf(process: AnyProcessManager, views: ReadModels, now: number): Promise<TodoList> {
  const todos = views.docs<Todo>(todoList(process), TODOS);
  const due = await todos.find({ where: {}, range: { field: 'due_at', lte: now }, order: { field: 'due_at' }, limit: MOST_DUE });
  return { process: process.name, waiting: await todos.count({}), due: due.length };
}

function reachedIn(projections: readonly AnyProjection[], { engine }: Application) {
  const byName = new Map(projections.map((projection) => [projection.name, projection]));
  return async (name: string, position: string, timeoutMs: number): Promise<boolean> => {
    const projection = byName.get(name);
    return !projection || engine.views.waitUntilReached(projection, position, timeoutMs);
  };
}

function observe(metrics: Metrics, logger: Logger): (answered: Answered) => void {
  const logRequest = requestLog(logger);
  return (answered) => {
    const route = answered.route === 'unknown' ? null : answered.route;
    metrics.observeRequest({ method: answered.method, route, status: answered.status, seconds: answered.durationMs / 1_000 });
    logRequest({ ...answered, route });
  };
}

function addressOf(server: Server, host: string): string {
  const { port, family, address } = server.address() as AddressInfo;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${name}:${port}`;
}
