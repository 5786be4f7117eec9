import {
  type Doc,
  type DocumentRef,
  type Op,
  type Partition,
  type PartitionKeys,
  partitionAt,
  partitionIndexOf,
  UNDIVIDED,
  type ViewWriter,
} from '../../domain/kernel/ports.js';
import type { FeedPage, LazyEvent } from '../../log/feed/pages.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { erasedSubjects } from '../../log/vault/personal-fields.js';
import { openPage, SubjectView } from './opened.js';
import type { AnyProjection, OpenedFieldsSpec, View } from './projection.js';

/** A projection cannot apply an event. It halts there, and its status shows the reason. */
export class PoisonEvent extends Error {
  override readonly name = 'PoisonEvent';
}

/** An event and a partition that it concerns. */
interface Step {
  readonly stored: LogEvent;
  readonly partition: Partition;
}

/** Folds a page of events into changes of the documents of the writer's partitions. Throws PoisonEvent. */
export async function foldPage(projection: AnyProjection, writer: ViewWriter, page: FeedPage, log: EventLog): Promise<Op[]> {
  const events = handledEvents(projection, page);
  if (events.length === 0) return [];
  const decoded = await expand(
    projection,
    concerning(
      projection,
      writer,
      events.map((event) => decode(projection, event)),
    ),
    log,
  );
  const stored = projection.opens ? await openPage(projection.opens, decoded, log) : decoded;
  const steps = stepsOf(projection, writer, stored);
  const view = new PageView();
  await view.load(
    writer,
    steps.flatMap((step) => projection.reads(step.stored, step.partition)),
  );
  await loadAhead(projection, steps, view, writer);
  for (const step of steps) {
    const s = step.stored;
    view.partition = step.partition;
    await loadMore(projection, s, view, writer);
    orPoison(projection, s, () => projection.apply(s, projection.opens ? new SubjectView(view, projection.opens, s) : view));
    if (projection.opens) await removeErased(projection.opens, step, view, writer);
  }
  return view.ops();
}

/** Below this number of events a list of types is compared faster than a set of them is made. */
const FEW_EVENTS = 8;

function handledEvents({ handles }: AnyProjection, { events }: FeedPage): readonly LazyEvent[] {
  if (events.length < FEW_EVENTS) return events.filter(({ type }) => (handles as readonly string[]).includes(type));
  const wanted = new Set<string>(handles);
  return events.filter(({ type }) => wanted.has(type));
}

/** Without the events of other partitions, where those would cost more than a look. The keys of erased subjects are forgotten by all. */
function concerning(projection: AnyProjection, { partitions, partitionCount }: ViewWriter, events: readonly LogEvent[]): readonly LogEvent[] {
  if (partitionCount === 1 || !(projection.expand || projection.opens)) return events;
  const own = new Set(partitions);
  return events.filter((stored) => {
    const keys = keysOf(projection, stored);
    return keys === 'all' || keys.some((key) => own.has(partitionIndexOf(key, partitionCount))) || erasedSubjects(stored.event).length > 0;
  });
}

const keysOf = (projection: AnyProjection, stored: LogEvent): PartitionKeys =>
  orPoison(projection, stored, () => projection.partitionsOf?.(stored) ?? 'all');

/** With the earlier events that some of them ask for. */
async function expand({ expand: expansion }: AnyProjection, events: readonly LogEvent[], log: EventLog): Promise<readonly LogEvent[]> {
  if (!expansion) return events;
  const expanded: LogEvent[] = [];
  for (const stored of events) expanded.push(stored, ...(await expansion(stored, log)));
  return expanded;
}

/** Each event with each of the writer's partitions that it concerns. */
function stepsOf(projection: AnyProjection, { partitions, partitionCount }: ViewWriter, events: readonly LogEvent[]): Step[] {
  if (partitionCount === 1) return events.map((stored) => ({ stored, partition: UNDIVIDED }));
  const own = new Map(partitions.map((index) => [index, partitionAt(index, partitionCount)]));
  return events.flatMap((stored): Step[] => {
    const keys = keysOf(projection, stored);
    const indexes = keys === 'all' ? partitions : new Set(keys.map((key) => partitionIndexOf(key, partitionCount)));
    return [...indexes].flatMap((index) => {
      const partition = own.get(index);
      return partition ? [{ stored, partition }] : [];
    });
  });
}

