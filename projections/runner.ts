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

/** Large, so that the events of one document mostly meet in a page and write it once. */
const REBUILD_PAGE_EVENTS = 8_000;
/** How often a halted projection looks whether it was rebuilt. */
const RETRY_MS = 1_000;
/** Pages that mean nothing to a projection are passed over; where it stands is then saved after so long. */
const CHECKPOINT_INTERVAL_MS = 500;

export interface ProjectionDependencies {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly clock: Clock;
  /** A projection stopped: for good at a PoisonEvent, otherwise until the next try. */
  readonly onHalt?: (name: string, error: unknown) => void;
  readonly onCommit?: (name: string, position: Position, ops: readonly Op[]) => void;
}

/** A projection met an event that it cannot take. It stops there, and the reason is shown to the operator. */
export class PoisonEvent extends Error {
  override readonly name = 'PoisonEvent';
}

/** A later version of this program keeps this projection. To go back to this version of it, rebuild it. */
export class NewerRelease extends Error {
  override readonly name = 'NewerRelease';
  constructor({ name, version }: AnyProjection, inForce: number) {
    super(
      `${name}@${inForce} is in force, this program has version ${version}: a newer release runs, or 'heliograph projections rebuild ${name}' goes back`,
    );
  }
}

/** Keeps projections up to date until the signal aborts: each on one of all nodes that run them, and each version by itself. */
export async function runProjections(
  projections: readonly AnyProjection[],
  parts: ProjectionDependencies & LeaseDependencies,
  signal: AbortSignal,
): Promise<void> {
  const pages = new SharedSubscription(parts.log, parts.clock, signal);
  const kept = projections.map((projection) =>
    withLease(`projection/${projection.name}@${projection.version}`, parts, signal, (held) => runProjection(projection, parts, pages, held)),
  );
  await Promise.all([pages.run(), ...kept]);
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
      // A store that fails for a while is asked again; what cannot be taken stays so.
      if (e instanceof PoisonEvent) await waitUntilRebuilt(projection, e.message, parts, signal);
      else await parts.clock.sleep(RETRY_MS, signal);
    }
  }
}

/** A halted projection stays where it is until the operator has rebuilt it, or this program is started anew. */
async function waitUntilRebuilt(
  projection: AnyProjection,
  reason: string,
  { views, clock, onHalt }: ProjectionDependencies,
  signal: AbortSignal,
): Promise<void> {
  for (let told = false; !signal.aborted; await clock.sleep(RETRY_MS, signal)) {
    try {
      if (!told) await views.halt(projection, reason);
      told = true;
      if ((await views.status(projection)).halted === null) return;
    } catch (e) {
      onHalt?.(projection.name, e);
    }
  }
}

/** While nodes of two releases run beside each other, the newer one's read model stays in force, and the older one lets it be. */
async function waitWhileNewerVersion(
  projection: AnyProjection,
  { views, clock, onHalt }: ProjectionDependencies,
  signal: AbortSignal,
): Promise<void> {
  for (let told = false; !signal.aborted; told = true) {
    const { version } = await views.status(projection);
    if (version <= projection.version) return;
    if (!told) onHalt?.(projection.name, new NewerRelease(projection, version));
    await clock.sleep(RETRY_MS, signal);
  }
}

/** Follows with the generation in force, until another one is put in force. */
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

/** What a page means: the documents as they were before it and as they are after it. */
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

/** Asks what else it needs to see until it names nothing that it has not seen. */
async function loadMore(projection: AnyProjection, stored: LogEvent, view: PageView, writer: ViewWriter): Promise<void> {
  if (!projection.readsMore) return;
  for (;;) {
    const more = orPoison(projection, stored, () => projection.readsMore?.(stored, view) ?? []);
    if (!(await view.load(writer, more))) return;
  }
}

/** Only what the projection itself throws is the event's fault: a store that fails is asked again. */
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

  /** False where all of them are there already. */
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

/** Builds a projection anew beside the one in force and puts it in force when it has caught up. Reads go on meanwhile. */
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

/** Feeds a generation from its checkpoint to the end of the log, or to a position. Gives the number of events read. */
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
    if (result === 'mismatch') throw new Error(`somebody else writes generation ${writer.generation} of ${projection.name}`);
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
