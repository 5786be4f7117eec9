/**
 * One contact on its way through one version of a journey. What follows from a state is decided by the interpreter (`interpreter.ts`);
 * this aggregate keeps where the contact stands, and what ends or moves it from outside.
 */
import type { OwnedAggregate } from '../kernel/aggregate.js';
import { DomainError } from '../kernel/errors.js';
import { type EventOf, eventType, type SealedEventOf } from '../kernel/event.js';
import { anyRecord, count, flag, list, nullable, oneOf, optional, record, type Static, text, time } from '../kernel/schema.js';

// Events

/** Why an enrollment ended. */
export const exitReasons = [
  'completed',
  'exit_rule',
  'goal',
  'manual',
  'stopped',
  'contact_deleted',
  'merged',
  'max_duration',
  'node_removed',
  'send_failed',
  'unreadable_time',
] as const;
export type ExitReason = (typeof exitReasons)[number];

/** `contact_id`: whose enrollment it is now. */
const about = { enrollment_id: text, journey_id: text, contact_id: text, at: time };
/** Where it goes on; null: the journey ends there. */
const next = nullable(text);
/** The event that caused it; null where time or a request did. */
const event_id = nullable(text);

/** What started it: the kind of the trigger, and the event, if there is one. */
export const startedBy = record({ type: text, name: nullable(text), event_id });
export type StartedBy = Static<typeof startedBy>;

/** How a test goes on. `branches`: by node, the branch that is taken whatever the contact is. */
const test = record({ skip_delays: flag, branches: list(record({ node_id: text, branch: text })) });

export const EnrollmentStarted = eventType(
  'EnrollmentStarted',
  record({
    ...about,
    version: count,
    /** Keyed hash of what the journey's key names in the trigger's event. */
    key: nullable(text),
    trigger: startedBy,
    /** Of the trigger's event. */
    properties: anyRecord,
    next,
    expires_at: nullable(time),
    test: optional(test),
    /** A test key caused it, or its contact is one of test keys: its messages go to the sandbox. */
    test_key: optional(flag),
  }),
  { personal: { subject: 'contact_id', fields: ['properties'] } },
);
export const EnrollmentNodeEntered = eventType('EnrollmentNodeEntered', record({ ...about, node_id: text, visit: count }));
export const EnrollmentTimerSet = eventType('EnrollmentTimerSet', record({ ...about, node_id: text, due_at: time }));
/** The timer of a node was due. `branch`: `next`, or `timeout` of a wait for which nothing happened in time. */
export const EnrollmentTimerFired = eventType('EnrollmentTimerFired', record({ ...about, node_id: text, due_at: time, branch: text, next }));
/** A due timer waits because its journey is paused. */
export const EnrollmentTimerHeld = eventType('EnrollmentTimerHeld', record(about));
/** The journey goes on; the enrollment has its turn at `due_at`. */
export const EnrollmentTimerReleased = eventType('EnrollmentTimerReleased', record({ ...about, due_at: time }));
/** `branch`: `branch:<id>` of a branch or of what a wait waited for, `else`, or of a holdout `held` or `next`. */
export const EnrollmentBranchTaken = eventType('EnrollmentBranchTaken', record({ ...about, node_id: text, branch: text, event_id, next }));
/** A digest has collected an event of the trigger, which starts nothing. */
export const EnrollmentEventCollected = eventType('EnrollmentEventCollected', record({ ...about, node_id: text, trigger_id: text, event_id: text }));
/** A wait was looked at again because something happened to the contact, and goes on waiting. */
export const EnrollmentWaitChecked = eventType('EnrollmentWaitChecked', record({ ...about, node_id: text, event_id }));
export const EnrollmentSendRequested = eventType(
  'EnrollmentSendRequested',
  record({ ...about, node_id: text, message_id: text, channel: text, next }),
);
export const EnrollmentSendSkipped = eventType('EnrollmentSendSkipped', record({ ...about, node_id: text, channel: text, reason: text, next }));
/** A node changed a list or the contact, or called a webhook. */
export const EnrollmentActionTaken = eventType('EnrollmentActionTaken', record({ ...about, node_id: text, action: text, outcome: text, next }));
export const EnrollmentGoalReached = eventType('EnrollmentGoalReached', record({ ...about, event_id }));
/** It goes on by another version of its journey. `node_id`: the node in which it is then; null: it goes on with `next`. */
export const EnrollmentMigrated = eventType(
  'EnrollmentMigrated',
  record({ ...about, from_version: count, version: count, node_id: nullable(text), next, due_at: nullable(time) }),
);
/** Its contact was merged, or the merge ended: from now on it is an enrollment of `into`. */
export const EnrollmentMoved = eventType('EnrollmentMoved', record({ ...about, into: text, merge_id: text }));
export const EnrollmentExited = eventType(
  'EnrollmentExited',
  record({ ...about, reason: oneOf(...exitReasons), detail: nullable(text), event_id, node_id: nullable(text) }),
);

