import { recordAttempt } from '../../commands/webhooks/record-attempt.js';
import type { Checkpoint, Clock, Timer } from '../../domain/kernel/ports.js';
import { messageIdOf, type SealedMessageEvent } from '../../domain/messages/message.js';
import { type AttemptOutcome, type AttemptTrigger, deliveryIdOf, isSuccessStatus, type SealedDeliveryEvent } from '../../domain/webhooks/delivery.js';
import { ATTEMPT_TIMEOUT_MS, MAX_RESPONSE_BYTES } from '../../domain/webhooks/limits.js';
import { signatureHeaders } from '../../formats/webhooks/signature.js';
import type { LogEvent } from '../../log/log-event.js';
import { statusDeliveryId } from '../../log/webhooks/ids.js';
import { loadStatusRequest } from '../../log/webhooks/load-status-request.js';
import type { Post, PostResult } from '../../net/client.js';
import { handledMessageEvents, type Subscription, statusDeliveryOf, subscriptionOf } from '../../projections/webhooks/delivery-policy.js';
import { type Intention, type LoadedState, type PerformContext, type ProcessManager, performEach, type Reads, type Todo } from '../kernel.js';

/** One attempt that is to be made. The lane is the host; an attempt that a person requested comes first. */
export interface AttemptTodo extends Todo {
  readonly delivery_id: string;
  readonly correlation: string;
  readonly message_id: string;
  readonly revision: number;
  readonly url: string;
  readonly trigger: AttemptTrigger;
  readonly attempt: number;
}

export interface WebhookSecrets {
  readonly current: string;
  /** While it is still valid. */
  readonly previous: string | null;
}

export interface DeliverStatusOptions {
  /** Null if the account has no secret any more: then nothing is sent, and every attempt fails. */
  readonly secrets: (account: string) => WebhookSecrets | null | Promise<WebhookSecrets | null>;
  readonly retryDelaysMs: readonly number[];
  /** The `Service` in `X-Service-Event`, and its counterpart in the alias. */
  readonly headerPrefix: string;
  readonly legacyHeaderPrefix: string;
  /** Private networks that may be called. */
  readonly allowedCidrs: readonly string[];
  readonly post: Post;
  readonly timeoutMs?: number;
  /** How long in-flight requests may go on after the process is stopped, in milliseconds. */
  readonly stopGraceMs?: number;
  /** `outcome`: `success`, `http_3xx` and so on, or the code of the error. */
  readonly onAttempt?: (attempt: { readonly outcome: string; readonly seconds: number }) => void;
}

/** Per host of an account, and in all, so that one slow host cannot block the others. */
const CONCURRENCY = { lane: 10, total: 500 } as const;
const STOP_GRACE_MS = 2_000;

type HandledEvent = SealedMessageEvent | SealedDeliveryEvent;

/**
 * Delivers each status of a message to its `webhook_url`, signed, with retries by the schedule until it is answered with 2xx.
 * At least once: a crash between an attempt and its record repeats it with the same delivery id.
 */
export function deliverStatus(options: DeliverStatusOptions): ProcessManager<HandledEvent, AttemptTodo> {
  return {
    name: 'webhooks/deliver-status',
    version: 2,
    handles: [...handledMessageEvents, 'DeliverySucceeded', 'DeliveryAttemptFailed', 'DeliveryFailed', 'RedeliveryRequested'],
    concurrency: CONCURRENCY,
    reads,
    readsMore,
    react,
    perform: performEach((todo, context) => attempt(todo, context, options)),
    drop,
  };
}

const isOfMessage = (stored: LogEvent<HandledEvent>): stored is LogEvent<SealedMessageEvent> => stored.event.type.startsWith('Message');

const redeliveryTodo = (deliveryId: string, number: number): string => `${deliveryId}/manual/${number}`;

function todoOfOutcome(deliveryId: string, { trigger, number }: { trigger: AttemptTrigger; number: number }): string {
  return trigger === 'schedule' ? deliveryId : redeliveryTodo(deliveryId, number);
}

function reads(stored: LogEvent<HandledEvent>): Reads {
  if (isOfMessage(stored)) return { notes: [messageIdOf(stored.stream)], fresh: stored.revision === 0 };
  const { event } = stored as LogEvent<SealedDeliveryEvent>;
  const id = deliveryIdOf(stored.stream);
  return { todos: [event.type === 'RedeliveryRequested' ? redeliveryTodo(id, event.data.number) : todoOfOutcome(id, event.data)] };
}

/** Most messages have no webhook. For the others, the to-do of a new event cannot exist yet. */
function readsMore(stored: LogEvent<HandledEvent>, memory: LoadedState<AttemptTodo>): Reads {
  if (!isOfMessage(stored) || stored.revision === 0) return {};
  const id = messageIdOf(stored.stream);
  return memory.note(id) ? { todos: [statusDeliveryId(id, stored.id)], fresh: true } : {};
}

const react = (stored: LogEvent<HandledEvent>, memory: LoadedState<AttemptTodo>): readonly Intention[] =>
  isOfMessage(stored) ? reactToMessage(stored, memory) : reactToDelivery(stored as LogEvent<SealedDeliveryEvent>, memory);

