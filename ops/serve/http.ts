import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accountAuthenticator } from '../../api/accounts/authenticator.js';
import { accountRoutes, accountTokens } from '../../api/accounts/routes.js';
import { docsPage } from '../../api/docs.js';
import { healthPages, systemRoutes } from '../../api/health.js';
import { RecentWrites } from '../../api/kernel/last-writes.js';
import { withOverrides } from '../../api/kernel/rate-limits.js';
import type { AnyRoute } from '../../api/kernel/route.js';
import { createServer } from '../../api/kernel/server.js';
import type { Services } from '../../api/kernel/services.js';
import type { Answered } from '../../api/kernel/shell.js';
import { messageRoutes } from '../../api/messages/routes.js';
import { openapiDocument, openapiRoute } from '../../api/openapi.js';
import { webhookRoutes } from '../../api/webhooks/routes.js';
import { version } from '../../net/user-agent.js';
import type { AnyProjection } from '../../projections/kernel.js';
import { projectionStatuses } from '../../projections/status.js';
import { type Application, allProjections, createProcesses } from '../application.js';
import type { Config } from '../config.js';
import { type Logger, requestLog } from '../logging.js';
import type { Metrics } from '../metrics.js';
import { operatorToken } from '../secrets.js';

export interface Listening {
  readonly server: Server;
  /** Where the outside reaches it. */
  readonly url: string;
}

/** Serves the API. Resolves once it listens and knows the accounts that are in the log. */
export async function listen(config: Config, application: Application, metrics: Metrics, logger: Logger): Promise<Listening> {
  const { engine, clock, dispatcher, directory, caughtUp } = application;
  const projections = allProjections(createProcesses(config, application));
  const limits = withOverrides(config.rateLimits);
  // Which port it is may be known only once it listens; nobody asks before.
  const place = { url: config.publicUrl ?? '' };
  const services = servicesOf(config, application, place);
  const sources = healthOf(application, projections, metrics);
  const routes = [...accountRoutes(services, directory), ...messageRoutes(services), ...webhookRoutes(services), ...systemRoutes(sources)];
  const described = describe(config, routes, limits, place);
  routes.push(openapiRoute(() => openapiDocument(described)));

  const server = createServer({
    routes,
    pages: [...healthPages(sources), docsPage(described)],
    authenticator: accountAuthenticator(directory, accountTokens(services)),
    dispatcher,
    limits: await engine.rateLimits(limits, clock),
    lastWrites: new RecentWrites(),
    reached: reachedIn(projections, application),
    clock,
    config: { headerPrefix: config.headerPrefix, trustProxy: config.trustProxy, operatorToken: operatorToken(config) },
    report: (error, requestId) => logger.error('request failed', { request_id: requestId, error }),
    answered: observe(metrics, logger),
  });
  await caughtUp('accounts');
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

function healthOf({ engine, log, clock }: Application, projections: readonly AnyProjection[], metrics: Metrics) {
  const statuses = () => projectionStatuses(projections, { log, views: engine.views, now: clock.now });
  metrics.watchProjections(async () => (await statuses()).map((s) => ({ ...s, lagMs: s.lag_ms, halted: s.status === 'halted' })));
  const storesReachable = async () =>
    void (await Promise.all([engine.events.head(), ...projections.slice(0, 1).map(engine.views.status, engine.views)]));
  return { storesReachable, projections: statuses, metrics: metrics.exposition };
}

function reachedIn(projections: readonly AnyProjection[], { engine }: Application) {
  const byName = new Map(projections.map((projection) => [projection.name, projection]));
  return async (name: string, position: string, timeoutMs: number): Promise<boolean> => {
    const projection = byName.get(name);
    return !projection || engine.views.reached(projection, position, timeoutMs);
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
