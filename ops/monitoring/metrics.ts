import { performance } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { CodeLabels } from './code-labels.js';

/** Upper bounds in seconds: from a send on an idle disk to a receiver that uses its whole ten seconds. */
const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Outcomes of calls whose labels differ from their names in code: dashboards and alerts of operators name the labels. */
const OUTCOME_LABELS: ReadonlyMap<string, string> = new Map([
  ['transient_error', 'passing_error'],
  ['permanent_error', 'lasting_error'],
]);

/** The progress of one projection or to-do list. */
export interface ProjectionProgress {
  readonly name: string;
  /** Position in the log: 20 digits, or 'start'. */
  readonly position: string;
  /** Age in milliseconds of the oldest unprocessed event; 0 at the head. */
  readonly lagMs: number;
  readonly halted: boolean;
}

export interface TodoCounts {
  readonly process: string;
  readonly waiting: number;
  /** How many of them are due. */
  readonly due: number;
  /** How many are parked, which count as waiting, too. */
  readonly parked: number;
}

/**
 * The metrics of the service. All functions are plain callbacks, so the layers that report do not depend on Prometheus.
 * No label has a value that a caller chooses, and those that carriers choose are bounded, so the number of series is, too.
 */
export interface Metrics {
  /** `route` is the pattern, `/v1/messages/:id`; null if none matched. */
  observeRequest(request: { method: string; route: string | null; status: number; seconds: number }): void;
  /** A message entered a status. */
  countMessage(channel: string, status: string, count?: number): void;
  observeCarrierCall(call: { carrier: string; channel: string; outcome: string; seconds: number }): void;
  /** Whether a carrier refuses the settings at present. */
  setCarrierMisconfigured(carrier: string, isMisconfigured: boolean): void;
  /** The carriers that do. */
  misconfiguredCarriers(): readonly string[];
  /** `outcome`: `success`, or the reason of the failure, as recorded with the attempt. */
  observeWebhookAttempt(attempt: { outcome: string; seconds: number }): void;
  /** How many receivers of webhooks are called one at a time. */
  setOpenCircuits(open: number): void;
  countAppendedEvents(count: number): void;
  /** Recipients that were left out of a report of a carrier: it named more than a message can have. */
  countCutRecipients(carrier: string, recipients: number): void;
  /** A code or status of a carrier that its table does not have: named, as far as the number of series stays bounded. */
  countUnknownCode(carrier: string, code: string): void;
  countRateLimited(group: string): void;
  /** `read` is called at every scrape. If it fails, that scrape lacks its gauges. */
  registerProjections(read: () => Promise<readonly ProjectionProgress[]>): void;
  registerTodos(read: () => Promise<readonly TodoCounts[]>): void;
  /** The text of a scrape, in the format of `contentType`. */
  exposition(): Promise<string>;
  readonly contentType: string;
}

/** Any other method is counted as `other`. */
const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Each call makes a registry of its own, so one process can run several services. `processMetrics` adds memory, CPU and event loop. */
export function createMetrics(options: { readonly processMetrics?: boolean } = {}): Metrics {
  const registry = new Registry();
  const readings: (() => Promise<void>)[] = [];
  if (options.processMetrics ?? true) registerProcessMetrics(registry);

  const instruments = instrumentsOf([registry]);
  const { requests, rateLimited, messages, carrierCalls, misconfigured, webhookAttempts, openCircuits, cutRecipients, appended } = instruments;
  const codeLabels = new CodeLabels();
  /** Carriers that refuse their settings. */
  const refusing = new Set<string>();

  return {
    observeRequest: ({ method, route, status, seconds }) =>
      requests.observe({ method: KNOWN_METHODS.has(method) ? method : 'other', route: route ?? '(none)', status }, seconds),
    countMessage: (channel, status, count = 1) => messages.inc({ channel, status }, count),
    observeCarrierCall: ({ seconds, outcome, ...labels }) =>
      carrierCalls.observe({ ...labels, outcome: OUTCOME_LABELS.get(outcome) ?? outcome }, seconds),
    setCarrierMisconfigured(carrier, isMisconfigured) {
      misconfigured.set({ carrier }, isMisconfigured ? 1 : 0);
      if (isMisconfigured) refusing.add(carrier);
      else refusing.delete(carrier);
    },
    misconfiguredCarriers: () => [...refusing].sort(),
    observeWebhookAttempt: ({ seconds, ...labels }) => webhookAttempts.observe(labels, seconds),
    setOpenCircuits: (open) => openCircuits.set(open),
    countAppendedEvents: (count) => appended.inc(count),
    countCutRecipients: (carrier, recipients) => cutRecipients.inc({ carrier }, recipients),
    countUnknownCode: (carrier, code) => instruments.unknownCodes.inc({ carrier, code: codeLabels.of(carrier, code) }),
    countRateLimited: (group) => rateLimited.inc({ group }),
    registerProjections: (read) => readings.push(projectionGauges(registry, read)),
    registerTodos: (read) => readings.push(todoGauges(registry, read)),
    async exposition() {
      await Promise.all(readings.map((reading) => reading()));
      return registry.metrics();
    },
    contentType: registry.contentType,
  };
}

