import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accountAuthenticator } from '../../../api/accounts/authenticator.js';
import { accountRoutes, signInTokens } from '../../../api/accounts/routes.js';
import { SessionCookies } from '../../../api/accounts/session-cookies.js';
import { activityRoutes } from '../../../api/activity/routes.js';
import { campaignRoutes } from '../../../api/campaigns/routes.js';
import { changesStreamRoute } from '../../../api/changes/stream.js';
import { consentRoutes } from '../../../api/consent/routes.js';
import { contactRoutes } from '../../../api/contacts/routes.js';
import { docsPages } from '../../../api/docs/pages.js';
import { eventRoutes } from '../../../api/events/routes.js';
import { formScriptPage } from '../../../api/forms/hosted.js';
import { formRoutes } from '../../../api/forms/routes.js';
import { withOverrides } from '../../../api/http/access/rate-limits.js';
import type { ApiDescription } from '../../../api/http/description.js';
import { healthPages, systemRoutes } from '../../../api/http/health.js';
import type { AnyRoute } from '../../../api/http/route.js';
import { InMemoryLastWrites } from '../../../api/http/server/last-writes.js';
import { createServer } from '../../../api/http/server/server.js';
import type { CompletedRequest, UnversionedPage } from '../../../api/http/server/server-options.js';
import type { Authenticator, Services } from '../../../api/http/services.js';
import { demoInbox } from '../../../api/inbox/demo.js';
import { inboxRoutes } from '../../../api/inbox/routes.js';
import { jobRoutes } from '../../../api/jobs/routes.js';
import { journeyRoutes } from '../../../api/journeys/routes.js';
import { listRoutes } from '../../../api/lists/routes.js';
import { meRoutes } from '../../../api/me/routes.js';
import { incomingMailRoute } from '../../../api/messages/incoming-mail.js';
import { messageRoutes } from '../../../api/messages/routes.js';
import { sandboxMessagesRoute } from '../../../api/messages/sandbox.js';
import { type SendingDomainChecks, sendingDomainRoutes } from '../../../api/messages/sending-domains.js';
import { openapiDocument } from '../../../api/openapi/document.js';
import { recordedExamples } from '../../../api/openapi/recorded-examples.js';
import { openapiRoute } from '../../../api/openapi/route.js';
import { overviewRoutes } from '../../../api/overview/routes.js';
import { dashboardPages } from '../../../api/pages/dashboard.js';
import { parkedRoutes } from '../../../api/parked/routes.js';
import { publicRoutes } from '../../../api/public/routes.js';
import { trackingRoutes } from '../../../api/public/tracking.js';
import { pushRoutes } from '../../../api/push/routes.js';
import { scoreRoutes } from '../../../api/scores/routes.js';
import { segmentRoutes } from '../../../api/segments/routes.js';
import { suppressionRoutes } from '../../../api/suppressions/routes.js';
import { sandboxInboundRoute } from '../../../api/suppressions/sandbox-inbound.js';
import { templateRoutes } from '../../../api/templates/routes.js';
import { viewRoutes } from '../../../api/views/routes.js';
import { carrierInboundRoutes } from '../../../api/webhooks/carriers.js';
import { endpointDeliveryRoutes } from '../../../api/webhooks/endpoint-deliveries.js';
import { endpointRoutes } from '../../../api/webhooks/endpoints.js';
import { webhookRoutes } from '../../../api/webhooks/routes.js';
import type { CarrierName, CarrierSettings } from '../../../carriers/registry.js';
import type { RawRequest } from '../../../carriers/runtime/incoming.js';
import { isSandboxAddress } from '../../../carriers/sandbox/behaviors.js';
import { inboundReport } from '../../../carriers/sandbox/inbound.js';
import { SANDBOX } from '../../../carriers/sandbox/sandbox.js';
import { smtp } from '../../../carriers/smtp/smtp.js';
import { carrierTexts } from '../../../domain/accounts/own-carriers.js';
import type { Entropy } from '../../../domain/kernel/entropy.js';
import type { RateLimitResult, RateLimits } from '../../../domain/kernel/rate-limits.js';
import { createPost } from '../../../net/client.js';
import { getText } from '../../../net/get-text.js';
import { programVersion } from '../../../net/user-agent.js';
import type { AccountDirectory } from '../../../projections/accounts/directory.js';
import type { AnyProjection } from '../../../projections/runtime/projection.js';
import { segmentMembers } from '../../../projections/segments/members.js';
import { createRequestLogger, type Logger } from '../../monitoring/logging.js';
import type { Metrics } from '../../monitoring/metrics.js';
import { systemDns } from '../../system/dns.js';
import { loadOperatorToken } from '../../system/secrets.js';
import type { Application } from '../application.js';
import { routeOf } from '../carrier-routes.js';
import type { Config } from '../config/config.js';
import { loadDashboardFiles } from '../dashboard-files.js';
import { loadDocsFiles } from '../docs-files.js';
import { inboxClient } from '../inbox-client.js';
import { allProjections, completeMessages, createProcesses } from '../processes.js';
import { vapidKeyOf } from '../push.js';
import { sendingDomainChecks } from '../sending-domains/account-domains.js';
import { createCharts } from '../threads/charts.js';
import { createReportReader } from '../threads/report-reader.js';
import { carrierReceivers } from './carrier-receivers.js';
import { healthSources } from './health-sources.js';
import { listen } from './listening.js';

