/**
 * Idempotent replay: what a command does when the caller repeats a request under one idempotency key (`cause.key`).
 *
 * The earlier run is found in the log, in one of two places:
 * - `findEarlierRun`: in the stream that the command changes. The metadata of each event holds key and fingerprint, so one
 *   append is its own record and costs nothing extra. `Context.decide` does this; a command that appends by itself calls it.
 * - `executeOnce`: in a stream of the key's own (`intent-<key>`), for commands that write several streams.
 *
 * Both throw `idempotency_key_reused` if the key was used with another fingerprint, that is, for another request. A
 * replay is reported through `context.markReplayed`.
 */
import { keyReused } from '../../domain/kernel/errors.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import { type IntentEvent, intentStream } from '../../domain/kernel/intent.js';
import { isWrongRevision, type Position } from '../../domain/kernel/ports.js';
import type { EventAppend } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Cause, Context } from './command.js';

/** A request that may only repeat an accepted one (`cause.repeats`) repeats none. */
export class UnansweredRepeat extends Error {
  override readonly name = 'UnansweredRepeat';
}

/**
 * Throws UnansweredRepeat where an append would be new. What is in the stream at its place already decides: either it is the same append,
 * which is recognized, or a conflict.
 */
export async function requireRepeat({ log, cause }: Pick<Context, 'log' | 'cause'>, appends: readonly EventAppend[]): Promise<void> {
  if (!cause.repeats) return;
  for (const { stream, expected } of appends) {
    const there = await log.readSealed(stream, { from: expected === 'no-stream' ? 0 : expected + 1, limit: 1 });
    if (!there || there.length === 0) throw new UnansweredRepeat();
  }
}

/** The last of these events that an earlier run with the same key appended; undefined if there is none, or no key. */
export function findEarlierRun<E extends AnyEvent>({ key, fingerprint }: Cause, events: readonly LogEvent<E>[]): LogEvent<E> | undefined {
  if (key === undefined) return undefined;
  const found = events.findLast(({ meta }) => meta.key === key);
  if (found && found.meta.fingerprint !== fingerprint) throw keyReused();
  return found;
}

/**
 * Runs `work` once under the caller's key. A repeat of a finished run is answered with the first result, at the first
 * position. Without a key, `prepare` and `work` just run.
 *
 * `prepare` makes all checks that can fail. It runs before the key is taken, so that the key is free after an error.
 * `work` must be safe to repeat, also by two nodes at the same time: a run that ended in a crash or an error is repeated.
 * `context.newId` gives the same ids each time. `context.decide` regards a second decision of one run on one stream as
 * a replay, so `work` makes at most one on each stream. The result stays in the log for ever: a JSON object of ids and
 * counts, without personal data.
 */
export function executeOnce<T extends object>(context: Context, work: () => Promise<T>): Promise<T>;
export function executeOnce<T extends object, P>(context: Context, work: (prepared: P) => Promise<T>, prepare: () => Promise<P>): Promise<T>;
export async function executeOnce<T extends object, P>(
  context: Context,
  work: (prepared: P) => Promise<T>,
  prepare: () => Promise<P> = async () => undefined as P,
): Promise<T> {
  const { key, fingerprint = '' } = context.cause;
  if (key === undefined) return work(await prepare());
  const stream = intentStream(key);
  const intent = await loadIntent(context, stream, fingerprint);
  if (intent?.fulfilled) return replay<T>(context, intent.fulfilled);
  const prepared = await prepare();
  if (!intent) {
    const fulfilled = await takeKey(context, stream, fingerprint);
    if (fulfilled) return replay<T>(context, fulfilled);
  }
  const result = await work(prepared);
  try {
    const event: IntentEvent = { type: 'IntentFulfilled', data: { result: result as Record<string, unknown>, at: context.now } };
    await context.append(stream, 0, [event]);
    return result;
  } catch (e) {
    // Another node has finished the same request: both give its answer.
    const other = isWrongRevision(e) && (await loadIntent(context, stream, fingerprint))?.fulfilled;
    if (!other) throw e;
    return replay<T>(context, other);
  }
}

interface EarlierResult {
  readonly result: unknown;
  readonly position: Position;
}

/** Null if the key is free; `fulfilled` is null while its run is not finished. Throws `idempotency_key_reused`. */
async function loadIntent({ log }: Context, stream: string, fingerprint: string): Promise<{ readonly fulfilled: EarlierResult | null } | null> {
  const events = await log.read<IntentEvent>(stream);
  const taken = events?.[0]?.event;
  if (!events || !taken) return null;
  if (taken.type !== 'IntentTaken' || taken.data.fingerprint !== fingerprint) throw keyReused();
  return { fulfilled: fulfilledOf(events) };
}

/** Takes the key. If a concurrent run of the same request has taken it: the result of that run if it is finished, else null. */
async function takeKey(context: Context, stream: string, fingerprint: string): Promise<EarlierResult | null> {
  try {
    await context.append(stream, 'no-stream', [{ type: 'IntentTaken', data: { fingerprint, at: context.now } }]);
    return null;
  } catch (e) {
    if (!isWrongRevision(e)) throw e;
    return (await loadIntent(context, stream, fingerprint))?.fulfilled ?? null;
  }
}

function fulfilledOf(events: readonly LogEvent<IntentEvent>[]): EarlierResult | null {
  for (const { event, position } of events) if (event.type === 'IntentFulfilled') return { result: event.data.result, position };
  return null;
}

function replay<T>(context: Context, { result, position }: EarlierResult): T {
  context.markReplayed(position);
  return result as T;
}
