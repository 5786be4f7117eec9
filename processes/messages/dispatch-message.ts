/** The dispatch of one message that is dispatched by itself. */
import type { Carrier } from '../../carriers/runtime/carrier.js';
import { dropMessage } from '../../commands/messages/drop-message.js';
import { recordSendResult, type SendRecord } from '../../commands/messages/record-send-result.js';
import { startDispatch } from '../../commands/messages/start-dispatch.js';
import type { ChannelName } from '../../domain/kernel/channels.js';
import type { Checkpoint } from '../../domain/kernel/ports.js';
import type { SealedBatchItem } from '../../domain/messages/batch.js';
import type { Category } from '../../domain/messages/message.js';
import type { SendResult } from '../../domain/messages/send-result.js';
import { openItems } from '../../log/aggregates/messages/load-batch.js';
import type { PerformContext, Todo } from '../runtime/process-manager.js';
import type { Tenure } from '../runtime/tenure.js';
import type { CarrierCalls } from './call-carrier.js';
import type { Release } from './call-permits.js';

/** A message that is to be handed to a carrier. The lane is its channel; messages of a bulk come after single ones, marketing last. */
export interface DispatchTodo extends Todo {
  readonly correlation: string;
  readonly to_key: string;
  readonly channel: ChannelName;
  readonly category: Category;
  readonly expires_at?: string;
  /** Of a test key. */
  readonly test?: boolean;
  /** Keys of the addresses of copies that passed the gate at acceptance. */
  readonly copy_keys?: readonly string[];
  /** The accepted message, sealed, until its first dispatch; saves a read. */
  readonly item?: SealedBatchItem;
  /** The carrier of its last dispatch. After one with an unknown outcome no other is called. */
  readonly last?: { readonly carrier: string; readonly unknown: boolean };
  /**
   * Its carrier is misconfigured: until when it waits for that at most, and when it is tried again if no event reports earlier that the
   * settings are corrected. `message`: the message itself lacks a setting, and other messages of the carrier may not.
   */
  readonly waits?: { readonly until: string; readonly retry_at: string; readonly by: 'carrier' | 'message' };
  /** Of a campaign, which may be paused. */
  readonly campaign_id?: string;
  readonly frequency_cap?: SealedBatchItem['frequency_cap'];
  /** Gates that its journey makes it pass. */
  readonly passes?: SealedBatchItem['passes'];
  /** Whether the message has its own stream; otherwise it is only in its batch. */
  readonly begun: boolean;
}

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

/** Ends the message. */
export async function dropMessageTodo(
  { id, account, correlation, item, begun }: DispatchTodo,
  { log, execute }: PerformContext,
): Promise<Checkpoint> {
  const [accepted] = await openItems(log, !begun && item ? [item] : []);
  return (await execute(dropMessage, { id, ...(accepted && { item: accepted }) }, { account, correlation, about: `${id}/drop` })).position;
}
