import { endBulkDispatch } from '../../commands/messages/end-bulk-dispatch.js';
import { type BulkSendResult, recordBulkSendResults } from '../../commands/messages/record-bulk-send-results.js';
import type { Checkpoint } from '../../domain/kernel/ports.js';
import { isCanceled, rangesOf, startsOf } from '../../domain/messages/batch-dispatch.js';
import type { PerformContext } from '../runtime/process-manager.js';
import type { CarrierCalls } from './call-carrier.js';
import { loadChunkProgress, recordedOf } from './chunk-progress.js';
import { ChunkDispatch } from './dispatch-chunk.js';
import type { ChunkTodo } from './dispatch-list.js';

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
    const progress = await loadChunkProgress(todo, performing.log);
    const recorded = await recordedOf([...progress.items], performing.log);
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
