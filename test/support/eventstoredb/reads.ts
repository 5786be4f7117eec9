import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { Counts } from './counts.js';
import { type Database, isRecordStart, type StoredEvent } from './database.js';
import type { Faults } from './faults.js';
import { statusError } from './status.js';
import { caughtUp, checkpoint, confirmation, filterOf, nameOf, readEvent, streamNotFound } from './wire.js';

const SLICE = 500;
const DEFAULT_WINDOW = 32;
type Call = ServerWritableStream<ReadReq, ReadResp>;

/** The call that reads: streams and the whole log in both directions, and subscriptions. */
export class Reads {
  constructor(
    private readonly database: Database,
    private readonly faults: Faults,
    private readonly counts: Counts,
  ) {}

  readonly read = (call: Call): void => {
    const options = call.request.getOptions();
    if (!options) return void call.emit('error', statusError(3, 'no options'));
    const abort = new AbortController();
    const calls = options.hasSubscription() ? this.faults.subscriptions : this.faults.readings;
    const close = (how: () => void) => {
      if (!calls.delete(open)) return;
      if (isOfLog) this.counts.openSubscriptions -= 1;
      abort.abort();
      how();
    };
    const writer = new Writer(call, this.faults, abort.signal);
    const open = {
      mute: () => {
        writer.muted = true;
      },
      end: () => close(() => call.end()),
      fail: (code: number, details: string, named?: Parameters<typeof statusError>[2]) =>
        close(() => call.emit('error', statusError(code, details, named))),
    };
    calls.add(open);
    const isOfLog = options.hasSubscription() && !options.hasStream();
    if (isOfLog) this.counts.openSubscriptions += 1;
    call.on('cancelled', () => close(() => call.end()));
    call.on('close', () => close(() => {}));
    this.#answer(options, writer, abort.signal).then(
      () => open.end(),
      (e) => open.fail(e.code ?? 2, e.details ?? String(e), e.named),
    );
  };

  async #answer(options: ReadReq.Options, writer: Writer, signal: AbortSignal): Promise<void> {
    await this.faults.pass();
    if (this.faults.unavailable || this.faults.busy) throw statusError(14, 'Server Is Busy');
    if (options.hasSubscription()) return this.#subscription(options, writer, signal);
    const count = Number(options.getCount());
    if (count === 0) throw statusError(3, 'a count of 0');
    const backwards = options.getReadDirection() === 1;
    if (options.hasAll()) await this.#all(options, count, backwards, writer);
    else await this.#stream(options, count, backwards, writer);
  }

  async #stream(options: ReadReq.Options, count: number, backwards: boolean, writer: Writer): Promise<void> {
    const streamOptions = options.getStream();
    const stream = nameOf(streamOptions?.getStreamIdentifier());
    this.counts.streamReads += 1;
    let from: number | 'end' = streamOptions?.hasEnd() ? 'end' : streamOptions?.hasStart() ? 0 : Number(streamOptions?.getRevision());
    for (let left = count; left > 0 && !writer.over; ) {
      const events = await this.database.read(stream, from, Math.min(left, SLICE), backwards);
      if (events === 'not-found') {
        this.counts.missingStreams += 1;
        return writer.write(streamNotFound(stream));
      }
      if (events === 'stream-deleted') throw Object.assign(statusError(9, events), { named: { exception: 'stream-deleted', 'stream-name': stream } });
      for (const event of events) await writer.write(readEvent(event));
      const last = events.at(-1);
      if (!last || events.length < Math.min(left, SLICE) || (backwards && last.revision === 0)) return;
      left -= events.length;
      from = last.revision + (backwards ? -1 : 1);
    }
  }

  async #all(options: ReadReq.Options, count: number, backwards: boolean, writer: Writer): Promise<void> {
    let from = positionOf(options);
    if (backwards) this.counts.headReads += 1;
    else this.counts.pageReads += 1;
    for (let left = count; left > 0 && !writer.over; ) {
      // Every slice but the first repeats the event at its position, which is omitted.
      const repeated = typeof from === 'bigint' && left !== count && !backwards ? 1 : 0;
      const events = (await this.database.readAll(from, Math.min(left, SLICE) + repeated, backwards)).slice(repeated);
      if (!backwards) this.counts.eventsOfLog += events.length;
      for (const event of events) await writer.write(readEvent(event));
      const last = events.at(-1);
      if (!last || events.length < Math.min(left, SLICE)) return;
      left -= events.length;
      from = last.position;
    }
  }

  async #subscription(options: ReadReq.Options, writer: Writer, signal: AbortSignal): Promise<void> {
    const wanted = options.hasStream() ? ofStream(options) : this.#counted(filterOf(options) ?? (() => true));
    const filter = options.getFilter();
    const window = filter ? (filter.getMax() || DEFAULT_WINDOW) * filter.getCheckpointintervalmultiplier() : Number.POSITIVE_INFINITY;
    await writer.write(confirmation());
    let considered = 0;
    for await (const page of this.database.follow(options.hasStream() ? 'start' : positionOf(options), signal)) {
      for (const event of page.events) {
        if (wanted(event)) await writer.write(readEvent(event));
        considered += 1;
        if (considered % window === 0) await writer.write(checkpoint(event.position));
        if (writer.over) return;
      }
      if (page.caughtUp) await writer.write(caughtUp());
    }
  }

  #counted(wanted: (event: StoredEvent) => boolean): (event: StoredEvent) => boolean {
    this.counts.subscriptions += 1;
    return (event) => {
      const isWanted = wanted(event);
      if (isWanted) this.counts.eventsOfLog += 1;
      return isWanted;
    };
  }
}

function positionOf(options: ReadReq.Options): bigint | 'start' | 'end' {
  const all = options.getAll();
  if (all?.hasStart()) return 'start';
  if (all?.hasEnd()) return 'end';
  const position = BigInt(all?.getPosition()?.getCommitPosition() ?? '0');
  if (!isRecordStart(position)) throw statusError(2, `no record begins at ${position}`);
  return position;
}

function ofStream(options: ReadReq.Options): (event: StoredEvent) => boolean {
  const streamOptions = options.getStream();
  const stream = nameOf(streamOptions?.getStreamIdentifier());
  const after = streamOptions?.hasStart() || streamOptions?.hasEnd() ? -1 : Number(streamOptions?.getRevision());
  return (event) => event.stream === stream && event.revision > after;
}

/** Writes with back-pressure, and waits while the server is silent. */
class Writer {
  muted = false;

  constructor(
    private readonly call: Call,
    private readonly faults: Faults,
    private readonly signal: AbortSignal,
  ) {}

  get over(): boolean {
    return this.signal.aborted || this.call.cancelled;
  }

  async write(message: ReadResp): Promise<void> {
    if (this.faults.silent) await this.faults.pass();
    if (this.over || this.muted || this.call.write(message)) return;
    await new Promise<void>((resolve) => {
      const resume = () => {
        this.call.off('drain', resume);
        this.signal.removeEventListener('abort', resume);
        resolve();
      };
      this.call.on('drain', resume);
      this.signal.addEventListener('abort', resume, { once: true });
    });
  }
}
