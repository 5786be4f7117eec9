import {
  type Checkpoint,
  type Clock,
  type Doc,
  type DocumentRef,
  isAfter,
  type Op,
  type Position,
  type ReadModels,
  type ViewWriter,
} from '../domain/kernel/ports.js';
import type { EventLog } from '../log/event-log.js';
import type { LogEvent } from '../log/log-event.js';
import type { AnyProjection, View } from './kernel.js';
import { type LazyEvent, readPage, type SharedPage, SharedSubscription } from './shared-subscription.js';
import { type LeaseDependencies, withLease } from './with-lease.js';

/** Large, so that most documents are written once for several events. */
const REBUILD_PAGE_EVENTS = 8_000;
/** Delay before a retry, and between polls of a halted projection. */
const RETRY_MS = 1_000;
/** Pages without events of a projection are skipped; its checkpoint is then saved after this time. */
const CHECKPOINT_INTERVAL_MS = 500;

export interface ProjectionDependencies {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly clock: Clock;
  /** A projection stopped: until a rebuild at a PoisonEvent, otherwise until the next retry. */
  readonly onHalt?: (name: string, error: unknown) => void;
  readonly onCommit?: (name: string, position: Position, ops: readonly Op[]) => void;
}

/** A projection cannot apply an event. It halts there, and its status shows the reason. */
export class PoisonEvent extends Error {
  override readonly name = 'PoisonEvent';
}

/** A newer version of the projection is in force, from a newer release. A rebuild goes back to this version. */
export class NewerRelease extends Error {
  override readonly name = 'NewerRelease';
  constructor({ name, version }: AnyProjection, inForce: number) {
    super(
      `${name}@${inForce} is in force, this program has version ${version}: a newer release runs, or 'heliograph projections rebuild ${name}' goes back`,
    );
  }
}

/** Keeps projections up to date until the signal aborts. A lease for each projection and version: one node runs it at a time. */
export async function runProjections(
  projections: readonly AnyProjection[],
  parts: ProjectionDependencies & LeaseDependencies,
  signal: AbortSignal,
): Promise<void> {
  const pages = new SharedSubscription(parts.log, parts.clock, signal);
  const runs = projections.map((projection) =>
    withLease(`projection/${projection.name}@${projection.version}`, parts, signal, (held) => runProjection(projection, parts, pages, held)),
  );
  await Promise.all([pages.run(), ...runs]);
}

async function runProjection(
  projection: AnyProjection,
  parts: ProjectionDependencies,
  pages: SharedSubscription,
  signal: AbortSignal,
): Promise<void> {
  const { views } = parts;
  while (!signal.aborted) {
    try {
      await waitWhileNewerVersion(projection, parts, signal);
      const { version } = await views.status(projection);
      if (version !== projection.version) await rebuild(projection, parts, signal);
      await views.halt(projection, null);
      while (!signal.aborted) await applyPages(projection, parts, pages, signal);
    } catch (e) {
      if (signal.aborted) return;
      parts.onHalt?.(projection.name, e);
      // A store failure is transient; a poison event is not.
      if (e instanceof PoisonEvent) await waitUntilRebuilt(projection, e.message, parts, signal);
      else await parts.clock.sleep(RETRY_MS, signal);
    }
  }
}

/** Waits until the operator has rebuilt a halted projection. A restart of the program retries it, too. */
async function waitUntilRebuilt(
  projection: AnyProjection,
  reason: string,
  { views, clock, onHalt }: ProjectionDependencies,
  signal: AbortSignal,
): Promise<void> {
  for (let reported = false; !signal.aborted; await clock.sleep(RETRY_MS, signal)) {
    try {
      if (!reported) await views.halt(projection, reason);
      reported = true;
      if ((await views.status(projection)).halted === null) return;
    } catch (e) {
      onHalt?.(projection.name, e);
    }
  }
}

