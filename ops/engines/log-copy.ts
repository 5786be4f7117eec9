import {
  type Checkpoint,
  type EventStore,
  type ExpectedRevision,
  isWrongRevision,
  type NewEvent,
  type RecordedEvent,
} from '../../domain/kernel/ports.js';
import { type CopyContext, CopyRefused, type Phase, throwIfInterrupted, withRetries } from './copy-context.js';
import { describeDifference, firstDifference, type LogDifference, type LogRange, readRange, sameEvent } from './event-comparison.js';
import { CheckpointedFingerprint } from './fingerprint.js';
import { fractionOf, readPagesUpTo } from './read-pages.js';

/** Events of one stream for one append. */
export interface CopiedAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly RecordedEvent[];
}

/** The log that is written to. */
export interface TargetLog {
  readonly events: EventStore;
  /** Writes all appends in this order, or none. Without it they are written in sequence. */
  readonly appendAtomically?: (appends: readonly CopiedAppend[]) => Promise<void>;
}

/**
 * Copies a log up to a position, in order and at the same revisions. The target must hold a prefix of the source, so that
 * an interrupted copy resumes from the target alone.
 */
export class LogCopy {
  /** Fingerprint of all source events read so far. */
  readonly trail = new CheckpointedFingerprint();
  readonly #pages: AsyncGenerator<readonly RecordedEvent[]>;
  /** Source events that were read and are not in the target. */
  #pending: readonly RecordedEvent[] = [];
  #copied = 0;

  constructor(
    source: EventStore,
    private readonly target: TargetLog,
    private readonly head: Checkpoint,
    private readonly context: CopyContext,
  ) {
    this.#pages = readPagesUpTo(source, head, context);
  }

  /**
   * Finds the first event that is not in the target, and writes nothing. Reads the source from its start; of the target
   * only the first page, one event per page of the source, and its end. Returns the number of events in the target. Throws
   * CopyRefused.
   */
  async findResumePoint(): Promise<number> {
    if ((await this.target.events.head()) === 'start') return 0;
    let at: Checkpoint = 'start';
    for (let known = 0; ; ) {
      const page = (await this.#nextPage('comparing')) ?? [];
      const last = page.at(-1);
      const inTarget = last && known > 0 ? await this.#findInTarget(last) : null;
      if (inTarget) {
        known += page.length;
        at = inTarget.position;
        continue;
      }
      // One more than the page shows whether the target continues after it.
      const rest: LogRange = { store: this.target.events, after: at, count: page.length + 1 };
      const target = await withRetries(this.context, () => readRange(rest));
      refuseDifference(firstDifference(page.slice(0, target.length), page.length > 0 ? target.slice(0, page.length) : target, known + 1));
      this.#pending = page.slice(target.length);
      known += Math.min(page.length, target.length);
      if (target.length <= page.length) return known;
      at = (target[page.length - 1] as RecordedEvent).position;
    }
  }

  /** Copies the rest and returns the number of events copied. Throws CopyInterrupted, and CopyRefused when another process writes to the target. */
  async copyRemaining(): Promise<number> {
    for (let page: readonly RecordedEvent[] | null = this.#pending; page; page = await this.#nextPage('copying')) await this.#write(page);
    return this.#copied;
  }

  async #nextPage(phase: Phase): Promise<readonly RecordedEvent[] | null> {
    const { done, value } = await this.#pages.next();
    if (done) return null;
    for (const event of value) this.trail.add(event);
    const at = value.at(-1)?.position ?? 'start';
    if (phase === 'comparing') this.context.report({ phase, done: this.trail.count, fraction: fractionOf(at, this.head) });
    return value;
  }

  /** The target's event at the same revision of the same stream, if it is equal. */
  async #findInTarget(event: RecordedEvent): Promise<RecordedEvent | null> {
    const read = () => this.target.events.read(event.stream, { from: event.revision, limit: 1 });
    const found = await withRetries(this.context, read);
    const [inTarget] = found === 'not-found' ? [] : found;
    return inTarget && sameEvent(inTarget, event) ? inTarget : null;
  }

  async #write(page: readonly RecordedEvent[]): Promise<void> {
    const appends = groupIntoAppends(page);
    if (this.target.appendAtomically && appends.length > 0) {
      const { appendAtomically } = this.target;
      await withRetries(this.context, () => appendAtomically(appends)).catch(refuseConflict);
      this.#count(page);
      return;
    }
    for (const append of appends) {
      throwIfInterrupted(this.context);
      await this.#append(append);
      this.#count(append.events);
    }
  }

  /**
   * A prefix of the events may already be in the target, from an append in flight of a killed run.
   */
  async #append({ stream, expected, events }: CopiedAppend): Promise<void> {
    const { events: store } = this.target;
    try {
      await withRetries(this.context, () => store.append(stream, expected, events.map(newEvent)));
    } catch (e) {
      if (!isWrongRevision(e)) throw e;
      const from = expected === 'no-stream' ? 0 : expected + 1;
      const found = await withRetries(this.context, () => store.read(stream, { from, limit: events.length }));
      const inTarget = found === 'not-found' ? [] : found;
      if (inTarget.length === 0 || firstDifference(events.slice(0, inTarget.length), inTarget, 1)) refuseConflict(e);
      const rest = events.slice(inTarget.length);
      if (rest.length > 0) await this.#append({ stream, expected: from + inTarget.length - 1, events: rest });
    }
  }

  #count(events: readonly RecordedEvent[]): void {
    this.#copied += events.length;
    this.context.report({ phase: 'copying', done: this.#copied, fraction: fractionOf(events.at(-1)?.position ?? 'start', this.head) });
  }
}

/** Below EventStoreDB's limit of 1 MiB per append. A larger event is appended alone. */
const APPEND_BYTES = 524_288;

/** Groups consecutive events of one stream into appends of limited size. */
export function groupIntoAppends(events: readonly RecordedEvent[]): CopiedAppend[] {
  const appends: { stream: string; expected: ExpectedRevision; events: RecordedEvent[] }[] = [];
  let bytes = 0;
  for (const event of events) {
    const size = Buffer.byteLength(event.data) + Buffer.byteLength(event.metadata) + event.type.length;
    const last = appends.at(-1);
    bytes += size;
    if (last?.stream === event.stream && bytes <= APPEND_BYTES) last.events.push(event);
    else {
      appends.push({ stream: event.stream, expected: event.revision === 0 ? 'no-stream' : event.revision - 1, events: [event] });
      bytes = size;
    }
  }
  return appends;
}

const newEvent = ({ id, type, data, metadata }: RecordedEvent): NewEvent => ({ id, type, data, metadata });

function refuseDifference(parting: LogDifference | null): void {
  if (!parting) return;
  throw new CopyRefused(
    `The target differs from the source: ${describeDifference(parting)}. Use an empty target, or one that holds a copy of this source.`,
  );
}

function refuseConflict(e: unknown): never {
  if (!isWrongRevision(e)) throw e;
  throw new CopyRefused(`Another process writes to the target: ${e.message}. Stop it and start with an empty target.`);
}
