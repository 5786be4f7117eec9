import type { Doc, Position } from '../../domain/kernel/ports.js';
import { platformEventsOf, type SourceEvent, sourceTypes } from '../../domain/webhooks/platform-events.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Projection } from '../runtime/projection.js';

/** Where the log has the platform events of an account from one quarter of an hour, by the time at which they were recorded. */
export interface EventSpanDoc extends Doc {
  readonly id: string;
  readonly account: string;
  /** RFC 3339, in UTC. */
  readonly begins: string;
  /** The first of them. */
  readonly first_stream: string;
  readonly first_revision: number;
  /** Position of the last of them. */
  readonly last: Position;
}

export const SPANS = 'spans';
const SPAN_MS = 900_000;

/** The beginning of the span that a time is in. */
export const spanOf = (time: string): string => new Date(Math.floor(Date.parse(time) / SPAN_MS) * SPAN_MS).toISOString();

const idOf = ({ meta: { account, occurredAt } }: LogEvent): string => `${account}/${spanOf(occurredAt)}`;

/** Finds the platform events of a range of time without reading the log outside of it. */
export const platformEventSpans: Projection<SourceEvent> = {
  name: 'platform-event-spans',
  version: 1,
  handles: sourceTypes as SourceEvent['type'][],
  collections: { [SPANS]: { indexes: [['account', 'begins']] } },
  reads: (stored) => (platformEventsOf(stored).length > 0 ? [{ collection: SPANS, id: idOf(stored) }] : []),
  apply(stored, view) {
    if (platformEventsOf(stored).length === 0) return;
    const { account, occurredAt } = stored.meta;
    const { stream: first_stream, revision: first_revision, position: last } = stored;
    const id = idOf(stored);
    const known = view.get<EventSpanDoc>(SPANS, id) ?? { id, account, begins: spanOf(occurredAt), first_stream, first_revision };
    view.put(SPANS, { ...known, last } satisfies EventSpanDoc);
  },
};
