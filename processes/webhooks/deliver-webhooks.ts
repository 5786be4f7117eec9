import { recordAttempt } from '../../commands/webhooks/record-attempt.js';
import { stopDelivery } from '../../commands/webhooks/stop-delivery.js';
import { ERASED } from '../../domain/kernel/erased.js';
import type { Checkpoint, Clock, Timer } from '../../domain/kernel/ports.js';
import { callResultOf } from '../../domain/webhooks/circuit.js';
import { type AttemptOutcome, ERASED_CODE, isSuccessStatus } from '../../domain/webhooks/delivery.js';
import { sourceKeyOf } from '../../domain/webhooks/delivery-rules.js';
import { type Endpoint, endpointSecrets } from '../../domain/webhooks/endpoint.js';
import { ATTEMPT_TIMEOUT_MS, MAX_RESPONSE_BYTES } from '../../domain/webhooks/limits.js';
import { endpointHeaders } from '../../formats/webhooks/request-headers.js';
import { signatureHeaders } from '../../formats/webhooks/signature.js';
import { loadStatusRequest } from '../../log/aggregates/webhooks/deliveries.js';
import { loadEndpoints } from '../../log/aggregates/webhooks/load-endpoints.js';
import type { Post, PostResult } from '../../net/client.js';
import { loadPlatformRequest } from '../../projections/webhooks/platform-payloads.js';
import { type PerformContext, type ProcessManager, performEach } from '../runtime/process-manager.js';
import {
  type AttemptTodo,
  deliveryInputTypes,
  deliveryPartitionsOf,
  deliveryReads,
  furtherDeliveryReads,
  type HandledEvent,
  reactToDeliveryInput,
} from './reactions.js';
import { ReceiverCircuits } from './receiver-circuits.js';

export type { AttemptTodo };

export interface WebhookSecrets {
  readonly current: string;
  /** While it is still valid. */
  readonly previous: string | null;
}

export interface DeliverStatusOptions extends SendOptions {
  /** Null if the account has no secret any more: then nothing is sent, and every attempt fails. */
  readonly secrets: (account: string) => WebhookSecrets | null | Promise<WebhookSecrets | null>;
  readonly retryDelaysMs: readonly number[];
  /** The `Service` in `X-Service-Event`, and its counterpart in the alias. */
  readonly headerPrefix: string;
  readonly legacyHeaderPrefix: string;
  /** `outcome`: `success`, `http_3xx` and so on, or the code of the error. */
  readonly onAttempt?: (attempt: { readonly outcome: string; readonly seconds: number }) => void;
  /** How many receivers of this node are called one at a time, because they fail. */
  readonly onOpenCircuits?: (open: number) => void;
}

/**
 * Per host of an account, and in all, so that one slow host cannot block the others; fewer where its circuit is open. Partitions share these places, and each has
 * one for a host at least: with 16 partitions, 16 for a host.
 */
const CONCURRENCY = { lane: 10, total: 500 } as const;

/**
 * Delivers each status of a message to its `webhook_url`, and each platform event to the webhook endpoints of its account, signed,
 * with retries by the schedule until it is answered with 2xx. At least once: a crash between an attempt and its record repeats it
 * with the same delivery id.
 */
export function deliverWebhooks(options: DeliverStatusOptions): ProcessManager<HandledEvent, AttemptTodo> {
  const circuits = new ReceiverCircuits(options.onOpenCircuits);
  return {
    name: 'webhooks/deliver-status',
    version: 6,
    handles: deliveryInputTypes,
    concurrency: CONCURRENCY,
    laneLimits: circuits,
    partitionsOf: deliveryPartitionsOf,
    reads: deliveryReads,
    readsMore: furtherDeliveryReads,
    react: reactToDeliveryInput,
    perform: performEach((todo, context) => attempt(todo, context, options, circuits)),
    drop,
  };
}