export const enrollmentEvents = [
  EnrollmentStarted,
  EnrollmentNodeEntered,
  EnrollmentTimerSet,
  EnrollmentTimerFired,
  EnrollmentTimerHeld,
  EnrollmentTimerReleased,
  EnrollmentBranchTaken,
  EnrollmentWaitChecked,
  EnrollmentEventCollected,
  EnrollmentSendRequested,
  EnrollmentSendSkipped,
  EnrollmentActionTaken,
  EnrollmentGoalReached,
  EnrollmentMigrated,
  EnrollmentMoved,
  EnrollmentExited,
] as const;
export type EnrollmentEvent = EventOf<(typeof enrollmentEvents)[number]>;
export type SealedEnrollmentEvent = SealedEventOf<(typeof enrollmentEvents)[number]>;

// State

/** Where an enrollment stands. Times are RFC 3339. */
export type EnrollmentPlace =
  /** About to enter a node; null: about to end. */
  | { readonly kind: 'ready'; readonly node: string | null; readonly since: string }
  /** In a node, whose timer is set if `due_at` is not null; `timers`: how often it was set. */
  | { readonly kind: 'inside'; readonly node: string; readonly since: string; readonly due_at: string | null; readonly timers: number };

interface EnrollmentFields {
  readonly id: string;
  readonly journey_id: string;
  readonly contact_id: string;
  readonly version: number;
  readonly key: string | null;
  readonly trigger: StartedBy;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly started_at: string;
  readonly expires_at: string | null;
  readonly test: Static<typeof test> | null;
  readonly test_key: boolean;
  readonly place: EnrollmentPlace;
  /** By node, how often it was entered. */
  readonly visits: Readonly<Record<string, number>>;
  /** By node, the last message. */
  readonly messages: Readonly<Record<string, string>>;
  /** Events of digests, by node. */
  readonly collected: readonly { readonly node_id: string; readonly event_id: string }[];
  readonly goal_at: string | null;
  /** The merges that moved it, the latest last, with the contact it had before. */
  readonly moves: readonly { readonly merge_id: string; readonly from: string }[];
}

export type ActiveEnrollment = EnrollmentFields & { readonly status: 'active'; readonly held: boolean };
export type ExitedEnrollment = EnrollmentFields & {
  readonly status: 'exited';
  readonly reason: ExitReason;
  readonly detail: string | null;
  readonly exited_at: string;
};
export type Enrollment = { readonly status: 'new' } | ActiveEnrollment | ExitedEnrollment;
export type KnownEnrollment = Exclude<Enrollment, { status: 'new' }>;

export function evolve(enrollment: Enrollment, event: EnrollmentEvent): Enrollment {
  if (event.type === 'EnrollmentStarted') return started(event.data);
  return enrollment.status === 'active' ? evolveActive(enrollment, event) : enrollment;
}

const started = (data: EventOf<typeof EnrollmentStarted>['data']): ActiveEnrollment => ({
  status: 'active',
  id: data.enrollment_id,
  journey_id: data.journey_id,
  contact_id: data.contact_id,
  version: data.version,
  key: data.key,
  trigger: data.trigger,
  properties: data.properties,
  started_at: data.at,
  expires_at: data.expires_at,
  test: data.test ?? null,
  test_key: data.test_key ?? false,
  place: { kind: 'ready', node: data.next, since: data.at },
  visits: {},
  messages: {},
  collected: [],
  goal_at: null,
  moves: [],
  held: false,
});

function evolveActive(known: ActiveEnrollment, event: Exclude<EnrollmentEvent, { type: 'EnrollmentStarted' }>): Enrollment {
  const { data } = event;
  const goesOn = (node: string | null): ActiveEnrollment => ({ ...known, held: false, place: { kind: 'ready', node, since: data.at } });
  switch (event.type) {
    case 'EnrollmentNodeEntered': {
      const { node_id, visit } = event.data;
      const place: EnrollmentPlace = { kind: 'inside', node: node_id, since: data.at, due_at: null, timers: 0 };
      return { ...known, place, visits: { ...known.visits, [node_id]: visit } };
    }
    case 'EnrollmentTimerSet':
      return timed(known, event.data.due_at);
    case 'EnrollmentSendRequested':
      return { ...goesOn(event.data.next), messages: { ...known.messages, [event.data.node_id]: event.data.message_id } };
    case 'EnrollmentTimerFired':
    case 'EnrollmentBranchTaken':
    case 'EnrollmentSendSkipped':
    case 'EnrollmentActionTaken':
      return goesOn(event.data.next);
    case 'EnrollmentTimerHeld':
      return { ...known, held: true };
    case 'EnrollmentTimerReleased':
      return { ...known, held: false };
    case 'EnrollmentWaitChecked':
      return known;
    case 'EnrollmentEventCollected':
      return { ...known, collected: [...known.collected, { node_id: event.data.node_id, event_id: event.data.event_id }] };
    case 'EnrollmentGoalReached':
      return { ...known, goal_at: data.at };
    case 'EnrollmentMigrated':
      return { ...known, version: event.data.version, place: migratedPlace(known.place, event.data) };
    case 'EnrollmentMoved':
      return moved(known, event.data);
    case 'EnrollmentExited': {
      const { held: _, ...rest } = known;
      return { ...rest, status: 'exited', reason: event.data.reason, detail: event.data.detail, exited_at: data.at };
    }
    default:
      return event satisfies never;
  }
}

