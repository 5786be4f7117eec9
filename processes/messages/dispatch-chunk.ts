/** The dispatch of the messages of a chunk. */
import type { Carrier } from '../../carriers/runtime/carrier.js';
import { endBulkDispatch } from '../../commands/messages/end-bulk-dispatch.js';
import { type BulkSendResult, recordBulkSendResults } from '../../commands/messages/record-bulk-send-results.js';
import { type BulkCandidate, startBulkDispatch } from '../../commands/messages/start-bulk-dispatch.js';
import { type Checkpoint, isAfter } from '../../domain/kernel/ports.js';
import { acceptanceOfItem, type BatchItem, type SealedBatchItem } from '../../domain/messages/batch.js';
import { type DispatchGroup, groupName, isCanceled, rangesOf, startsOf } from '../../domain/messages/batch-dispatch.js';
import type { AcceptedMessage } from '../../domain/messages/message.js';
import { isHeld } from '../../log/aggregates/campaigns/load-campaign.js';
import { type ChunkProgress, loadChunkProgress, openItems, recordedOf } from '../../log/aggregates/messages/load-batch.js';
import type { PerformContext, Todo } from '../runtime/process-manager.js';
import type { CarrierCalls } from './call-carrier.js';
import type { Release } from './call-permits.js';

/** The messages of a chunk that have one channel and category and are dispatched together. */
export interface ChunkTodo extends Todo, DispatchGroup {
  readonly correlation: string;
  readonly batch_id: string;
  /** Of the batch. */
  readonly chunks: number;
  /** The number of its messages. */
  readonly count: number;
  /** Of its first message: all messages of a campaign's batch are of the campaign. */
  readonly campaign_id?: string;
}

/** The chunks that this node works on. One whose records fail is kept, with the answers of its carrier, until it is tried again. */
export class ChunkDispatches {
  readonly #kept = new Map<string, ChunkDispatch>();

  constructor(private readonly calls: CarrierCalls) {}

  /** Resolves with the position of the last record; 'start' where the dispatch stops before its end. */
  async dispatch(todo: ChunkTodo, performing: PerformContext): Promise<Checkpoint> {
    const known = this.#kept.get(todo.id);
    const dispatch = known?.since === performing.tenure.since ? known : await this.#begin(todo, performing);
    if (known !== dispatch) known?.abandon();
    this.#kept.set(todo.id, dispatch);
    const { ended } = performing.tenure;
    const position = await dispatch.run(performing).catch((e: unknown) => {
      if (ended.aborted) this.#end(todo, dispatch);
      else ended.addEventListener('abort', () => this.#end(todo, dispatch), { once: true });
      throw e;
    });
    this.#end(todo, dispatch);
    return position;
  }

  /** Ends all messages of the chunk that have no record. */
  async drop(todo: ChunkTodo, performing: PerformContext): Promise<Checkpoint> {
    const { account, correlation, id, chunk } = todo;
    const progress = await loadChunkProgress(performing.log, todo);
    const recorded = await recordedOf(performing.log, [...progress.items]);
    const carrier = (await this.calls.carrierOf(todo, performing.clock.now())).name;
    const sendResults = [...progress.items].flatMap(([index, item]): BulkSendResult[] => {
      if (recorded.has(index)) return [];
      const { state } = progress.dispatch;
      return [{ item, starts: startsOf(rangesOf(state, todo), index), carrier, result: isCanceled(state, chunk, index) ? 'canceled' : 'dropped' }];
    });
    const about = { account, correlation, about: `${id}/drop` };
    await performing.execute(recordBulkSendResults, { sendResults }, about);
    const { channel, category } = todo;
    const end = { known: progress.dispatch, group: { chunk, channel, category }, epoch: performing.epoch, how: 'all_recorded' } as const;
    return (await performing.execute(endBulkDispatch, end, about)).position;
  }

  async #begin(todo: ChunkTodo, performing: PerformContext): Promise<ChunkDispatch> {
    return new ChunkDispatch(todo, performing, this.calls, await this.calls.carrierOf(todo, performing.clock.now()));
  }