/** What was made of an attempt. `subject`: the key of whose personal data the answer may contain. */
interface AttemptReport extends AttemptResult {
  readonly subject: string;
  /** There is nothing left to send: the delivery ends. */
  readonly last?: true;
}

/** Makes the attempt and records its outcome. The delay of the next one starts at the end of this one. */
async function attempt(todo: AttemptTodo, context: PerformContext, options: DeliverStatusOptions, circuits: ReceiverCircuits): Promise<Checkpoint> {
  const { delivery_id, trigger, attempt: number, account, correlation } = todo;
  const endpoint = todo.endpoint_id === null ? null : await endpointOf(todo, todo.endpoint_id, context);
  if (typeof endpoint === 'string' && trigger === 'schedule') {
    const cause = { account, correlation, about: `${delivery_id}/stop` };
    return (await context.execute(stopDelivery, { delivery_id, reason: endpoint }, cause)).position;
  }
  const made = endpoint === null ? await sendStatus(todo, context, options) : await sendEvent(todo, endpoint, context, options);
  const { outcome, durationMs, subject } = made;
  options.onAttempt?.({ outcome: attemptLabel(outcome), seconds: durationMs / 1000 });
  const result = callResultOf(outcome);
  if (result) circuits.note(todo, result, context.clock.now());
  const at = new Date(context.clock.now()).toISOString();
  const record = { trigger, number, outcome, duration_ms: durationMs, subject, at };
  const { position } = await context.execute(
    recordAttempt,
    { delivery_id, attempt: record, retry_delays_ms: made.last ? [] : options.retryDelaysMs },
    { account, correlation, about: `${delivery_id}/${trigger}/${number}` },
  );
  return position;
}

/** The endpoint of a delivery, or why it takes it no longer. A delivery from before it was disabled stays stopped. */
async function endpointOf({ account, term }: AttemptTodo, id: string, { log }: PerformContext): Promise<Endpoint | 'disabled' | 'deleted'> {
  const endpoint = (await loadEndpoints(log, account)).byId.get(id);
  if (!endpoint) return 'deleted';
  return endpoint.status === 'enabled' && (term === null || term === endpoint.term) ? endpoint : 'disabled';
}

async function sendStatus(todo: AttemptTodo, context: PerformContext, options: DeliverStatusOptions): Promise<AttemptReport> {
  const { url, event, body: json, subject } = await loadStatusRequest(context.log, sourceKeyOf(todo.source_stream), todo.revision);
  if (url === ERASED) return { ...NO_RECIPIENT, subject, last: true };
  const secrets = await options.secrets(todo.account);
  if (!secrets) return { ...UNSIGNED, subject };
  const body = Buffer.from(json);
  const headers = signatureHeaders({
    secret: secrets.current,
    previousSecret: secrets.previous,
    event,
    ...signing(todo, context, options),
    body,
  });
  return { ...(await sendAttempt({ url, headers, body }, context, options)), subject };
}

async function sendEvent(
  todo: AttemptTodo,
  endpoint: Endpoint | 'disabled' | 'deleted',
  context: PerformContext,
  options: DeliverStatusOptions,
): Promise<AttemptReport> {
  if (typeof endpoint === 'string') return { ...ENDPOINT_OFF, subject: todo.account };
  const { event, event_id: eventId, source_stream: stream, revision } = todo;
  if (event === null || eventId === null) throw new Error('an event without a name');
  const request = await loadPlatformRequest(context.log, { stream, revision, event });
  const body = Buffer.from(request.body);
  const signed = signing(todo, context, options);
  const headers = endpointHeaders({
    secrets: endpointSecrets(endpoint, signed.timestampMs),
    event,
    eventId,
    ...signed,
    body,
    headers: endpoint.headers,
  });
  return { ...(await sendAttempt({ url: endpoint.url, headers, body }, context, options)), subject: request.subject };
}

const signing = ({ delivery_id: deliveryId, attempt }: AttemptTodo, { clock }: PerformContext, options: DeliverStatusOptions) => ({
  deliveryId,
  attempt,
  timestampMs: clock.now(),
  prefix: options.headerPrefix,
  legacyPrefix: options.legacyHeaderPrefix,
});

