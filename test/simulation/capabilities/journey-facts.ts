/** What a log says of journeys, read without their code. */
import type { SealedCustomEvent } from '../../../domain/events/custom-event.js';
import type { JourneyDefinition } from '../../../domain/journeys/definition.js';
import type { SealedEnrollmentEvent } from '../../../domain/journeys/enrollment.js';
import type { JourneyEntryEvent } from '../../../domain/journeys/entry.js';
import type { SealedJourneyEvent } from '../../../domain/journeys/journey.js';
import { hashId } from '../../../log/runtime/ids.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Final } from '../capability.js';
import { isPlain, streamsOf } from '../history.js';
import { slackOf } from '../lateness.js';
import type { WantedEvent } from './journey-nodes.js';
import { meetsEach } from './plain-conditions.js';

export type EnrollmentRecord = LogEvent<SealedEnrollmentEvent>;
export type JourneyRecord = LogEvent<SealedJourneyEvent>;
export type CustomRecord = LogEvent<SealedCustomEvent>;
export type EntryRecord = LogEvent<JourneyEntryEvent>;
export type Published = Extract<SealedJourneyEvent, { type: 'JourneyPublished' }>;
export type Started = Extract<SealedEnrollmentEvent, { type: 'EnrollmentStarted' }>['data'];

/** One enrollment that has started. */
export interface EnrollmentFacts {
  readonly id: string;
  readonly start: Started;
  readonly records: readonly EnrollmentRecord[];
  /** Of the contact, from whom nothing else can be known but by its own events. */
  readonly plain: boolean;
  /** The place of its trigger in the log. */
  readonly since: string;
}

export interface JourneyFacts {
  readonly final: Final;
  readonly enrollments: readonly EnrollmentFacts[];
  readonly journeys: ReadonlyMap<string, readonly JourneyRecord[]>;
  /** By contact, in the order of the log. */
  readonly custom: ReadonlyMap<string, readonly CustomRecord[]>;
  /** By journey and contact, `jrn_…/con_…`. */
  readonly entries: ReadonlyMap<string, readonly EntryRecord[]>;
  /** What was being done goes on so long, and clocks differ: in milliseconds. */
  readonly slackMs: number;
  /** Time zones of contacts, where they have any but UTC. */
  readonly zoneOf?: (contact: string) => string;
}

export function journeyFacts(final: Final): JourneyFacts {
  const custom = new Map<string, CustomRecord[]>();
  const positions = new Map<string, string>();
  for (const stored of final.events) {
    const { type, data } = stored.event;
    if (type === 'CustomEventRecorded' || type === 'CustomEventTried') {
      const { contact_id, event_id } = data as SealedCustomEvent['data'];
      custom.set(contact_id, [...(custom.get(contact_id) ?? []), stored as CustomRecord]);
      positions.set(event_id, stored.position);
    } else if (TRIGGERS.has(type)) positions.set(hashId('evt', stored.id), stored.position);
  }
  return {
    ...{ final, custom, slackMs: slackOf(final.run) },
    journeys: streamsOf(final, 'journey-') as ReadonlyMap<string, readonly JourneyRecord[]>,
    entries: streamsOf(final, 'journeyEntry-') as ReadonlyMap<string, readonly EntryRecord[]>,
    enrollments: [...streamsOf(final, 'enrollment-')].map(([id, records]) => enrollmentFacts(final, id, records as never, positions)),
  };
}

const TRIGGERS: ReadonlySet<string> = new Set(['ContactCreated', 'ListSubscribed', 'ListResubscribed', 'SegmentMembershipsChanged']);

function enrollmentFacts(final: Final, id: string, records: readonly EnrollmentRecord[], positions: ReadonlyMap<string, string>): EnrollmentFacts {
  const [first] = records;
  if (first?.event.type !== 'EnrollmentStarted') throw new Error(`${id} does not begin with its start`);
  const start = first.event.data;
  const since = positions.get(start.trigger.event_id ?? '') ?? first.position;
  return { id, start, records, plain: isPlain(final, start.contact_id), since };
}

/** Whether a custom event is what is wanted. Its properties are open where there are conditions. */
export const isWanted = ({ event: { data } }: CustomRecord, { event, where }: WantedEvent): boolean =>
  data.name === event && (where === undefined || meetsEach((data as { readonly properties?: unknown }).properties, where));

/** The definition of a version. */
export function definitionOf({ journeys }: JourneyFacts, journey: string, version: number): JourneyDefinition {
  const found = journeys.get(journey)?.find(({ event }) => event.type === 'JourneyPublished' && event.data.version === version);
  if (found?.event.type !== 'JourneyPublished') throw new Error(`${journey} has no version ${version}`);
  return found.event.data.definition;
}

export type Status = 'live' | 'paused' | 'stopped' | 'draft';

/** What a journey is after an event. */
export function statusAfter(before: Status, { event: { type } }: JourneyRecord): Status {
  if (type === 'JourneyPublished') return before === 'paused' ? 'paused' : 'live';
  if (type === 'JourneyResumed') return 'live';
  if (type === 'JourneyPaused') return 'paused';
  return type === 'JourneyStopped' || type === 'JourneyArchived' || type === 'JourneyDeleted' ? 'stopped' : before;
}

export const msOf = ({ event }: LogEvent): number => Date.parse((event.data as { at: string }).at);