/** What is counted and measured where it happens. */
const instrumentsOf = (registers: Registry[]) => ({
  requests: new Histogram({
    name: 'heliograph_http_request_duration_seconds',
    help: 'Answered requests by method, route and status, and how long they took.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: DURATION_BUCKETS_S,
    registers,
  }),
  rateLimited: new Counter({
    name: 'heliograph_http_rate_limited_total',
    help: 'Requests refused by a rate limit, by group.',
    labelNames: ['group'] as const,
    registers,
  }),
  messages: new Counter({
    name: 'heliograph_messages_total',
    help: 'Messages that entered a status, by channel.',
    labelNames: ['channel', 'status'] as const,
    registers,
  }),
  carrierCalls: new Histogram({
    name: 'heliograph_carrier_call_duration_seconds',
    help: 'Messages handed to a carrier by outcome, and how long the carrier took to answer.',
    labelNames: ['carrier', 'channel', 'outcome'] as const,
    buckets: DURATION_BUCKETS_S,
    registers,
  }),
  misconfigured: new Gauge({
    name: 'heliograph_carrier_misconfigured',
    help: '1 while a carrier refuses its settings: its messages wait.',
    labelNames: ['carrier'] as const,
    registers,
  }),
  webhookAttempts: new Histogram({
    name: 'heliograph_webhook_attempt_duration_seconds',
    help: 'Attempts to deliver a webhook by outcome, and how long they took.',
    labelNames: ['outcome'] as const,
    buckets: DURATION_BUCKETS_S,
    registers,
  }),
  openCircuits: new Gauge({
    name: 'heliograph_webhook_circuits_open',
    help: 'Receivers of webhooks whose calls fail, so that they are called one at a time: a host and an account each.',
    registers,
  }),
  cutRecipients: new Counter({
    name: 'heliograph_reported_recipients_cut_total',
    help: 'Recipients that were left out of reports of carriers, which named more than a message can have.',
    labelNames: ['carrier'] as const,
    registers,
  }),
  unknownCodes: new Counter({
    name: 'heliograph_carrier_unknown_codes_total',
    help: 'Codes and statuses of carriers that this version does not know: errors count as passing.',
    labelNames: ['carrier', 'code'] as const,
    registers,
  }),
  appended: new Counter({ name: 'heliograph_log_events_appended_total', help: 'Events appended to the log.', registers }),
});

/** Its samples of the event loop's delay would wake the process a hundred times a second. */
const NEVER_SAMPLED_MS = 86_400_000;
const SAMPLED = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'];

/** Memory, CPU, event loop and garbage collection of the process, without anything that wakes it while it is idle. */
function registerProcessMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, prefix: 'heliograph_', eventLoopMonitoringPrecision: NEVER_SAMPLED_MS });
  for (const name of SAMPLED) registry.removeSingleMetric(`heliograph_nodejs_eventloop_lag_${name}_seconds`);
  let last = performance.eventLoopUtilization();
  const utilization = new Gauge({
    name: 'heliograph_nodejs_eventloop_utilization',
    help: 'Share of the time since the last scrape in which the thread that answers requests was busy.',
    registers: [registry],
    collect: () => {
      const now = performance.eventLoopUtilization();
      utilization.set(performance.eventLoopUtilization(now, last).utilization);
      last = now;
    },
  });
}

function projectionGauges(registry: Registry, read: () => Promise<readonly ProjectionProgress[]>): () => Promise<void> {
  const fill = gauges(registry, 'projection', {
    heliograph_projection_position: 'Position in the log that a projection has reached.',
    heliograph_projection_lag_seconds: 'Age of the oldest event that a projection has not processed.',
    heliograph_projection_halted: '1 if a projection has stopped at an event that it cannot apply.',
  });
  const numeric = (position: string) => (position === 'start' ? 0 : Number(position));
  return () =>
    fill(async () =>
      (await read()).map(({ name, position, lagMs, halted }) => ({ label: name, values: [numeric(position), lagMs / 1000, halted ? 1 : 0] })),
    );
}

function todoGauges(registry: Registry, read: () => Promise<readonly TodoCounts[]>): () => Promise<void> {
  const fill = gauges(registry, 'process', {
    heliograph_todos_waiting: 'To-dos on the list of a process.',
    heliograph_todos_due: 'To-dos that are due.',
    heliograph_todos_parked: 'To-dos that failed too often and wait for an operator.',
  });
  return () => fill(async () => (await read()).map(({ process, waiting, due, parked }) => ({ label: process, values: [waiting, due, parked] })));
}

interface GaugeRow {
  readonly label: string;
  readonly values: readonly number[];
}

/** Gauges that one call of `read` fills, one row per label. Values that could not be read are absent, not stale. */
function gauges(
  registry: Registry,
  label: string,
  help: Readonly<Record<string, string>>,
): (read: () => Promise<readonly GaugeRow[]>) => Promise<void> {
  const all = Object.entries(help).map(([name, text]) => new Gauge({ name, help: text, labelNames: [label], registers: [registry] }));
  return async (read) => {
    const rows = await read().catch(() => []);
    for (const [i, gauge] of all.entries()) {
      gauge.reset();
      for (const row of rows) gauge.set({ [label]: row.label }, row.values[i] ?? 0);
    }
  };
}