/** Records a last attempt that was not made. */
async function drop(todo: AttemptTodo, { execute, clock }: PerformContext): Promise<Checkpoint> {
  const { delivery_id, account, correlation, trigger, attempt: number } = todo;
  const outcome: AttemptOutcome = { error: { code: 'dropped', message: 'An operator gave the delivery up.' } };
  const subject = sourceKeyOf(todo.source_stream);
  const attempt = { trigger, number, outcome, duration_ms: 0, subject, at: new Date(clock.now()).toISOString() };
  const about = `${delivery_id}/${trigger}/${number}`;
  return (await execute(recordAttempt, { delivery_id, attempt, retry_delays_ms: [] }, { account, correlation, about })).position;
}

// One HTTP request of a webhook delivery.

const STOP_GRACE_MS = 2_000;

interface SendOptions {
  /** Private networks that may be called. */
  readonly allowedCidrs: readonly string[];
  readonly post: Post;
  readonly timeoutMs?: number;
  /** How long in-flight requests may go on after the process is stopped, in milliseconds. */
  readonly stopGraceMs?: number;
}

interface AttemptResult {
  readonly outcome: AttemptOutcome;
  readonly durationMs: number;
}

const notSent = (code: string, message: string): AttemptResult => ({ outcome: { error: { code, message } }, durationMs: 0 });

const NO_RECIPIENT = notSent(ERASED_CODE, 'The recipient of the message was erased, and the URL with it.');
const UNSIGNED = notSent('no_secret', 'The account has no webhook secret to sign with.');
const ENDPOINT_OFF = notSent('endpoint_disabled', 'The endpoint is disabled or deleted.');

/** Throws if the process stops before there is an answer: the attempt is repeated after the restart. */
async function sendAttempt(
  { url, headers, body }: { readonly url: string; readonly headers: Record<string, string>; readonly body: Buffer },
  { clock, signal }: PerformContext,
  options: SendOptions,
): Promise<AttemptResult> {
  const { timeoutMs = ATTEMPT_TIMEOUT_MS, stopGraceMs = STOP_GRACE_MS, allowedCidrs } = options;
  const grace = graceAfter(signal, stopGraceMs, clock);
  const result = await options.post(url, { headers, body, timeoutMs, maxResponseBytes: MAX_RESPONSE_BYTES, allowedCidrs, signal: grace.over });
  grace.end();
  if ('error' in result && grace.over.aborted) throw new Error('stopped before the answer came');
  return outcomeOf(result, new URL(url).hostname);
}

/** A signal that aborts some time after another one, unless `end` is called before. */
function graceAfter(signal: AbortSignal, ms: number, clock: Pick<Clock, 'timer'>): { over: AbortSignal; end(): void } {
  const over = new AbortController();
  let timer: Timer | undefined;
  const begin = () => {
    timer = clock.timer(ms, () => over.abort());
  };
  signal.addEventListener('abort', begin, { once: true });
  if (signal.aborted) begin();
  const end = () => {
    timer?.cancel();
    signal.removeEventListener('abort', begin);
  };
  return { over: over.signal, end };
}

/** The record is not sealed, so an error does not name the host. */
function outcomeOf({ durationMs, ...result }: PostResult, host: string): AttemptResult {
  const outcome =
    'error' in result
      ? { error: { ...result.error, message: result.error.message.replaceAll(host, 'the host') } }
      : { status_code: result.status, response_body: result.body };
  return { outcome, durationMs };
}

/** For metrics: `success`, `http_3xx` and so on, or the code of the error. */
function attemptLabel(outcome: AttemptOutcome): string {
  if (outcome.error) return outcome.error.code;
  return isSuccessStatus(outcome.status_code) ? 'success' : `http_${Math.floor(outcome.status_code / 100)}xx`;
}