export interface HttpServer {
  readonly server: Server;
  /** The public base URL. */
  readonly url: string;
  /** The base URL at which this process answers. */
  readonly listening: string;
}

/** Serves the API; without the role `api` only health, metrics and `/v1/system`. Resolves once it listens and the read model of accounts has caught up. */
export async function startHttpServer(
  config: Config,
  application: Application,
  metrics: Metrics,
  logger: Logger,
  demoAccount: string | null = null,
): Promise<HttpServer> {
  // With port 0 the URL is known only once the server listens. It is not read before.
  const publicAddress = { url: config.publicUrl ?? '' };
  const server = await createHttpServer(config, application, metrics, logger, publicAddress, demoAccount);
  if (config.roles.includes('api')) await application.caughtUp('accounts');
  await listen(server, config);
  const listening = listeningUrl(server, config.host);
  publicAddress.url = config.publicUrl ?? listening;
  return { server, url: publicAddress.url, listening };
}

/** The server with all of its routes, which does not listen yet. `demoAccount`: has the pages of the demo; null for none. */
export async function createHttpServer(
  config: Config,
  application: Application,
  metrics: Metrics,
  logger: Logger,
  publicAddress: PublicAddress,
  demoAccount: string | null = null,
): Promise<Server> {
  const { engine, clock, entropy, dispatcher, directory } = application;
  const processes = createProcesses(config, application);
  const projections = allProjections(processes);
  const limits = withOverrides(config.rateLimits);
  const services = servicesOf(config, application, publicAddress);
  const authenticator = accountAuthenticator(directory, signInTokens(services), new SessionCookies(services.publicUrl));
  const sources = healthSources(application, processes, projections, metrics, logger);
  const onCut = cutReporter(metrics, logger);
  const readReports = createReportReader(clock);
  const answersCallers = config.roles.includes('api');
  const receivers = receiversOf(config, application, publicAddress, readReports);
  const domains = sendingDomainChecks(config, application, systemDns(config.dnsServers));
  const routes = answersCallers ? routesForCallers(config, application, { services, authenticator, readReports, domains, onCut }) : [];
  const { misconfiguredCarriers } = metrics;
  const observed = { domains, projections: sources.projections, misconfiguredCarriers };
  if (answersCallers) routes.push(...overviewRoutes(services, { ...config, ...observed }));
  routes.push(...systemRoutes(sources), ...parkedRoutes(services));
  const demo = demoAccount === null ? { pages: [], inboundRoutes: [] } : demoInbox(demoAccount, services);
  const described = documentationSource(config, routes, limits, publicAddress);
  if (answersCallers) routes.push(openapiRoute(() => openapiDocument(described)));

  return createServer({
    routes,
    pages: [...healthPages(sources), ...(answersCallers ? [...pagesForCallers(described, entropy), ...demo.pages] : [])],
    inboundRoutes: answersCallers
      ? [...demo.inboundRoutes, ...carrierInboundRoutes(services, { receivers, onCut, ...reportsOf(metrics, logger) })]
      : [],
    authenticator,
    dispatcher,
    limits: countingRefusals(await engine.rateLimits(limits, clock), metrics),
    lastWrites: new InMemoryLastWrites(),
    reached: positionWaiter(projections, application),
    clock,
    entropy,
    config: {
      headerPrefix: config.headerPrefix,
      trustProxy: config.trustProxy,
      corsOrigins: config.corsOrigins,
      operatorToken: loadOperatorToken(config),
      bodyBudget: config.bodyBudget,
    },
    requestHashKey: application.purposeKey('intent'),
    report: (error, requestId) => logger.error('request failed', { request_id: requestId, error }),
    onCompleted: requestObserver(metrics, logger),
  });
}

