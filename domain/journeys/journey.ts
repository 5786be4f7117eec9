/**
 * A journey: its draft, its published versions, and whether contacts may enter and move. Who is in it is in the streams of its
 * enrollments.
 */
import type { OwnedAggregate } from '../kernel/aggregate.js';
import { DomainError, notFound } from '../kernel/errors.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { count, flag, mapOf, named, oneOf, optional, record, type Static, text, time } from '../kernel/schema.js';
import { canonicalText } from '../segments/canonical.js';
import { type JourneyDefinition, storedJourneyDefinition } from './definition.js';
import { type NodeReceivers, receiverSchema } from './nodes/receiver.js';

/** What a publication does with who is in the journey: each stays with the version of the start, or goes on with the new one. */
export const inFlightSchema = named('JourneyInFlight', oneOf('pinned', 'migrate'));
export type InFlight = Static<typeof inFlightSchema>;

// Events

const journey_id = text;
const defined = { journey_id, account_id: text, version: count, definition: storedJourneyDefinition, receivers: mapOf(receiverSchema) };
/** The URLs and headers of webhook nodes are no personal data, but must not be in the log in plain text. */
const personal = { subject: 'account_id', fields: ['receivers'] } as const;

/** The first draft, with version 1. */
export const JourneyDrafted = eventType('JourneyDrafted', record({ ...defined, at: time }), { personal, version: 2 });
/** With the whole definition. The first change after a publication begins the draft of the next version. */
export const JourneyDraftChanged = eventType('JourneyDraftChanged', record({ ...defined, at: time }), { personal, version: 2 });
/** The version that is in force from here on; it never changes. `test`: by a test key, its messages go to the sandbox. */
export const JourneyPublished = eventType(
  'JourneyPublished',
  record({ ...defined, in_flight: oneOf('pinned', 'migrate'), test: optional(flag), at: time }),
  { personal, version: 2 },
);
/** Nobody enters, and nobody goes on. What comes due waits. */
export const JourneyPaused = eventType('JourneyPaused', record({ journey_id, at: time }));
export const JourneyResumed = eventType('JourneyResumed', record({ journey_id, at: time }));
/** All exit, and nobody enters until it is resumed or published again. */
export const JourneyStopped = eventType('JourneyStopped', record({ journey_id, at: time }));
/** All exit, and nobody enters any more. */
export const JourneyArchived = eventType('JourneyArchived', record({ journey_id, at: time }));
export const JourneyDeleted = eventType('JourneyDeleted', record({ journey_id, at: time }));

export const journeyEvents = [
  JourneyDrafted,
  JourneyDraftChanged,
  JourneyPublished,
  JourneyPaused,
  JourneyResumed,
  JourneyStopped,
  JourneyArchived,
  JourneyDeleted,
] as const;
export type JourneyEvent = EventOf<(typeof journeyEvents)[number]>;
export type SealedJourneyEvent = SealedEventOf<(typeof journeyEvents)[number]>;

// State

export const journeyStatuses = ['draft', 'live', 'paused', 'stopped', 'archived'] as const;
export const journeyStatusSchema = named('JourneyStatus', oneOf(...journeyStatuses));
export type JourneyStatus = Static<typeof journeyStatusSchema>;

/** A definition with its number, and what its webhook nodes post to. */
export interface JourneyVersion {
  readonly version: number;
  readonly definition: JourneyDefinition;
  readonly receivers: NodeReceivers;
}
/** When a version was published, and the revision of the event that has it. */
export interface PublishedVersion {
  readonly version: number;
  readonly published_at: string;
  readonly in_flight: InFlight;
  readonly revision: number;
}

export interface JourneyDetails {
  readonly id: string;
  /** Null where nothing is changed since the last publication. */
  readonly draft: JourneyVersion | null;
  /** What contacts enter with; null before the first publication. */
  readonly published: JourneyVersion | null;
  /** From the first one on. */
  readonly versions: readonly PublishedVersion[];
  /** Published by a test key. */
  readonly test: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  /** Number of events, starting at 1. */
  readonly version: number;
}
export type KnownJourney = JourneyDetails & { readonly status: JourneyStatus | 'deleted' };
export type Journey = { readonly status: 'new' } | KnownJourney;