const timed = (known: ActiveEnrollment, due_at: string): ActiveEnrollment =>
  known.place.kind === 'inside' ? { ...known, held: false, place: { ...known.place, due_at, timers: known.place.timers + 1 } } : known;

function migratedPlace(place: EnrollmentPlace, { node_id, next: node, due_at }: EventOf<typeof EnrollmentMigrated>['data']): EnrollmentPlace {
  return node_id === null
    ? { kind: 'ready', node, since: place.since }
    : { kind: 'inside', node: node_id, since: place.since, due_at, timers: due_at === null ? 0 : 1 };
}

function moved(known: ActiveEnrollment, { into, merge_id }: EventOf<typeof EnrollmentMoved>['data']): ActiveEnrollment {
  const last = known.moves.at(-1);
  const isBack = last?.merge_id === merge_id && last.from === into;
  const moves = isBack ? known.moves.slice(0, -1) : [...known.moves, { merge_id, from: known.contact_id }];
  return { ...known, contact_id: into, moves };
}

// Commands

export type EnrollmentCommand =
  | { readonly type: 'Exit'; readonly reason: ExitReason; readonly event_id: string | null; readonly now: string }
  /** Its timer is due and its journey is paused. */
  | { readonly type: 'Hold'; readonly now: string }
  | { readonly type: 'Release'; readonly due_at: string; readonly now: string }
  | { readonly type: 'Move'; readonly into: string; readonly merge_id: string; readonly now: string };

/** What is not active any more stays as it is. Throws `not_found`. */
export function decide(command: EnrollmentCommand, enrollment: Enrollment): readonly EnrollmentEvent[] {
  if (enrollment.status === 'new') throw new DomainError('not_found', 'There is no such enrollment.', { resource: 'enrollment' });
  if (enrollment.status === 'exited') return [];
  const of = aboutOf(enrollment, command.now);
  switch (command.type) {
    case 'Exit':
      return [exited(enrollment, command)];
    case 'Hold':
      return enrollment.held ? [] : [{ type: 'EnrollmentTimerHeld', data: of }];
    case 'Release':
      return enrollment.held ? [{ type: 'EnrollmentTimerReleased', data: { ...of, due_at: command.due_at } }] : [];
    case 'Move': {
      const { into, merge_id } = command;
      return into === enrollment.contact_id ? [] : [{ type: 'EnrollmentMoved', data: { ...of, into, merge_id } }];
    }
    default:
      return command satisfies never;
  }
}

/** What every event of an enrollment says. */
export const aboutOf = ({ id, journey_id, contact_id }: KnownEnrollment, at: string) => ({ enrollment_id: id, journey_id, contact_id, at });

/** The end of an active enrollment. */
export const exited = (
  enrollment: ActiveEnrollment,
  { reason, detail = null, event_id = null, now }: { reason: ExitReason; detail?: string | null; event_id?: string | null; now: string },
): EnrollmentEvent => ({
  type: 'EnrollmentExited',
  data: { ...aboutOf(enrollment, now), reason, detail, event_id, node_id: nodeOf(enrollment) },
});

/** The node in which it is, or that it is about to enter. */
export const nodeOf = ({ place }: KnownEnrollment): string | null => place.node;

/** When it goes on by itself; null: never. A held one waits for its journey. Milliseconds since 1970. */
export function dueOf({ place, expires_at, held }: ActiveEnrollment): number | null {
  if (held) return null;
  const times = [place.kind === 'ready' ? place.since : place.due_at, expires_at].flatMap((one) => (one === null ? [] : [Date.parse(one)]));
  return times.length === 0 ? null : Math.min(...times);
}

// Stream

export const enrollmentStream = (id: string): string => `enrollment-${id}`;

export const enrollment: OwnedAggregate<Enrollment, EnrollmentCommand, EnrollmentEvent> = {
  resource: 'enrollment',
  stream: enrollmentStream,
  events: enrollmentEvents,
  initial: { status: 'new' },
  evolve,
  decide,
};