/** Removes the documents of the subjects that are erased as of this event. */
async function removeErased(
  { collections, partitionsOfErasure }: OpenedFieldsSpec,
  { stored, partition }: Step,
  view: PageView,
  writer: ViewWriter,
): Promise<void> {
  const erased = erasedSubjects(stored.event);
  for (const subject of partitionsOfErasure ? erased : erased.filter(partition.owns)) {
    for (const collection of collections) {
      const below = await writer.idsWithPrefix(collection, `${subject}/`);
      await view.load(
        writer,
        [subject, ...below].map((id) => ({ collection, id })),
      );
      for (const id of view.idsOf(collection, subject)) view.remove(collection, id);
    }
  }
}

/**
 * Of a server, loads at once what `readsMore` names for all events of the page, instead of event by event. It is asked before any
 * of them is applied, so it is asked again for each.
 */
async function loadAhead(projection: AnyProjection, steps: readonly Step[], view: PageView, writer: ViewWriter): Promise<void> {
  if (!writer.isRemote || !projection.readsMore || steps.length < 2) return;
  const named = steps.flatMap(({ stored, partition }) => {
    view.partition = partition;
    try {
      return projection.readsMore?.(stored, view) ?? [];
    } catch {
      // It may need what an earlier event of the page changes.
      return [];
    }
  });
  await view.loadAhead(writer, named);
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

interface Entry {
  readonly collection: string;
  readonly id: string;
  before: Doc | undefined;
  now: Doc | undefined;
  isChanged: boolean;
}

const keyOf = ({ collection, id }: Pick<DocumentRef, 'collection' | 'id'>): string => `${collection}/${id}`;

/** The working copy of the documents that a page touches. */
class PageView implements View {
  /** The one that is being applied. */
  partition: Partition = UNDIVIDED;
  /** By collection and id. */
  readonly #entries = new Map<string, Map<string, Entry>>();
  readonly #changed: Entry[] = [];
  /** Documents as they are before the page, by collection and id; undefined where there is none. */
  readonly #ahead = new Map<string, Doc | undefined>();

  /** Loads documents that are probably named later. Until then they are not part of the view. */
  async loadAhead(writer: ViewWriter, refs: readonly DocumentRef[]): Promise<void> {
    const wanted = new Map(refs.filter(({ collection, id, fresh }) => !fresh && !this.isLoaded(collection, id)).map((ref) => [keyOf(ref), ref]));
    if (wanted.size === 0) return;
    const docs = await writer.load([...wanted.values()]);
    for (const [i, name] of [...wanted.keys()].entries()) this.#ahead.set(name, docs[i]);
  }

  /** Returns false where all of them were loaded before. */
  async load(writer: ViewWriter, refs: readonly DocumentRef[]): Promise<boolean> {
    let isNew = false;
    const wanted: Entry[] = [];
    for (const { collection, id, fresh } of refs) {
      const entries = this.#entries.get(collection) ?? new Map<string, Entry>();
      this.#entries.set(collection, entries);
      if (entries.has(id)) continue;
      isNew = true;
      const entry: Entry = { collection, id, before: undefined, now: undefined, isChanged: false };
      entries.set(id, entry);
      if (this.#ahead.has(keyOf(entry))) entry.before = entry.now = this.#ahead.get(keyOf(entry));
      else if (!fresh) wanted.push(entry);
    }
    if (wanted.length > 0) {
      const docs = await writer.load(wanted);
      for (const [i, entry] of wanted.entries()) entry.before = entry.now = docs[i];
    }
    return isNew;
  }

  isLoaded(collection: string, id: string): boolean {
    return this.#entries.get(collection)?.has(id) ?? false;
  }

  get<D extends Doc>(collection: string, id: string): D | undefined {
    return this.#entry(collection, id).now as D | undefined;
  }

  put(collection: string, doc: Doc): void {
    this.#change(collection, doc.id, doc);
  }

  remove(collection: string, id: string): void {
    this.#change(collection, id, undefined);
  }

  /** Of the documents of one subject. */
  idsOf(collection: string, subject: string): string[] {
    return [...(this.#entries.get(collection)?.keys() ?? [])].filter((id) => id === subject || id.startsWith(`${subject}/`));
  }

  ops(): Op[] {
    return this.#changed.flatMap(({ collection, id, before, now }): Op[] => {
      if (now) return [{ collection, id, before, after: now }];
      return before ? [{ collection, id, before, after: undefined }] : [];
    });
  }

  #entry(collection: string, id: string): Entry {
    const entry = this.#entries.get(collection)?.get(id);
    if (!entry) throw new Error(`${collection}/${id} was not named by reads()`);
    return entry;
  }

  #change(collection: string, id: string, doc: Doc | undefined): void {
    const entry = this.#entry(collection, id);
    entry.now = doc;
    if (entry.isChanged) return;
    entry.isChanged = true;
    this.#changed.push(entry);
  }
}