/** While nodes of two releases run side by side, the newer read model stays in force and the older node waits. */
async function waitWhileNewerVersion(
  projection: AnyProjection,
  { views, clock, onHalt }: ProjectionDependencies,
  signal: AbortSignal,
): Promise<void> {
  for (let reported = false; !signal.aborted; reported = true) {
    const { version } = await views.status(projection);
    if (version <= projection.version) return;
    if (!reported) onHalt?.(projection.name, new NewerRelease(projection, version));
    await clock.sleep(RETRY_MS, signal);
  }
}

/** Applies pages to the generation in force, until another one is put in force or the signal aborts. */
async function applyPages(projection: AnyProjection, parts: ProjectionDependencies, pages: SharedSubscription, signal: AbortSignal): Promise<void> {
  const { views, clock } = parts;
  const writer = await views.writer(projection);
  try {
    let saved = await writer.checkpoint();
    let at = saved;
    for (let savedAt = 0; ; ) {
      const page = await pages.next(at, signal, at === saved ? undefined : CHECKPOINT_INTERVAL_MS);
      if (signal.aborted) return;
      const ops = page ? await foldPage(projection, writer, page) : [];
      at = page?.upTo ?? at;
      if (page && ops.length === 0 && writer.skipTo && clock.monotonic() - savedAt < CHECKPOINT_INTERVAL_MS) {
        writer.skipTo(at as Position);
        continue;
      }
      if ((await writer.commit(saved, at as Position, ops)) === 'mismatch') return;
      saved = at;
      savedAt = clock.monotonic();
      parts.onCommit?.(projection.name, at as Position, ops);
    }
  } finally {
    await writer.close();
  }
}

/** Folds a page of events into changes of documents. Throws PoisonEvent. */
export async function foldPage(projection: AnyProjection, writer: ViewWriter, page: SharedPage): Promise<Op[]> {
  const wanted = new Set<string>(projection.handles);
  const events = page.events.filter(({ type }) => wanted.has(type));
  if (events.length === 0) return [];
  const stored = events.map((event) => decode(projection, event));
  const view = new PageView();
  await view.load(
    writer,
    stored.flatMap((s) => projection.reads(s)),
  );
  for (const s of stored) {
    await loadMore(projection, s, view, writer);
    orPoison(projection, s, () => projection.apply(s, view));
  }
  return view.ops();
}

/** Loads the documents of `readsMore` until it names no new one. */
async function loadMore(projection: AnyProjection, stored: LogEvent, view: PageView, writer: ViewWriter): Promise<void> {
  if (!projection.readsMore) return;
  for (;;) {
    const more = orPoison(projection, stored, () => projection.readsMore?.(stored, view) ?? []);
    if (!(await view.load(writer, more))) return;
  }
}

/** Turns what the projection itself throws into a PoisonEvent; errors of stores are not wrapped. */
function orPoison<T>({ name, version }: AnyProjection, { event, position }: LogEvent, work: () => T): T {
  try {
    return work();
  } catch (e) {
    throw new PoisonEvent(`${name}@${version} cannot take ${event.type} at ${position}: ${e instanceof Error ? e.message : e}`);
  }
}

function decode(projection: AnyProjection, event: LazyEvent): LogEvent {
  try {
    return event.decode();
  } catch (e) {
    throw new PoisonEvent(
      `${projection.name}@${projection.version} cannot read ${event.type} at ${event.position}: ${e instanceof Error ? e.message : e}`,
    );
  }
}

/** The working copy of the documents that a page touches. */
class PageView implements View {
  readonly #before = new Map<string, Doc | undefined>();
  readonly #now = new Map<string, { ref: DocumentRef; doc: Doc | undefined }>();

