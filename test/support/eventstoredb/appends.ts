import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
  DeleteReq,
  DeleteResp,
  TombstoneReq,
  TombstoneResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerDuplexStream, ServerReadableStream, ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import type { Counts } from './counts.js';
import type { AppendAnswer, Database, WireEvent, WireExpected } from './database.js';
import type { Faults } from './faults.js';
import { IdenticalAppends } from './identical-appends.js';
import { statusError } from './status.js';
import { appendAnswer, batchAnswer, eventOf, expectedOf, expectedOfBatch, nameOf } from './wire.js';

/** The calls that write. */
export class Appends {
  readonly #identical = new IdenticalAppends();

  constructor(
    private readonly database: Database,
    private readonly faults: Faults,
    private readonly counts: Counts,
  ) {}

  /** One append per call: used by clients with credentials per call, and with old servers. */
  readonly append = (call: ServerReadableStream<AppendReq, AppendResp>, answer: sendUnaryData<AppendResp>): void => {
    let options: AppendReq.Options | undefined;
    const events: WireEvent[] = [];
    call.on('data', (message: AppendReq) => {
      options = message.getOptions() ?? options;
      const proposed = message.getProposedMessage();
      if (proposed) events.push(eventOf(proposed));
    });
    call.on('error', () => {});
    call.on('end', async () => {
      try {
        if (!options) throw statusError(3, 'no options');
        await this.#pass();
        const stream = nameOf(options.getStreamIdentifier());
        const expected = expectedOf(options);
        const appended = await this.#append(stream, expected, events);
        // The client ends the call at its deadline.
        if (appended === null) return;
        const outcome = appendAnswer(appended, expected, stream);
        const loss = this.faults.takeLoss();
        if (loss === 'silently') return;
        if (loss === 'breaking') throw statusError(14, 'the connection is lost');
        if ('exception' in outcome) throw statusError(9, outcome.exception, outcome);
        answer(null, outcome);
      } catch (e) {
        answer(e as Error);
      }
    });
  };

  /** All appends of a client on one stream. An append may have several frames; answers come in order of completion. */
  readonly batchAppend = (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>): void => {
    const begun = new Map<string, { options: BatchAppendReq.Options; events: WireEvent[] }>();
    const open = {
      end: () => this.#close(open, () => call.end()),
      fail: (code: number, details: string) => this.#close(open, () => call.emit('error', statusError(code, details))),
    };
    this.faults.batches.add(open);
    const over = () => this.faults.batches.delete(open);
    call.on('error', over);
    call.on('close', over);
    call.on('end', () => this.faults.batches.has(open) && open.end());
    call.on('data', (request: BatchAppendReq) => {
      const id = request.getCorrelationId()?.getString() ?? '';
      const options = request.getOptions() ?? begun.get(id)?.options;
      if (!options) return open.fail(3, 'a frame before its options');
      const append = begun.get(id) ?? { options, events: [] };
      begun.set(id, append);
      append.events.push(...request.getProposedMessagesList().map(eventOf));
      if (!request.getIsFinal()) return;
      begun.delete(id);
      void this.#appendOfBatch(request, append.options, append.events).then(
        (answer) => (answer === 'break' ? open.fail(14, 'the connection is lost') : answer && this.faults.batches.has(open) && call.write(answer)),
        (e) => open.fail(e.code ?? 2, String(e)),
      );
    });
  };

  async #appendOfBatch(
    request: BatchAppendReq,
    options: BatchAppendReq.Options,
    events: readonly WireEvent[],
  ): Promise<BatchAppendResp | 'break' | null> {
    const correlation = request.getCorrelationId();
    if (!correlation) throw statusError(3, 'no correlation id');
    const stream = nameOf(options.getStreamIdentifier());
    await this.faults.pass();
    if (this.faults.unavailable) return 'break';
    if (this.faults.busy) return batchAnswer('busy', correlation, stream);
    const deadline = options.getDeadline()?.toDate().getTime() ?? Number.POSITIVE_INFINITY;
    if (deadline < Date.now()) return batchAnswer('timeout', correlation, stream);
    const answer = await this.#append(stream, expectedOfBatch(options), events);
    if (answer === null) {
      if (deadline === Number.POSITIVE_INFINITY) return null;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, deadline - Date.now())));
      return batchAnswer('timeout', correlation, stream);
    }
    const loss = this.faults.takeLoss();
    if (loss) return loss === 'breaking' ? 'break' : null;
    return batchAnswer(answer, correlation, stream);
  }

  #append(stream: string, expected: WireExpected, events: readonly WireEvent[]): Promise<AppendAnswer | null> {
    this.counts.appends += 1;
    const ids = events.map(({ id }) => id);
    return this.#identical.answerOf(stream, expected, ids, () => this.database.append(stream, expected, events));
  }

  readonly delete = (call: ServerUnaryCall<DeleteReq, DeleteResp>, answer: sendUnaryData<DeleteResp>): void => {
    const options = call.request.getOptions();
    if (!options) return void answer(statusError(3, 'no options'));
    const stream = nameOf(options.getStreamIdentifier());
    this.#remove(this.database.delete(stream, expectedOf(options)), stream, (position) => {
      const place = new streamsPb.DeleteResp.Position();
      place.setCommitPosition(String(position));
      place.setPreparePosition(String(position));
      answer(null, new streamsPb.DeleteResp().setPosition(place));
    }).catch(answer);
  };

  readonly tombstone = (call: ServerUnaryCall<TombstoneReq, TombstoneResp>, answer: sendUnaryData<TombstoneResp>): void => {
    const options = call.request.getOptions();
    if (!options) return void answer(statusError(3, 'no options'));
    const stream = nameOf(options.getStreamIdentifier());
    this.#remove(this.database.tombstone(stream, expectedOf(options)), stream, (position) => {
      const place = new streamsPb.TombstoneResp.Position();
      place.setCommitPosition(String(position));
      place.setPreparePosition(String(position));
      answer(null, new streamsPb.TombstoneResp().setPosition(place));
    }).catch(answer);
  };

  async #remove(removing: Promise<AppendAnswer>, stream: string, done: (position: bigint) => void): Promise<void> {
    await this.#pass();
    const outcome = await removing;
    if (typeof outcome === 'string') throw statusError(9, outcome, { exception: 'stream-deleted', 'stream-name': stream });
    if (!('revision' in outcome))
      throw statusError(9, 'wrong-expected-version', { exception: 'wrong-expected-version', 'stream-name': stream, 'expected-version': '0' });
    done(outcome.position ?? 0n);
  }

  async #pass(): Promise<void> {
    await this.faults.pass();
    if (this.faults.unavailable || this.faults.busy) throw statusError(14, 'Server Is Busy');
  }

  #close(open: { end: () => void; fail: (code: number, details: string) => void }, close: () => void): void {
    if (this.faults.batches.delete(open)) close();
  }
}
