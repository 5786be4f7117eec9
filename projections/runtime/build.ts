import { type Checkpoint, isAfter, type Position, type ReadModels, type ViewWriter } from '../../domain/kernel/ports.js';
import type { FeedCursor } from '../../log/feed/cursor.js';
import { cutAfter, type FeedPage, readPage } from '../../log/feed/pages.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { foldPage } from './fold-page.js';
import type { AnyProjection } from './projection.js';

/** Large, so that most documents are written once for several events. */
const REBUILD_PAGE_EVENTS = 8_000;

/** What a rebuild needs. */
export interface BuildDependencies {
  readonly log: EventLog;
  readonly views: ReadModels;
}

/** The pages of a rebuild: null where there is none after a position for now, and once it is stopped. */
export type NextPage = (after: Checkpoint) => Promise<FeedPage | null>;

/** Pages that are read for one rebuild alone. */
const pagesAlone =
  (log: EventLog, signal: AbortSignal): NextPage =>
  async (after) => {
    const page = signal.aborted ? null : await readPage(log, after, REBUILD_PAGE_EVENTS);
    return page && page.events.length > 0 ? page : null;
  };

/** Pages of a feed up to the end of the log. */
export function pagesToHead(log: EventLog, cursor: FeedCursor, signal: AbortSignal): NextPage {
  let head: Checkpoint = 'start';
  return async (after) => {
    if (!isAfter(head, after)) head = await log.store.head();
    return isAfter(head, after) ? cursor.next(after, signal) : null;
  };
}

/**
 * Rebuilds a projection beside the one in force and promotes it when it has caught up. Reads go on meanwhile. Returns the number of
 * events read.
 */
export async function rebuild(
  projection: AnyProjection,
  parts: BuildDependencies,
  signal: AbortSignal,
  onProgress: (position: Checkpoint, events: number) => void = () => {},
  next: NextPage = pagesAlone(parts.log, signal),
): Promise<number> {
  const shadow = await parts.views.shadow(projection);
  const events = await build({ projection, writer: shadow, log: parts.log, next, onProgress });
  for (;;) {
    if (signal.aborted) {
      await parts.views.discard(projection, shadow);
      throw new Error('stopped before the projection was rebuilt');
    }
    if ((await parts.views.promote(projection, shadow)) === 'ok') break;
    await build({ projection, writer: shadow, log: parts.log, next, onProgress });
  }
  await shadow.close();
  return events;
}

/** Applies the events from a generation's checkpoint to the end of the log, or to a position. Returns the number of events read. */
export function buildUpTo(
  projection: AnyProjection,
  { log }: Pick<BuildDependencies, 'log'>,
  writer: ViewWriter,
  signal: AbortSignal,
  onProgress: (position: Checkpoint, events: number) => void = () => {},
  until?: Checkpoint,
): Promise<number> {
  const next = pagesAlone(log, signal);
  return build({ projection, writer, log, next: until === undefined ? next : cutAt(next, until), onProgress });
}

/** The pages up to a position. */
export const cutAt =
  (next: NextPage, until: Checkpoint): NextPage =>
  async (after) => {
    const page = isAfter(until, after) ? await next(after) : null;
    const cut = page && cutAfter(page, until);
    return cut && cut.events.length > 0 ? cut : null;
  };

/** Another writer has committed, or a newer generation is in force. */
export class AnotherWriter extends Error {
  override readonly name = 'AnotherWriter';
}

/** A build of documents from pages of the log. */
export interface Build {
  readonly projection: AnyProjection;
  readonly writer: ViewWriter;
  readonly log: EventLog;
  readonly next: NextPage;
  readonly onProgress: (position: Checkpoint, events: number) => void;
}

/** Applies pages until there is none. Returns the number of events read. Throws AnotherWriter. */
export async function build({ projection, writer, log, next, onProgress }: Build): Promise<number> {
  let at = await writer.checkpoint();
  let events = 0;
  for (let page = await next(at); page; page = await next(at)) {
    const result = await writer.commit(at, page.upTo as Position, await foldPage(projection, writer, page, log));
    if (result === 'mismatch') throw new AnotherWriter(`another writer has generation ${writer.generation} of ${projection.name}`);
    at = page.upTo;
    events += page.events.length;
    onProgress(at, events);
  }
  return events;
}