/** What needs no credential and has no rate limit, besides the demo. */
const pagesForCallers = (described: ApiDescription, entropy: Entropy): UnversionedPage[] => [
  ...dashboardPages(loadDashboardFiles()),
  ...docsPages(described, loadDocsFiles(), entropy),
  formScriptPage,
];

/** What receives the webhooks of carriers. */
const receiversOf = (config: Config, { clock, directory }: Application, publicAddress: PublicAddress, read: ReturnType<typeof createReportReader>) =>
  carrierReceivers({
    ...{ settings: config.carriers, publicAddress, clock },
    ownSettings: ownCarrierSettings(directory),
    read,
    getText: (url) => getText(url, { clock }),
  });

/** What is noted of webhooks of carriers that are not understood. */
const reportsOf = (metrics: Metrics, logger: Logger) => ({
  onUnknownCode: (carrier: string, code: string) => metrics.countUnknownCode(carrier, code),
  onUnreadable: (carrier: string, problem: string) => logger.warn('part of a webhook is unreadable', { carrier, problem }),
});

/** Counts and logs the recipients that a report of a carrier left out. */
const cutReporter =
  (metrics: Metrics, logger: Logger) =>
  (carrier: string, recipients: number): void => {
    metrics.countCutRecipients(carrier, recipients);
    logger.warn('a report is about more recipients than a message can have', { carrier, left_out: recipients });
  };

/** What the routes for callers share with the receivers of carriers. */
interface RouteParts {
  readonly services: Services;
  readonly authenticator: Authenticator;
  readonly readReports: ReturnType<typeof createReportReader>;
  readonly domains: SendingDomainChecks;
  readonly onCut: ReturnType<typeof cutReporter>;
}

/** The routes of all capabilities. */
const routesForCallers = (
  config: Config,
  { clock, directory, inboxChanges, liveChanges, purposeKey }: Application,
  { services, authenticator, readReports, domains, onCut }: RouteParts,
): AnyRoute[] => [
  ...accountRoutes(services, directory),
  ...activityRoutes(services),
  ...meRoutes(services, { directory, operatorAccounts: config.operatorAccounts }),
  ...messageRoutes(services),
  ...contactRoutes(services),
  ...eventRoutes(services),
  ...consentRoutes(services),
  ...listRoutes(services),
  ...segmentRoutes(services),
  ...campaignRoutes(services, domains),
  ...sendingDomainRoutes(domains),
  ...journeyRoutes(services),
  ...templateRoutes(services),
  ...formRoutes(services),
  ...scoreRoutes(services, { drawChart: createCharts(clock) }),
  ...suppressionRoutes(services),
  sandboxMessagesRoute(services, { sandbox: SANDBOX, isSandboxAddress, complete: completeMessages(config, purposeKey) }),
  sandboxInboundRoute({ carrierOf: (channel) => routeOf(config, channel)[0], sandbox: SANDBOX, reportOf: inboundReport }),
  ...publicRoutes(services),
  ...trackingRoutes(services, { carrier: smtp.name }),
  incomingMailRoute(services, {
    credentials: mailCredentials(config),
    read: (body, nowMs, signal) => readReports({ reader: { carrier: smtp.name, path: '' }, request: mailRequest(body), nowMs }, signal),
    onCut: (recipients) => onCut(smtp.name, recipients),
  }),
  ...webhookRoutes(services),
  ...endpointDeliveryRoutes(services),
  ...endpointRoutes(services, { ...config, post: createPost({ clock }) }),
  ...jobRoutes(services),
  changesStreamRoute(liveChanges),
  ...viewRoutes(services),
  ...pushRoutes(services, { authenticator, vapidKeyOf: vapidKeyOf(config, (account) => directory.settings(account), purposeKey) }),
  ...inboxRoutes(services, { changes: inboxChanges, client: inboxClient(), settings: (account) => directory.settings(account) }),
];

