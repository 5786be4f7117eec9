/** The dispatch of one message that is dispatched by itself. */
import type { Carrier } from '../../carriers/runtime/carrier.js';
import { recordSendResult, type SendRecord } from '../../commands/messages/record-send-result.js';
import { startDispatch } from '../../commands/messages/start-dispatch.js';
import type { Checkpoint } from '../../domain/kernel/ports.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import { openItems } from '../../log/aggregates/messages/load-batch.js';
import type { PerformContext } from '../runtime/process-manager.js';
import type { Tenure } from '../runtime/tenure.js';
import type { CarrierCalls } from './call-carrier.js';
import type { Release } from './call-permits.js';
import type { DispatchTodo } from './dispatch-list.js';

interface CarrierResult {
  readonly takenAt: Checkpoint;
  /** The carrier's answer and the message as it was taken; null if no call was needed. */
  readonly record: Pick<SendRecord, 'carrier' | 'result' | 'known'> | null;
}

/** An answer that is not recorded yet. It holds the permit of its call. */
interface UnrecordedResult extends CarrierResult {
  /** Of the call, and the first one of its tenure. */
  readonly epoch: number;
  readonly since: number;
  readonly release: Release;
}

/**
 * Answers of carriers that are not recorded yet: while the log is unavailable, recording is retried and not the dispatch. They
 * are dropped at the end of their tenure, because another node may have worked on the message in between.
 */
export class UnrecordedResults {
  readonly #kept = new Map<string, UnrecordedResult>();

  of(id: string, { since }: Tenure): UnrecordedResult | undefined {
    const kept = this.#kept.get(id);
    if (kept && kept.since !== since) this.#drop(id, kept);
    return kept?.since === since ? kept : undefined;
  }

  keep(id: string, kept: UnrecordedResult, { ended }: Tenure): void {
    if (this.#kept.get(id) === kept) return;
    if (ended.aborted) {
      kept.release();
      return;
    }
    this.#kept.set(id, kept);
    ended.addEventListener('abort', () => this.#drop(id, kept), { once: true });
  }

  drop(id: string): void {
    this.#kept.delete(id);
  }

  #drop(id: string, kept: UnrecordedResult): void {
    kept.release();
    if (this.#kept.get(id) === kept) this.#kept.delete(id);
  }
}

/** No other carrier is called for it: the message could arrive twice. */
const CARRIER_GONE: SendResult = {
  outcome: 'permanent_error',
  reason: 'unknown_outcome',
  code: null,
  error: 'The outcome of its last hand-over is unknown, and its carrier is no longer in the route.',
};

/** Takes the message, calls the carrier and records its answer. Resolves with the position of the last record; 'start' if there is none. */
export async function dispatchMessage(
  todo: DispatchTodo,
  performing: PerformContext,
  calls: CarrierCalls,
  unrecorded: UnrecordedResults,
): Promise<Checkpoint> {
  const { id, account, correlation, priority } = todo;
  const { epoch, tenure, signal, clock } = performing;
  let kept = unrecorded.of(id, tenure);
  if (!kept) {
    if (await waitsOn(todo, calls, clock.now())) return 'start';
    const carrier = await calls.carrierOf(todo, clock.now());
    const release = await calls.permitsOf(carrier).calls.acquire({ priority, account }, signal);
    if (!release) return 'start';
    try {
      if (await waitsOn(todo, calls, clock.now())) {
        release();
        return 'start';
      }
      kept = { ...(await takeAndCall(todo, carrier, performing, calls)), epoch, since: tenure.since, release };
    } catch (e) {
      release();
      throw e;
    }
  }
  const { record, takenAt, release } = kept;
  if (!record) {
    release();
    return takenAt;
  }
  const about = { account, correlation, about: `${id}/handed-over/${kept.epoch}` };
  const recorded = await performing.execute(recordSendResult, { id, ...record }, about).catch((e: unknown) => {
    unrecorded.keep(id, kept, tenure);
    throw e;
  });
  unrecorded.drop(id);
  release();
  return recorded.position === 'start' ? takenAt : recorded.position;
}

/** Whether it is already recorded that its carrier is misconfigured, and that is still so: nothing is recorded again until it expires. */
const waitsOn = async (todo: DispatchTodo, calls: CarrierCalls, now: number): Promise<boolean> =>
  todo.waits !== undefined && Date.parse(todo.waits.until) > now && (await calls.isMisconfigured(todo, now));

async function takeAndCall(todo: DispatchTodo, chosen: Carrier, performing: PerformContext, calls: CarrierCalls): Promise<CarrierResult> {
  const { id, account, correlation, channel, category, test = false, to_key: toKey, copy_keys: copyKeys = [], begun: hasStream } = todo;
  const { frequency_cap: frequencyCap, passes } = todo;
  const { epoch, log } = performing;
  const onUnknownOutcome = await calls.onUnknownOutcome(chosen, account, category);
  const [item] = await openItems(log, todo.item ? [todo.item] : []);
  const taken = await performing.execute(
    startDispatch,
    {
      id,
      toKey,
      channel,
      category,
      test,
      copyKeys,
      ...(frequencyCap && { frequencyCap }),
      ...(passes && { passes }),
      item,
      hasStream,
      carrier: chosen.name,
      epoch,
      on_unknown_outcome: onUnknownOutcome,
    },
    { account, correlation, about: `${id}/take/${epoch}` },
  );
  const { state } = taken.output;
  const takenAt = taken.position;
  if (state.status !== 'sending' || taken.output.position === null) return { takenAt, record: null };
  const { accepted, attempts: attempt, left_out: leftOut } = state;
  // After an unknown outcome the message keeps its carrier, whatever is chosen now.
  const name = state.carrier?.name ?? chosen.name;
  const carrier = name === chosen.name ? chosen : await calls.named(todo, name);
  if (carrier === null) return { takenAt, record: { carrier: name, result: CARRIER_GONE, known: taken.output } };
  const result = await calls.call(carrier, { id, account, accepted, attempt, leftOut, onUnknownOutcome }, performing);
  return { takenAt, record: { carrier: carrier.name, result, known: taken.output } };
}