/** The draft, or what was published last. */
export function latestOf({ draft, published }: Pick<JourneyDetails, 'draft' | 'published'>): JourneyVersion {
  const latest = draft ?? published;
  if (!latest) throw new Error('A journey has a draft or a published version.');
  return latest;
}

export function evolve(journey: Journey, event: JourneyEvent): Journey {
  if (event.type === 'JourneyDrafted') return drafted(event.data);
  if (journey.status === 'new') return journey;
  const next = { ...journey, updated_at: event.data.at, version: journey.version + 1 };
  switch (event.type) {
    case 'JourneyDraftChanged':
      return { ...next, draft: versionOf(event.data) };
    case 'JourneyPublished':
      return { ...next, ...published(event.data, journey) };
    case 'JourneyPaused':
      return { ...next, status: 'paused' };
    case 'JourneyResumed':
      return { ...next, status: 'live' };
    case 'JourneyStopped':
      return { ...next, status: 'stopped' };
    case 'JourneyArchived':
      return { ...next, status: 'archived' };
    case 'JourneyDeleted':
      return { ...next, status: 'deleted' };
    default:
      return event satisfies never;
  }
}

const versionOf = ({ version, definition, receivers }: JourneyVersion): JourneyVersion => ({ version, definition, receivers });

const drafted = ({ journey_id: id, at, ...data }: EventOf<typeof JourneyDrafted>['data']): KnownJourney => ({
  ...{ status: 'draft', id, draft: versionOf(data), published: null, versions: [], test: false, created_at: at, updated_at: at, version: 1 },
});

/** A journey that is paused stays so: what is in it does not go on before it is resumed. */
function published({ in_flight, test = false, at, ...data }: EventOf<typeof JourneyPublished>['data'], journey: KnownJourney): Partial<KnownJourney> {
  const entry = { version: data.version, published_at: at, in_flight, revision: journey.version };
  const status = journey.status === 'paused' ? 'paused' : 'live';
  return { status, draft: null, published: versionOf(data), versions: [...journey.versions, entry], test };
}

// Commands

export type JourneyCommand =
  | { type: 'Draft'; journey_id: string; account_id: string; definition: JourneyDefinition; receivers: NodeReceivers; now: string }
  /** `expected`: the version that the caller has read, or null to skip the check. */
  | {
      type: 'ChangeDraft';
      journey_id: string;
      account_id: string;
      definition: JourneyDefinition;
      receivers: NodeReceivers;
      expected: number | null;
      now: string;
    }
  | { type: 'Publish'; journey_id: string; account_id: string; in_flight: InFlight; test: boolean; now: string }
  | { type: 'Pause' | 'Resume' | 'Stop' | 'Archive' | 'Delete'; journey_id: string; now: string };

type Of<T extends JourneyCommand['type']> = Extract<JourneyCommand, { type: T }>;

/** From which statuses each request leads on, and the statuses in which it is done already. */
const requests = {
  ChangeDraft: { from: ['draft', 'live', 'paused', 'stopped'], done: [] },
  Publish: { from: ['draft', 'live', 'paused', 'stopped'], done: [] },
  Pause: { from: ['live'], done: ['paused'] },
  Resume: { from: ['paused', 'stopped'], done: ['live'] },
  Stop: { from: ['live', 'paused'], done: ['stopped', 'archived'] },
  Archive: { from: ['draft', 'live', 'paused', 'stopped'], done: ['archived'] },
  Delete: { from: ['draft', 'stopped', 'archived'], done: ['deleted'] },
} as const satisfies Record<Exclude<JourneyCommand['type'], 'Draft'>, { readonly from: readonly JourneyStatus[]; readonly done: readonly string[] }>;

