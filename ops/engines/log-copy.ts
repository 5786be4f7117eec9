import { type Checkpoint, type EventStore, type Expected, isWrongRevision, type NewEvent, type Recorded } from '../../domain/kernel/ports.js';
import { type CopyContext, CopyRefused, type Phase, throwIfInterrupted, withRetries } from './copy-context.js';
import { describeDifference, firstDifference, type LogDifference, type LogRange, readRange, sameEvent } from './event-comparison.js';
import { CheckpointedFingerprint } from './fingerprint.js';
import { fractionOf, readPagesUpTo } from './read-pages.js';

/** Events of one stream that belong into one append. */
export interface Append {
  readonly stream: string;
  readonly expected: Expected;
  readonly events: readonly Recorded[];
}

/** The log that is written. */
export interface TargetLog {
  readonly events: EventStore;
  /** Takes appends together: all of them in this order, or none. Without it they go one after the other, so that they keep their order. */
  readonly appendAtomically?: (appends: readonly Append[]) => Promise<void>;
}

/**
 * Copies a log up to a position, in the order of the log and at the same revisions. What the target holds already must be
 * the beginning of the source: so the target itself tells where to go on, and what ended halfway needs no other trace.
 */
export class LogCopy {
  /** Of everything in the source that was passed until now, from its first event. */
  readonly trail = new CheckpointedFingerprint();
  readonly #pages: AsyncGenerator<readonly Recorded[]>;
  /** What was read of the source and is not in the target. */
  #pending: readonly Recorded[] = [];
  #copied = 0;

  constructor(
    source: EventStore,
    private readonly target: TargetLog,
    private readonly head: Checkpoint,
    private readonly work: CopyContext,
  ) {
    this.#pages = readPagesUpTo(source, head, work);
  }

  /**
   * Finds what is not in the target yet, and writes nothing. Reads the source from its start; of the target only the
   * first page, one event for each page of the source that it holds, and its end. Gives the number of events that the
   * target has. Throws CopyRefused.
   */
  async findResumePoint(): Promise<number> {
    if ((await this.target.events.head()) === 'start') return 0;
    let at: Checkpoint = 'start';
    for (let known = 0; ; ) {
      const page = (await this.#nextPage('comparing')) ?? [];
      const last = page.at(-1);
      const there = last && known > 0 ? await this.#findInTarget(last) : null;
      if (there) {
        known += page.length;
        at = there.position;
        continue;
      }
      // One more than the page tells whether the target goes on after it.
      const rest: LogRange = { store: this.target.events, after: at, count: page.length + 1 };
      const target = await withRetries(this.work, () => readRange(rest));
      refuseDifference(firstDifference(page.slice(0, target.length), page.length > 0 ? target.slice(0, page.length) : target, known + 1));
      this.#pending = page.slice(target.length);
      known += Math.min(page.length, target.length);
      if (target.length <= page.length) return known;
      at = (target[page.length - 1] as Recorded).position;
    }
  }

  /** Copies the rest. Gives the number of events copied. Throws CopyInterrupted, and CopyRefused where somebody else writes to the target. */
  async copyRemaining(): Promise<number> {
    for (let page: readonly Recorded[] | null = this.#pending; page; page = await this.#nextPage('copying')) await this.#write(page);
    return this.#copied;
  }

  async #nextPage(phase: Phase): Promise<readonly Recorded[] | null> {
    const { done, value } = await this.#pages.next();
    if (done) return null;
    for (const event of value) this.trail.add(event);
    const at = value.at(-1)?.position ?? 'start';
    if (phase === 'comparing') this.work.report({ phase, done: this.trail.count, fraction: fractionOf(at, this.head) });
    return value;
  }

  /** The event of the target at the same place of the same stream, if it is the same event. */
  async #findInTarget(event: Recorded): Promise<Recorded | null> {
    const read = () => this.target.events.read(event.stream, { from: event.revision, limit: 1 });
    const found = await withRetries(this.work, read);
    const [there] = found === 'not-found' ? [] : found;
    return there && sameEvent(there, event) ? there : null;
  }

  async #write(page: readonly Recorded[]): Promise<void> {
    const appends = groupIntoAppends(page);
    if (this.target.appendAtomically && appends.length > 0) {
      const { appendAtomically } = this.target;
      await withRetries(this.work, () => appendAtomically(appends)).catch(refuseConflict);
      this.#count(page);
      return;
    }
    for (const append of appends) {
      throwIfInterrupted(this.work);
      await this.#append(append);
      this.#count(append.events);
    }
  }

  /**
   * A part of it may be there although the target was looked at before: from a run that was killed while its append was
   * on its way.
   */
  async #append({ stream, expected, events }: Append): Promise<void> {
    const { events: store } = this.target;
    try {
      await withRetries(this.work, () => store.append(stream, expected, events.map(newEvent)));
    } catch (e) {
      if (!isWrongRevision(e)) throw e;
      const from = expected === 'no-stream' ? 0 : expected + 1;
      const found = await withRetries(this.work, () => store.read(stream, { from, limit: events.length }));
      const there = found === 'not-found' ? [] : found;
      if (there.length === 0 || firstDifference(events.slice(0, there.length), there, 1)) refuseConflict(e);
      const rest = events.slice(there.length);
      if (rest.length > 0) await this.#append({ stream, expected: from + there.length - 1, events: rest });
    }
  }

  #count(events: readonly Recorded[]): void {
    this.#copied += events.length;
    this.work.report({ phase: 'copying', done: this.#copied, fraction: fractionOf(events.at(-1)?.position ?? 'start', this.head) });
  }
}

/** Below the 1 MiB that EventStoreDB takes in one append. A larger event goes alone. */
const APPEND_BYTES = 524_288;

/** Neighbours of one stream go into one append, if it does not become too large. */
export function groupIntoAppends(events: readonly Recorded[]): Append[] {
  const appends: { stream: string; expected: Expected; events: Recorded[] }[] = [];
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

const newEvent = ({ id, type, data, metadata }: Recorded): NewEvent => ({ id, type, data, metadata });

function refuseDifference(parting: LogDifference | null): void {
  if (!parting) return;
  throw new CopyRefused(
    `The target holds something else than the source: ${describeDifference(parting)}. Take a target that is empty, or that a copy of this source has begun.`,
  );
}

function refuseConflict(e: unknown): never {
  if (!isWrongRevision(e)) throw e;
  throw new CopyRefused(`Somebody else writes to the target: ${e.message}. Stop that, and begin with an empty target.`);
}
