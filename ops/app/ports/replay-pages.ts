import type { Checkpoint, Clock, Position, ReadModels, RecordedEvent } from '../../../domain/kernel/ports.js';
import { type PlatformEventName, platformEventsOf, sourceTypes } from '../../../domain/webhooks/platform-events.js';
import { deliveryIds } from '../../../log/aggregates/webhooks/deliveries.js';
import type { EventLog } from '../../../log/runtime/event-log.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import { type EventSpanDoc, platformEventSpans, SPANS, spanOf } from '../../../projections/webhooks/event-spans.js';

/** Events of the log that are read at once: first of a span, which may be short, and then. A read also has the budget of a page of the log. */
const FIRST_EVENTS = 100;
const READ_EVENTS = 1_000;
/** Reads of a page. */
const PAGE_READS = 10;
const CATCH_UP_MS = 2_000;
const PAUSE_MS = 50;
const types: ReadonlySet<string> = new Set(sourceTypes);

/** Which past events. `from` is included, `to` is not: RFC 3339, in UTC. */
export interface ReplayedRange {
  readonly endpoint_id: string;
  readonly from: string;
  readonly to: string;
  readonly events: readonly string[];
}

/** A past platform event, with the ids of its delivery to the endpoint. */
export interface PastPlatformEvent {
  readonly delivery_id: string;
  readonly source_stream: string;
  readonly revision: number;
  readonly event: PlatformEventName;
  readonly event_id: string;
}

export interface PastEvents {
  readonly events: readonly PastPlatformEvent[];
  /** Where the next page begins; null after the last one. */
  readonly next: string | null;
}

/** How far a span is read: after `at`, or from its first event. */
interface SpanCursor {
  readonly begins: string;
  readonly at: Position | null;
}

const textOf = ({ begins, at }: SpanCursor): string => `${begins} ${at ?? ''}`;
function placeOf(text: string): SpanCursor {
  const [begins = '', at = ''] = text.split(' ');
  return { begins, at: at === '' ? null : at };
}

/** The past events of an account, by pages, in the order of the log. Only the parts of the log that have events of the range are read. */
export function logReplaySource(log: EventLog, views: ReadModels, clock: Pick<Clock, 'sleep'>) {
  const spans = views.docs<EventSpanDoc>(platformEventSpans, SPANS);

  async function spanAt(account: string, { from, to }: ReplayedRange, place: SpanCursor | null): Promise<EventSpanDoc | undefined> {
    const range = { field: 'begins', gte: place?.begins ?? spanOf(from), lt: to };
    return (await spans.find({ where: { account }, range, order: { field: 'begins' }, limit: 1 }))[0];
  }

  return {
    /** Gives others the time to make what was requested. */
    pause: (): Promise<void> => clock.sleep(PAUSE_MS),

    /** At least `limit` events, if there are as many within the budget of a page. Null if the read model has not reached `since` in two seconds. */
    async page(
      account: string,
      range: ReplayedRange,
      { after, since, limit }: { readonly after: string | null; readonly since: Position; readonly limit: number },
    ): Promise<PastEvents | null> {
      if (!(await views.waitUntilReached(platformEventSpans, since, CATCH_UP_MS))) return null;
      const events: PastPlatformEvent[] = [];
      let place = after === null ? null : placeOf(after);
      for (let reads = 0; reads < PAGE_READS && events.length < limit; reads++) {
        const span = await spanAt(account, range, place);
        if (!span) return { events, next: null };
        const part = await readSpan(log, span, span.begins === place?.begins ? place.at : null);
        place = part.isLast ? { begins: justAfterSpan(span), at: null } : { begins: span.begins, at: part.upTo };
        const cutAt = takeEvents(part.recorded, { log, account, span, range, limit }, events);
        if (cutAt !== null) place = { begins: span.begins, at: cutAt };
      }
      return { events, next: place && textOf(place) };
    },
  };
}

/** A text that sorts after the beginning of the span and before that of the next one. */
const justAfterSpan = ({ begins }: EventSpanDoc): string => `${begins}+`;

interface ReadPart {
  readonly recorded: readonly RecordedEvent[];
  readonly upTo: Position;
  /** Whether the span ends here. */
  readonly isLast: boolean;
}

async function readSpan(log: EventLog, span: EventSpanDoc, at: Position | null): Promise<ReadPart> {
  const first = at === null ? await log.store.read(span.first_stream, { from: span.first_revision, limit: 1 }) : [];
  const start: Checkpoint | undefined = at ?? (first === 'not-found' ? undefined : first[0]?.position);
  if (start === undefined) throw new Error(`the log has no event ${span.first_revision} of ${span.first_stream}`);
  const begun = first === 'not-found' ? [] : first;
  if (start >= span.last) return { recorded: begun, upTo: start, isLast: true };
  const { events, upTo } = await log.store.readAll(start, at === null ? FIRST_EVENTS : READ_EVENTS);
  const recorded = [...begun, ...events.filter(({ position }) => position <= span.last)];
  return { recorded, upTo: upTo === 'start' ? start : upTo, isLast: upTo >= span.last };
}

interface PageRequest {
  readonly log: EventLog;
  readonly account: string;
  readonly span: EventSpanDoc;
  readonly range: ReplayedRange;
  readonly limit: number;
}

/** Adds the events of a part until there are `limit`. Position of the last event that was looked at; null where that was all of them. */
function takeEvents(recorded: readonly RecordedEvent[], taking: PageRequest, events: PastPlatformEvent[]): Position | null {
  for (const [i, one] of recorded.entries()) {
    events.push(...pastEventsOf(one, taking));
    if (events.length >= taking.limit && i < recorded.length - 1) return one.position;
  }
  return null;
}

/** Spans may overlap in the log: each of its events is taken with the span of its own time. */
function pastEventsOf(recorded: RecordedEvent, { log, account, span, range }: PageRequest): PastPlatformEvent[] {
  if (!types.has(recorded.type)) return [];
  const stored: LogEvent = log.decode(recorded);
  const { occurredAt, account: owner } = stored.meta;
  const time = new Date(Date.parse(occurredAt)).toISOString();
  if (owner !== account || spanOf(time) !== span.begins || time < range.from || time >= range.to) return [];
  const { id, stream: source_stream, revision } = stored;
  const wanted = platformEventsOf(stored).filter((event) => range.events.length === 0 || range.events.includes(event));
  return wanted.map((event) => {
    const delivery_id = deliveryIds.endpointDelivery(range.endpoint_id, id, event);
    return { delivery_id, source_stream, revision, event, event_id: deliveryIds.platformEvent(id, event) };
  });
}