/** What proves the webhooks of an account's own carrier. */
const ownCarrierSettings =
  (directory: Pick<AccountDirectory, 'settings'>) =>
  async (account: string, carrier: CarrierName): Promise<CarrierSettings | null> => {
    const found = (await directory.settings(account))?.carriers.get(carrier);
    return found ? { [carrier]: carrierTexts(found.settings) } : null;
  };

/** A mail as the readers of requests have it. */
const mailRequest = (body: Buffer): RawRequest => ({ method: 'POST', target: '', headers: {}, body });

/** What a mail server shows; null until both are set. */
function mailCredentials({ carriers }: Config): { user: string; password: string } | null {
  const { webhook_user: user, webhook_password: password } = carriers[smtp.name] ?? {};
  return user === undefined || password === undefined ? null : { user, password };
}

interface PublicAddress {
  readonly url: string;
}

const servicesOf = (
  config: Config,
  { engine, log, vault, clock, passwords, purposeKey, caughtUp }: Application,
  publicAddress: PublicAddress,
): Services => ({
  log,
  views: engine.views,
  addresses: vault,
  clock,
  passwords,
  purposeKey,
  get publicUrl() {
    return publicAddress.url;
  },
  allowedCidrs: config.webhookAllowCidrs,
  caughtUp,
});

const documentationSource = (
  { headerPrefix }: Config,
  routes: readonly AnyRoute[],
  limits: ReturnType<typeof withOverrides>,
  publicAddress: PublicAddress,
) => ({
  routes,
  limits,
  version: programVersion,
  examples: recordedExamples,
  headerPrefix,
  get publicUrl() {
    return publicAddress.url;
  },
});

/** Counts the requests that rate limits refuse. */
const countingRefusals = (limits: RateLimits, metrics: Metrics): RateLimits => ({
  consume(group, who) {
    const seen = (hit: RateLimitResult): RateLimitResult => {
      if (!hit.allowed) metrics.countRateLimited(group);
      return hit;
    };
    const hit = limits.consume(group, who);
    return hit instanceof Promise ? hit.then(seen) : seen(hit);
  },
  refund: (group, who) => limits.refund(group, who),
});

function positionWaiter(projections: readonly AnyProjection[], { engine, membershipsSettled }: Application) {
  const byName = new Map(projections.map((projection) => [projection.name, projection]));
  return async (name: string, position: string, timeoutMs: number, account: string): Promise<boolean> => {
    // A process makes the records that this one is folded from.
    if (name === segmentMembers.name) return membershipsSettled(account, position, timeoutMs);
    const projection = byName.get(name);
    return !projection || engine.views.waitUntilReached(projection, position, timeoutMs);
  };
}

function requestObserver(metrics: Metrics, logger: Logger): (answered: CompletedRequest) => void {
  const logRequest = createRequestLogger(logger);
  return (answered) => {
    const route = answered.route === 'unknown' ? null : answered.route;
    metrics.observeRequest({ method: answered.method, route, status: answered.status, seconds: answered.durationMs / 1_000 });
    logRequest({ ...answered, route });
  };
}

function listeningUrl(server: Server, host: string): string {
  const { port, family, address } = server.address() as AddressInfo;
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : family === 'IPv6' ? `[${address}]` : address;
  return `http://${name}:${port}`;
}