  /** Returns false where all of them were loaded before. */
  async load(writer: ViewWriter, refs: readonly DocumentRef[]): Promise<boolean> {
    const known = this.#before.size;
    const wanted = new Map<string, DocumentRef>();
    for (const ref of refs) {
      const k = key(ref.collection, ref.id);
      if (this.#before.has(k)) continue;
      if (ref.fresh) this.#before.set(k, undefined);
      else wanted.set(k, ref);
    }
    if (wanted.size > 0) {
      const docs = await writer.load([...wanted.values()]);
      let i = 0;
      for (const k of wanted.keys()) this.#before.set(k, docs[i++]);
    }
    return this.#before.size > known;
  }

  isLoaded(collection: string, id: string): boolean {
    return this.#before.has(key(collection, id));
  }

  get<D extends Doc>(collection: string, id: string): D | undefined {
    const k = key(collection, id);
    const changed = this.#now.get(k);
    if (changed) return changed.doc as D | undefined;
    if (!this.#before.has(k)) throw new Error(`${collection}/${id} was not named by reads()`);
    return this.#before.get(k) as D | undefined;
  }

  put(collection: string, doc: Doc): void {
    this.#change(collection, doc.id, doc);
  }

  remove(collection: string, id: string): void {
    this.#change(collection, id, undefined);
  }

  ops(): Op[] {
    const ops: Op[] = [];
    for (const [k, { ref, doc }] of this.#now) {
      const before = this.#before.get(k);
      if (doc) ops.push({ ...ref, before, after: doc });
      else if (before) ops.push({ ...ref, before, after: undefined });
    }
    return ops;
  }

  #change(collection: string, id: string, doc: Doc | undefined): void {
    const k = key(collection, id);
    if (!this.#before.has(k)) throw new Error(`${collection}/${id} was not named by reads()`);
    this.#now.set(k, { ref: { collection, id }, doc });
  }
}

const key = (collection: string, id: string): string => `${collection}/${id}`;

/** Rebuilds a projection beside the one in force and promotes it when it has caught up. Reads go on meanwhile. Returns the number of events read. */
export async function rebuild(
  projection: AnyProjection,
  parts: Pick<ProjectionDependencies, 'log' | 'views'>,
  signal: AbortSignal,
  onProgress: (position: Checkpoint, events: number) => void = () => {},
): Promise<number> {
  const shadow = await parts.views.shadow(projection);
  const events = await buildUpTo(projection, parts, shadow, signal, onProgress);
  for (;;) {
    if (signal.aborted) {
      await parts.views.discard(projection, shadow);
      throw new Error('stopped before the projection was rebuilt');
    }
    if ((await parts.views.promote(projection, shadow)) === 'ok') break;
    await buildUpTo(projection, parts, shadow, signal, onProgress);
  }
  await shadow.close();
  return events;
}

/** Applies the events from a generation's checkpoint to the end of the log, or to a position. Returns the number of events read. */
export async function buildUpTo(
  projection: AnyProjection,
  { log }: Pick<ProjectionDependencies, 'log'>,
  writer: ViewWriter,
  signal: AbortSignal,
  onProgress: (position: Checkpoint, events: number) => void = () => {},
  until?: Checkpoint,
): Promise<number> {
  let at = await writer.checkpoint();
  for (let events = 0; ; ) {
    const whole = signal.aborted ? null : await readPage(log, at, REBUILD_PAGE_EVENTS);
    const page = whole && until !== undefined ? upTo(whole, until) : whole;
    if (!page || page.events.length === 0) return events;
    const result = await writer.commit(at, page.upTo as Position, await foldPage(projection, writer, page));
    if (result === 'mismatch') throw new Error(`another writer has generation ${writer.generation} of ${projection.name}`);
    at = page.upTo;
    events += page.events.length;
    onProgress(at, events);
  }
}

function upTo(page: SharedPage, until: Checkpoint): SharedPage {
  if (!isAfter(page.upTo, until)) return page;
  const events = page.events.filter(({ position }) => !isAfter(position, until));
  return { ...page, events, upTo: events.at(-1)?.position ?? page.after };
}