  #end(todo: ChunkTodo, dispatch: ChunkDispatch): void {
    dispatch.abandon();
    if (this.#kept.get(todo.id) === dispatch) this.#kept.delete(todo.id);
  }
}

/** Calls after which the dispatch pauses if its list is behind. */
const CALLS_BETWEEN_PAUSES = 8;

/** A message whose start is recorded and whose carrier is not called yet. */
interface ReadyMessage {
  readonly item: SealedBatchItem;
  readonly accepted: AcceptedMessage;
  readonly starts: BulkSendResult['starts'];
}

/** A dispatch that is not recorded yet. It holds the permit of its call. */
interface UnrecordedResult {
  readonly sendResult: BulkSendResult;
  readonly release: Release;
}

/** Messages of a chunk that are to be started together. */
type Start = readonly Omit<BulkCandidate, 'acceptance'>[];

/**
 * Starts the messages of a chunk range by range: the start is recorded, then their carrier is called in the order of their
 * indexes, then each answer is recorded. A message has a permit of its carrier from before its call until its record. So of the
 * messages that are started and not recorded only the first ones, as many as there are permits, can have been called.
 */
export class ChunkDispatch {
  /** The first epoch of the tenure that it belongs to. */
  readonly since: number;
  #carrier: Carrier;
  #progress: ChunkProgress | null = null;
  /** Ranges that are not started, in order. */
  #starts: Start[] = [];
  #ready: ReadyMessage[] = [];
  #answered: UnrecordedResult[] = [];
  #inFlight = 0;
  #tries = 0;
  #recording: Promise<void> | null = null;
  #failure: unknown = null;
  #failed = new AbortController();
  /** Aborts when nothing more is to be called: at the end of the epoch, or after a failure. */
  #callable: AbortSignal = this.#failed.signal;
  #position: Checkpoint = 'start';
  #isTakenOver = false;
  /** Their campaign is paused, or no carrier takes messages until its settings are corrected: nothing more is started. */
  #isPaused = false;
  #isPinned = false;
  #onUnknownOutcome: 'retry' | 'fail' = 'retry';
  #settle: () => void = () => {};

  constructor(
    private readonly todo: ChunkTodo,
    private performing: PerformContext,
    private readonly calls: CarrierCalls,
    /** The one that is to be called at first. */
    carrier: Carrier,
  ) {
    this.since = performing.tenure.since;
    this.#carrier = carrier;
  }