function reactToMessage(stored: LogEvent<SealedMessageEvent>, memory: LoadedState<AttemptTodo>): readonly Intention[] {
  const { revision, stream, meta } = stored;
  const subscription = subscriptionOf(stored);
  if (subscription) return [{ do: 'store-note', note: subscription }];
  if (revision === 0) return [{ do: 'ignore', reason: 'no_webhook_url' }];
  const delivery = statusDeliveryOf(stored, memory.note<Subscription>(messageIdOf(stream)));
  if (!delivery) return [{ do: 'ignore', reason: 'not_subscribed' }];
  const { delivery_id: id, message_id, url } = delivery;
  const { account, $correlationId: correlation, occurredAt } = meta;
  const of = { delivery_id: id, account, correlation, message_id, revision, url };
  return [schedule({ id, due_at: Date.parse(occurredAt), priority: 1, lane: hostOf(url), ...of, trigger: 'schedule', attempt: 1 })];
}

function reactToDelivery({ event, stream, meta }: LogEvent<SealedDeliveryEvent>, memory: LoadedState<AttemptTodo>): readonly Intention[] {
  const delivery_id = deliveryIdOf(stream);
  if (event.type === 'RedeliveryRequested') {
    const { number: attempt, at, message_id, revision, url } = event.data;
    const of = { delivery_id, account: meta.account, correlation: meta.$correlationId, message_id, revision, url };
    const id = redeliveryTodo(delivery_id, attempt);
    return [schedule({ id, due_at: Date.parse(at), priority: 0, lane: hostOf(url), ...of, trigger: 'manual', attempt })];
  }
  const id = todoOfOutcome(delivery_id, event.data);
  const todo = memory.todo(id);
  if (!todo) return [{ do: 'ignore', reason: 'nothing_to_deliver' }];
  const next = event.type === 'DeliveryAttemptFailed' ? event.data.next_attempt_at : null;
  return next === null ? [{ do: 'cancel', id }] : [schedule({ ...todo, due_at: Date.parse(next), attempt: event.data.number + 1 })];
}

const schedule = (todo: AttemptTodo): Intention => ({ do: 'schedule', todo });

/** Host name and port. An invalid URL, which acceptance refuses, has a lane of its own. */
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '(invalid)');

/** Makes the attempt and records its outcome. The delay of the next one starts at the end of this one. */
async function attempt(todo: AttemptTodo, context: PerformContext, options: DeliverStatusOptions): Promise<Checkpoint> {
  const { delivery_id, account, correlation, trigger, attempt: number } = todo;
  const { event, body, subject } = await loadStatusRequest(context.log, todo.message_id, todo.revision);
  const secrets = await options.secrets(account);
  const { outcome, durationMs } = secrets ? await send(todo, event, body, secrets, context, options) : UNSIGNED;
  options.onAttempt?.({ outcome: label(outcome), seconds: durationMs / 1000 });
  const at = new Date(context.clock.now()).toISOString();
  const { position } = await context.execute(
    recordAttempt,
    { delivery_id, attempt: { trigger, number, outcome, duration_ms: durationMs, subject, at }, retry_delays_ms: options.retryDelaysMs },
    { account, correlation, about: `${delivery_id}/${trigger}/${number}` },
  );
  return position;
}

/** Records a last attempt that was not made. */
async function drop(todo: AttemptTodo, { execute, clock }: PerformContext): Promise<Checkpoint> {
  const { delivery_id, account, correlation, trigger, attempt: number, message_id: subject } = todo;
  const outcome: AttemptOutcome = { error: { code: 'dropped', message: 'An operator gave the delivery up.' } };
  const attempt = { trigger, number, outcome, duration_ms: 0, subject, at: new Date(clock.now()).toISOString() };
  const about = `${delivery_id}/${trigger}/${number}`;
  return (await execute(recordAttempt, { delivery_id, attempt, retry_delays_ms: [] }, { account, correlation, about })).position;
}

interface AttemptResult {
  readonly outcome: AttemptOutcome;
  readonly durationMs: number;
}

const UNSIGNED: AttemptResult = {
  outcome: { error: { code: 'no_secret', message: 'The account has no webhook secret to sign with.' } },
  durationMs: 0,
};

/** Throws if the process stops before there is an answer: the attempt is repeated after the restart. */
async function send(
  { url, delivery_id: deliveryId, attempt }: AttemptTodo,
  event: string,
  json: string,
  secrets: WebhookSecrets,
  { clock, signal }: PerformContext,
  options: DeliverStatusOptions,
): Promise<AttemptResult> {
  const body = Buffer.from(json);
  const prefixes = { prefix: options.headerPrefix, legacyPrefix: options.legacyHeaderPrefix };
  const signed = { secret: secrets.current, previousSecret: secrets.previous, event, deliveryId, attempt, body, timestampMs: clock.now() };
  const { timeoutMs = ATTEMPT_TIMEOUT_MS, stopGraceMs = STOP_GRACE_MS, allowedCidrs } = options;
  const grace = graceAfter(signal, stopGraceMs, clock);
  const request = { body, timeoutMs, maxResponseBytes: MAX_RESPONSE_BYTES, allowedCidrs, signal: grace.over };
  const result = await options.post(url, { headers: signatureHeaders({ ...signed, ...prefixes }), ...request });
  grace.end();
  if ('error' in result && grace.over.aborted) throw new Error('stopped before the answer came');
  return outcomeOf(result);
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

function outcomeOf({ durationMs, ...result }: PostResult): AttemptResult {
  const outcome = 'error' in result ? { error: result.error } : { status_code: result.status, response_body: result.body };
  return { outcome, durationMs };
}

function label(outcome: AttemptOutcome): string {
  if (outcome.error) return outcome.error.code;
  return isSuccessStatus(outcome.status_code) ? 'success' : `http_${Math.floor(outcome.status_code / 100)}xx`;
}
