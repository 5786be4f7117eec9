import type { Clock, Position } from '../../domain/kernel/ports.js';
import type { ChangedStreamFeed } from '../../log/feed/changed-streams.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { Metadata } from '../../log/runtime/log-event.js';
import { type GatheredChange, GatheredChanges } from './gathered.js';

/** How far back a stream goes on. */
const MAX_AGE_MS = 3_600_000;
const MAX_CHANGES = 10_000;
/** Events of all accounts that are looked at for it. */
const MAX_EVENTS = 200_000;

/** A part of the log, of which the changes of one account are asked for. */
export interface MissedRange {
  readonly account: string;
  readonly after: Position;
  readonly upTo: Position;
  readonly isWanted: (resource: string) => boolean;
  readonly signal: AbortSignal;
}

/** A change of the past. */
export type PastChange = GatheredChange & { readonly resource: string };

/** What has changed for an account after a position, up to another; null where that is more than an hour ago, or too much. */
export async function pastChanges(
  { log, clock, feed }: { readonly log: EventLog; readonly clock: Clock; readonly feed: ChangedStreamFeed },
  { account, after, upTo, isWanted, signal }: MissedRange,
): Promise<PastChange[] | null> {
  const [first] = (await log.store.readAll(after, 1)).events;
  if (first && Date.parse((JSON.parse(first.metadata) as Metadata).occurredAt) < clock.now() - MAX_AGE_MS) return null;
  const found = new Map<string, GatheredChanges>();
  let left = { changes: MAX_CHANGES, events: MAX_EVENTS };
  for await (const page of feed.pages({ streams: [], events: [], accounts: [account] }, after, signal, upTo)) {
    const changes = page.changes.filter(({ position }) => position <= upTo);
    left = { changes: left.changes - changes.length, events: left.events - page.size };
    if (left.changes < 0 || left.events < 0) return null;
    for (const change of changes) {
      if (!isWanted(change.resource)) continue;
      const gathered = found.get(change.resource) ?? new GatheredChanges();
      found.set(change.resource, gathered);
      gathered.add(change, after);
    }
  }
  const all = [...found].flatMap(([resource, gathered]) => gathered.values().map((one) => ({ ...one, resource })));
  return all.sort((a, b) => (a.position < b.position ? -1 : 1));
}