  /** Repeated in the same tenure, it records the answers that it has, and then goes on. */
  async run(performing: PerformContext): Promise<Checkpoint> {
    this.performing = performing;
    const { signal } = performing;
    this.#failure = null;
    this.#isPaused = false;
    this.#failed = new AbortController();
    this.#callable = AbortSignal.any([signal, this.#failed.signal]);
    this.#record();
    await this.#settled();
    try {
      while (!this.#callable.aborted && (await this.#callRange()));
    } finally {
      await this.#settled();
    }
    if (this.#failure !== null) throw this.#failure;
    if (this.#isTakenOver || this.#isPaused) return 'start';
    if (signal.aborted) {
      await this.#finish('stopped');
      return 'start';
    }
    return this.#finish('all_recorded');
  }

  /** Gives back the permits of answers that are not recorded. */
  abandon(): void {
    for (const { release } of this.#answered.splice(0)) release();
  }

  /** Starts and calls the next messages; false at the end. */
  async #callRange(): Promise<boolean> {
    const release = await this.calls.permitsOf(this.#carrier).ranges.acquire(this.todo, this.#callable);
    if (!release) return false;
    try {
      this.#progress ??= await this.#load();
      if (this.#ready.length === 0 && !(await this.#chooseCarrier())) return false;
      if (this.#ready.length === 0) await this.#startNext(this.#progress);
      // After the start, so that the next dispatcher knows those that are left out of it.
      if (this.#onUnknownOutcome === 'fail' && !this.#isTakenOver) this.#endUnknown(this.#progress);
      await this.#callReady();
      return !this.#callable.aborted && !this.#isTakenOver && (this.#ready.length > 0 || this.#starts.length > 0);
    } finally {
      release();
    }
  }

  /**
   * Before each range the carrier that is to be called now, unless an earlier call has an unknown outcome: then it stays. False
   * where none takes messages.
   */
  async #chooseCarrier(): Promise<boolean> {
    const now = this.performing.clock.now();
    const chosen = this.#isPinned ? this.#carrier : await this.calls.carrierOf(this.todo, now);
    // The window of a start counts the calls of its own carrier only.
    if (chosen !== this.#carrier) await this.#settled();
    this.#carrier = chosen;
    const { campaign_id } = this.todo;
    const isHeldBack = campaign_id !== undefined && (await isHeld(this.performing.log, campaign_id));
    this.#isPaused = this.#starts.length > 0 && (isHeldBack || (await this.calls.isMisconfigured(this.todo, now)));
    return !this.#isPaused;
  }

  /** Finds out where the dispatch stands; divides what is left into ranges. */
  async #load(): Promise<ChunkProgress> {
    const { account, category } = this.todo;
    const progress = await loadChunkProgress(this.performing.log, this.todo);
    const earlier = progress.dispatch.state.ranges.filter((range) => groupName(range) === groupName(this.todo)).at(-1)?.carrier;
    this.#isPinned = progress.interrupted.unknown.length > 0 && earlier !== undefined;
    if (this.#isPinned && earlier !== undefined) this.#carrier = (await this.calls.named(this.todo, earlier)) ?? this.#carrier;
    this.#onUnknownOutcome = await this.calls.onUnknownOutcome(this.#carrier, account, category);
    const { interrupted, fresh } = progress;
    const again = this.#onUnknownOutcome === 'retry' ? interrupted.unknown : [];
    const candidates = (indexes: readonly number[], was: BulkCandidate['was']): Start =>
      indexes.flatMap((index) => {
        const item = progress.items.get(index);
        return item ? [{ index, item, was }] : [];
      });
    const first = [...candidates(again, 'unknown'), ...candidates(interrupted.uncalled, 'uncalled'), ...candidates(fresh.skipped, 'new')];
    const rest = candidates(fresh.next, 'new');
    const { range } = this.calls.tuning;
    this.#starts = Array.from({ length: Math.ceil(rest.length / range) }, (_, i) => rest.slice(i * range, (i + 1) * range));
    // All that an earlier dispatcher has started is started again at once, so that the next one can see what was decided here.
    if (first.length > 0) this.#starts.unshift(first.sort((a, b) => a.index - b.index));
    return progress;
  }

  async #startNext(progress: ChunkProgress): Promise<void> {
    const [next = []] = this.#starts;
    const { log, epoch } = this.performing;
    if (next.length > 0) {
      const opened = await openItems(
        log,
        next.map(({ item }) => item),
      );
      const candidates = next.map((one, i) => ({ ...one, acceptance: acceptanceOfItem(opened[i] as BatchItem) }));
      const window = this.calls.windowOf(this.#carrier);
      const start = { known: progress.dispatch, group: this.#group, candidates, carrier: this.#carrier.name, epoch, window };
      this.#tries += 1;
      const { output, position } = await this.performing.execute(startBulkDispatch, start, this.#about(`start/${this.#tries}`));
      this.#advance(position);
      this.#isTakenOver = output.isTakenOver;
      this.#progress = { ...progress, dispatch: output.dispatch };
      const started = new Set(output.started);
      const ranges = rangesOf(output.dispatch.state, this.todo);
      this.#ready = candidates.flatMap(({ index, item, acceptance }) =>
        started.has(index) ? [{ item, accepted: acceptance.accepted, starts: startsOf(ranges, index) }] : [],
      );
    }
    this.#starts.shift();
    if (this.#isTakenOver) [this.#ready, this.#starts] = [[], []];
  }

  /** What may have been called and is not to be called again ends. It has no permit: nothing is in flight for it. */
  #endUnknown({ interrupted, items, dispatch }: ChunkProgress): void {
    const ranges = rangesOf(dispatch.state, this.todo);
    for (const index of interrupted.unknown) {
      const item = items.get(index);
      const sendResult = { starts: startsOf(ranges, index), carrier: this.#carrier.name, result: 'unknown' } as const;
      if (item) this.#answered.push({ sendResult: { item, ...sendResult }, release: () => {} });
    }
    this.#progress = { items, dispatch, interrupted: { unknown: [], uncalled: [] }, fresh: { skipped: [], next: [] } };
    this.#record();
  }

  async #callReady(): Promise<void> {
    const { calls } = this.calls.permitsOf(this.#carrier);
    for (let nth = 1; this.#ready.length > 0; nth++) {
      if (nth % CALLS_BETWEEN_PAUSES === 0) await this.performing.pace?.pause(this.#callable);
      const release = await calls.acquire(this.todo, this.#callable);
      if (!release) return;
      const next = this.#callable.aborted ? undefined : this.#ready.shift();
      if (next) void this.#call(next, release);
      else release();
    }
  }

  async #call({ item, accepted, starts }: ReadyMessage, release: Release): Promise<void> {
    const { account } = this.todo;
    this.#inFlight += 1;
    const carrier = this.#carrier;
    const call = { id: item.id, account, accepted, attempt: starts.length, onUnknownOutcome: this.#onUnknownOutcome };
    try {
      const result = await this.calls.call(carrier, call, this.performing);
      this.#answered.push({ sendResult: { item, parties: accepted, starts, carrier: carrier.name, result }, release });
    } catch (e) {
      release();
      this.#fail(e);
    }
    this.#inFlight -= 1;
    this.#record();
  }

  #fail(e: unknown): void {
    this.#failure ??= e;
    this.#failed.abort();
  }

  /** Records answers until there are none. Those that come meanwhile are recorded together. */
  #record(): void {
    if (this.#recording || this.#answered.length === 0 || this.#failure !== null) {
      this.#settle();
      return;
    }
    this.#recording = this.#recordAnswered()
      .catch((e: unknown) => this.#fail(e))
      .finally(() => {
        this.#recording = null;
        this.#record();
      });
  }

  async #recordAnswered(): Promise<void> {
    // Calls that end in the same turn of the event loop are recorded with one call.
    await this.performing.clock.yieldToEventLoop();
    const part = this.#answered.slice(0, this.calls.tuning.records);
    const sendResults = part.map(({ sendResult }) => sendResult);
    const { position } = await this.performing.execute(recordBulkSendResults, { sendResults }, this.#about('recorded'));
    this.#advance(position);
    this.performing.pace?.recorded(position);
    this.performing.progressed?.(this.todo);
    this.#answered.splice(0, part.length);
    for (const { release } of part) release();
  }

  /** Waits for the calls in flight and their records. */
  async #settled(): Promise<void> {
    const isBusy = () => this.#inFlight > 0 || this.#recording !== null;
    while (isBusy()) await new Promise<void>((resolve) => (this.#settle = resolve));
  }

  async #finish(how: 'all_recorded' | 'stopped'): Promise<Checkpoint> {
    if (!this.#progress) return 'start';
    const end = { known: this.#progress.dispatch, group: this.#group, epoch: this.performing.epoch, how };
    this.#advance((await this.performing.execute(endBulkDispatch, end, this.#about(how))).position);
    return this.#position;
  }

  get #group(): DispatchGroup {
    const { chunk, channel, category } = this.todo;
    return { chunk, channel, category };
  }

  #about(what: string): { account: string; correlation: string; about: string } {
    const { id, account, correlation } = this.todo;
    // Of the same tenure: a record whose answer was lost is repeated with the same ids in the next epoch, too.
    return { account, correlation, about: `${id}/${what}/${this.since}` };
  }

  #advance(position: Checkpoint): void {
    if (isAfter(position, this.#position)) this.#position = position;
  }
}
