import { keyReused } from '../domain/kernel/errors.js';
import { type IntentEvent, intentStream } from '../domain/kernel/intent.js';
import { isWrongRevision, type Position } from '../domain/kernel/ports.js';
import type { LogEvent } from '../log/log-event.js';
import type { Context } from './kernel.js';

/**
 * Does once, under the caller's idempotency key, what writes several streams: a repeat that finds it done is given the
 * first result again, at the first position. One that was begun and not ended, by a crash or a refusal, is done again:
 * so `work` must be safe to do twice, also at the same time on two nodes. `context.newId` gives it the same ids each
 * time; `context.decide` answers a second decision of the same run on one stream like a repeat, so it may do one a stream.
 *
 * The result is kept in the log for ever: it is a JSON object of ids and counts, without anything personal. What can be
 * refused is refused by `prepare`, which comes before the key is taken, so that the key stays free for a better request;
 * a repeat is not asked again. Without a key `work` is just done.
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
  const known = await lookedUp(context, stream, fingerprint);
  if (known?.done) return repeated<T>(context, known.done);
  const prepared = await prepare();
  if (!known) {
    const done = await take(context, stream, fingerprint);
    if (done) return repeated<T>(context, done);
  }
  const result = await work(prepared);
  try {
    const fulfilled: IntentEvent = { type: 'IntentFulfilled', data: { result: result as Record<string, unknown>, at: context.now } };
    await context.append(stream, 0, [fulfilled]);
    return result;
  } catch (e) {
    // The same request on another node was faster. Both are answered alike.
    const other = isWrongRevision(e) && (await fulfilledIn(context, stream));
    if (!other) throw e;
    return repeated<T>(context, other);
  }
}

interface Fulfilled {
  readonly result: unknown;
  readonly position: Position;
}

/** Null where nobody took the key yet; `done` is null where what it asked is not done yet. Throws `idempotency_key_reused`. */
async function lookedUp({ log }: Context, stream: string, fingerprint: string): Promise<{ readonly done: Fulfilled | null } | null> {
  const events = await log.read<IntentEvent>(stream);
  const first = events?.[0];
  if (!events || !first) return null;
  if (first.event.type !== 'IntentTaken' || first.event.data.fingerprint !== fingerprint) throw keyReused();
  return { done: fulfilledOf(events) };
}

/** Takes the key for this intention. Where the same request took it at the same moment: what came of that, or null. */
async function take(context: Context, stream: string, fingerprint: string): Promise<Fulfilled | null> {
  try {
    await context.append(stream, 'no-stream', [{ type: 'IntentTaken', data: { fingerprint, at: context.now } }]);
    return null;
  } catch (e) {
    if (!isWrongRevision(e)) throw e;
    return (await lookedUp(context, stream, fingerprint))?.done ?? null;
  }
}

const fulfilledIn = async ({ log }: Context, stream: string): Promise<Fulfilled | null> => fulfilledOf((await log.read<IntentEvent>(stream)) ?? []);

function fulfilledOf(events: readonly LogEvent<IntentEvent>[]): Fulfilled | null {
  for (const { event, position } of events) if (event.type === 'IntentFulfilled') return { result: event.data.result, position };
  return null;
}

function repeated<T>(context: Context, { result, position }: Fulfilled): T {
  context.markReplayed(position);
  return result as T;
}
