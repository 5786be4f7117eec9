/** One HTTP request of a webhook delivery. */
import type { Clock, Timer } from '../../domain/kernel/ports.js';
import { type AttemptOutcome, ERASED_CODE, isSuccessStatus } from '../../domain/webhooks/delivery.js';
import { ATTEMPT_TIMEOUT_MS, MAX_RESPONSE_BYTES } from '../../domain/webhooks/limits.js';
import type { Post, PostResult } from '../../net/client.js';
import type { PerformContext } from '../runtime/process-manager.js';

const STOP_GRACE_MS = 2_000;

export interface SendOptions {
  /** Private networks that may be called. */
  readonly allowedCidrs: readonly string[];
  readonly post: Post;
  readonly timeoutMs?: number;
  /** How long in-flight requests may go on after the process is stopped, in milliseconds. */
  readonly stopGraceMs?: number;
}

export interface AttemptResult {
  readonly outcome: AttemptOutcome;
  readonly durationMs: number;
}

const notSent = (code: string, message: string): AttemptResult => ({ outcome: { error: { code, message } }, durationMs: 0 });

export const NO_RECIPIENT = notSent(ERASED_CODE, 'The recipient of the message was erased, and the URL with it.');
export const UNSIGNED = notSent('no_secret', 'The account has no webhook secret to sign with.');
export const ENDPOINT_OFF = notSent('endpoint_disabled', 'The endpoint is disabled or deleted.');

/** Throws if the process stops before there is an answer: the attempt is repeated after the restart. */
export async function sendAttempt(
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
export function attemptLabel(outcome: AttemptOutcome): string {
  if (outcome.error) return outcome.error.code;
  return isSuccessStatus(outcome.status_code) ? 'success' : `http_${Math.floor(outcome.status_code / 100)}xx`;
}
