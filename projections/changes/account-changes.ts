import { Subject } from 'rxjs';
import type { Clock, Position, ReadModels } from '../../domain/kernel/ports.js';
import type { ResourceChange } from '../../log/feed/changed-streams.js';
import { haveReached } from '../runtime/reached.js';
import { type GatheredChange, GatheredChanges, MAX_SINGLE_CHANGES } from './gathered.js';
import { viewsOf } from './resources.js';

/** What the streams of an account get: an announcement, or (null) the order to check their credentials. */
export type Announcement = { readonly resource: string; readonly frame: string } | null;

export interface AccountChangesParts {
  readonly views: ReadModels;
  readonly clock: Clock;
}

const WINDOW_MS = 1_000;
const WAIT_MS = 5_000;
const UNAVAILABLE_MS = 500;

/** The changes of one kind of resource on their way to the streams. */
interface Lane {
  /** Not yet in the read models, as far as is known. */
  due: GatheredChanges;
  /** Waiting for the read models, then announced. */
  taken: GatheredChange[];
  windowEnd: number;
  /** How many may still be announced one by one before the end of the window. */
  left: number;
  isRunning: boolean;
}

/**
 * The changes of one account, for all of its streams on this node. Each is announced once the read models have it. The `id` of an
 * announcement is a position up to which everything is announced: a stream that goes on after it misses nothing.
 */
export class AccountChanges {
  readonly announced = new Subject<Announcement>();
  readonly #lanes = new Map<string, Lane>();
  #isClosed = false;

  constructor(
    private readonly parts: AccountChangesParts,
    /** Up to where the log has been looked at. */
    private at: Position,
  ) {}

  /** All changes of the account up to a position, in the order of the log. */
  note(changes: readonly ResourceChange[], upTo: Position): void {
    let last = this.at;
    let before = this.at;
    for (const change of changes) {
      if (change.position !== last) before = last;
      last = change.position;
      const lane = this.#laneOf(change.resource);
      lane.due.add(change, before);
    }
    this.at = upTo;
    for (const [resource, lane] of this.#lanes) if (lane.due.size > 0 && !lane.isRunning) void this.#announce(resource, lane);
  }

  /** Up to where everything is announced. */
  get announcedUpTo(): Position {
    let least = this.at;
    for (const { due, taken } of this.#lanes.values()) for (const { after } of [...taken, ...due.values()]) if (after < least) least = after;
    return least;
  }

  /** Up to where the log has been looked at. */
  get seenUpTo(): Position {
    return this.at;
  }

  close(): void {
    this.#isClosed = true;
    this.announced.complete();
  }

  #laneOf(resource: string): Lane {
    const known = this.#lanes.get(resource);
    if (known) return known;
    const lane: Lane = { due: new GatheredChanges(), taken: [], windowEnd: 0, left: 0, isRunning: false };
    this.#lanes.set(resource, lane);
    return lane;
  }

  /** Announces what is due, until nothing is. What comes meanwhile goes together. */
  async #announce(resource: string, lane: Lane): Promise<void> {
    lane.isRunning = true;
    while (lane.due.size > 0 && !this.#isClosed) {
      await this.#waitForRoom(lane);
      lane.taken = [...lane.due.values()];
      lane.due = new GatheredChanges();
      await this.#waitForViews(resource, lane.taken.at(-1)?.position ?? '');
      for (let next = lane.taken.shift(); next && !this.#isClosed; next = lane.taken.shift()) {
        const { id, change } = next;
        this.announced.next({ resource, frame: frameOf(this.announcedUpTo, { resource, id, change }) });
      }
    }
    lane.isRunning = false;
  }

  /** Up to so many changes a second at once. Then the rest of the second is gathered, and so are the next ones, while that many come. */
  async #waitForRoom(lane: Lane): Promise<void> {
    const { clock } = this.parts;
    const now = clock.monotonic();
    const isNew = now >= lane.windowEnd;
    if (!isNew && (isMany(lane.due) || lane.due.size > lane.left)) await clock.sleep(lane.windowEnd - now);
    if (isNew || clock.monotonic() >= lane.windowEnd) {
      lane.windowEnd = clock.monotonic() + WINDOW_MS;
      lane.left = MAX_SINGLE_CHANGES;
    }
    lane.left = isMany(lane.due) ? 0 : lane.left - lane.due.size;
  }

  async #waitForViews(resource: string, position: Position): Promise<void> {
    while (!this.#isClosed && !(await areReached(this.parts, [resource], position)));
  }
}

const isMany = (due: GatheredChanges): boolean => due.values()[0]?.id === null;

/** Whether the read models of these resources have a position; waits for it a while, and where a store is away. */
export async function areReached({ views, clock }: AccountChangesParts, resources: Iterable<string>, position: Position): Promise<boolean> {
  try {
    return await haveReached(views, [...new Set([...resources].flatMap(viewsOf))], position, WAIT_MS);
  } catch {
    await clock.sleep(UNAVAILABLE_MS);
    return false;
  }
}

/** An announcement as text of the stream. JSON has no line breaks. */
export const frameOf = (position: Position, change: { readonly resource: string; readonly id: string | null; readonly change: string }): string =>
  `${idLine(position)}event: change\ndata: ${JSON.stringify(change)}\n\n`;

/** Empty while the log is. */
export const idLine = (position: Position): string => (position === '' ? '' : `id: ${position}\n`);