const verbs = {
  ChangeDraft: 'changed',
  Publish: 'published',
  Pause: 'paused',
  Resume: 'resumed',
  Stop: 'stopped',
  Archive: 'archived',
  Delete: 'deleted',
} as const satisfies Record<keyof typeof requests, string>;

/** Whether there is something to do. Throws `invalid_state`, and `not_found` where the journey is deleted. */
function leadsOn(type: keyof typeof requests, { id, status }: KnownJourney): boolean {
  const { from, done } = requests[type];
  if ((done as readonly string[]).includes(status)) return false;
  if ((from as readonly string[]).includes(status)) return true;
  if (status === 'deleted') throw notFound('journey', id);
  throw new DomainError('invalid_state', `A journey that is ${status} cannot be ${verbs[type]}.`, { current: status, allowed: from });
}

/** Throws `not_found`, `invalid_state` and `version_conflict`. Repeats of what is done produce no events. */
export function decide(command: JourneyCommand, journey: Journey): readonly JourneyEvent[] {
  const { journey_id, now: at } = command;
  if (command.type === 'Draft') {
    const { account_id, definition, receivers } = command;
    return journey.status === 'new' ? [{ type: 'JourneyDrafted', data: { journey_id, account_id, version: 1, definition, receivers, at } }] : [];
  }
  if (journey.status === 'new') throw notFound('journey', journey_id);
  if (!leadsOn(command.type, journey)) return [];
  switch (command.type) {
    case 'ChangeDraft':
      return changeDraft(command, journey);
    case 'Publish':
      return publish(command, journey);
    case 'Pause':
      return [{ type: 'JourneyPaused', data: { journey_id, at } }];
    case 'Resume':
      return [{ type: 'JourneyResumed', data: { journey_id, at } }];
    case 'Stop':
      return [{ type: 'JourneyStopped', data: { journey_id, at } }];
    case 'Archive':
      return [{ type: 'JourneyArchived', data: { journey_id, at } }];
    case 'Delete':
      return [{ type: 'JourneyDeleted', data: { journey_id, at } }];
    default:
      return command satisfies never;
  }
}

function changeDraft({ expected, definition, receivers, ...command }: Of<'ChangeDraft'>, journey: KnownJourney): JourneyEvent[] {
  const { journey_id, account_id, now: at } = command;
  if (expected !== null && expected !== journey.version) {
    const message = `The journey is at version ${journey.version}, not ${expected}. Read it again, then change it.`;
    throw new DomainError('version_conflict', message, { expected, actual: journey.version });
  }
  const latest = latestOf(journey);
  if (isSame(latest, { definition, receivers })) return [];
  const version = journey.draft?.version ?? latest.version + 1;
  return [{ type: 'JourneyDraftChanged', data: { journey_id, account_id, version, definition, receivers, at } }];
}

const isSame = (a: Omit<JourneyVersion, 'version'>, b: Omit<JourneyVersion, 'version'>): boolean =>
  canonicalText([a.definition, a.receivers]) === canonicalText([b.definition, b.receivers]);

/** Without a draft there is nothing to publish; a journey that was stopped starts again with its last version. */
function publish({ journey_id, account_id, in_flight, test, now: at }: Of<'Publish'>, { status, draft }: KnownJourney): JourneyEvent[] {
  if (!draft) return status === 'stopped' ? [{ type: 'JourneyResumed', data: { journey_id, at } }] : [];
  return [{ type: 'JourneyPublished', data: { journey_id, account_id, ...draft, in_flight, ...(test && { test: true }), at } }];
}

// Stream

export const journeyStream = (id: string): string => `journey-${id}`;

export const journey: OwnedAggregate<Journey, JourneyCommand, JourneyEvent> = {
  resource: 'journey',
  stream: journeyStream,
  events: journeyEvents,
  snapshots: { name: 'journey', version: 1, keepsShort: true },
  initial: { status: 'new' },
  evolve,
  decide,
};
