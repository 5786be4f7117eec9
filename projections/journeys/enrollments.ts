import type { ExitReason, SealedEnrollmentEvent } from '../../domain/journeys/enrollment.js';
import type { JourneyEntryEvent } from '../../domain/journeys/entry.js';
import { counted, countedRefusal, type JourneyNumbers, noNumbers } from '../../domain/journeys/numbers.js';
import type { Doc } from '../../domain/kernel/ports.js';
import type { Projection, View } from '../runtime/projection.js';

/** An enrollment as lists need it; its path is in the log. */
export interface EnrollmentDoc extends Doc {
  readonly account: string;
  readonly journey_id: string;
  readonly contact_id: string;
  readonly version: number;
  readonly status: 'active' | 'exited';
  /** Its journey is paused, and it would have gone on. */
  readonly held: boolean;
  readonly reason: ExitReason | null;
  readonly node_id: string | null;
  readonly due_at: string | null;
  readonly trigger: string;
  readonly test: boolean;
  readonly started_at: string;
  readonly exited_at: string | null;
  readonly goal_at: string | null;
  /** Whether it is in its node, and not about to enter one. */
  readonly inside: boolean;
  /** Time and id: the order of the starts. */
  readonly sort: string;
}

/** The numbers of a journey, without tests. */
export interface JourneyStatsDoc extends Doc, JourneyNumbers {
  readonly account: string;
}

const ENROLLMENTS = 'enrollments';
const STATS = 'stats';

type HandledEvent = SealedEnrollmentEvent | JourneyEntryEvent;

/** The enrollments of every journey, and their numbers. */
export const enrollments: Projection<HandledEvent> = {
  name: 'journey-enrollments',
  version: 1,
  handles: [
    'EnrollmentStarted',
    'EnrollmentNodeEntered',
    'EnrollmentTimerSet',
    'EnrollmentTimerFired',
    'EnrollmentTimerHeld',
    'EnrollmentTimerReleased',
    'EnrollmentBranchTaken',
    'EnrollmentSendRequested',
    'EnrollmentSendSkipped',
    'EnrollmentActionTaken',
    'EnrollmentGoalReached',
    'EnrollmentMigrated',
    'EnrollmentMoved',
    'EnrollmentExited',
    'JourneyEntryRefused',
  ],
  collections: {
    [ENROLLMENTS]: {
      indexes: [
        ['account', 'journey_id', 'sort'],
        ['account', 'journey_id', 'status', 'sort'],
        ['account', 'journey_id', 'contact_id', 'sort'],
        ['account', 'contact_id', 'sort'],
      ],
    },
    [STATS]: { indexes: [] },
  },
  reads: ({ event }) => {
    const stats = { collection: STATS, id: event.data.journey_id };
    if (event.type === 'JourneyEntryRefused' || event.type === 'JourneyEntryAdmitted') return [stats];
    return [stats, { collection: ENROLLMENTS, id: event.data.enrollment_id, fresh: event.type === 'EnrollmentStarted' }];
  },
  apply: ({ event, meta }, view) => {
    if (event.type === 'JourneyEntryAdmitted') return;
    const known = view.get<JourneyStatsDoc>(STATS, event.data.journey_id) ?? noStats(event.data.journey_id, meta.account);
    if (event.type === 'JourneyEntryRefused') {
      view.put(STATS, countedRefusal(known, event.data.reason));
      return;
    }
    const before = enrollmentBefore(event, meta.account, view);
    const after = afterEvent(before, event);
    view.put(ENROLLMENTS, after);
    if (!after.test) view.put(STATS, counted(known, event, before));
  },
};

const noStats = (id: string, account: string): JourneyStatsDoc => ({ id, account, ...noNumbers });

function enrollmentBefore(event: SealedEnrollmentEvent, account: string, view: View): EnrollmentDoc {
  const { enrollment_id: id, journey_id, contact_id, at } = event.data;
  if (event.type !== 'EnrollmentStarted') {
    const known = view.get<EnrollmentDoc>(ENROLLMENTS, id);
    if (!known) throw new Error(`enrollment ${id} has no beginning`);
    return known;
  }
  const { version, trigger, test } = event.data;
  return {
    ...{ id, account, journey_id, contact_id, version, status: 'active', held: false, reason: null, node_id: null, due_at: null },
    ...{ trigger: trigger.type, test: test !== undefined, started_at: at, exited_at: null, goal_at: null, inside: false, sort: `${at}/${id}` },
  };
}

function afterEvent(doc: EnrollmentDoc, event: SealedEnrollmentEvent): EnrollmentDoc {
  switch (event.type) {
    case 'EnrollmentStarted':
      return { ...doc, node_id: event.data.next };
    case 'EnrollmentNodeEntered':
      return { ...doc, node_id: event.data.node_id, inside: true, due_at: null, held: false };
    case 'EnrollmentTimerSet':
      return { ...doc, due_at: event.data.due_at, held: false };
    case 'EnrollmentTimerFired':
    case 'EnrollmentBranchTaken':
    case 'EnrollmentSendRequested':
    case 'EnrollmentSendSkipped':
    case 'EnrollmentActionTaken':
      return { ...doc, node_id: event.data.next, inside: false, due_at: null, held: false };
    case 'EnrollmentTimerHeld':
      return { ...doc, held: true };
    case 'EnrollmentTimerReleased':
      return { ...doc, held: false };
    case 'EnrollmentGoalReached':
      return { ...doc, goal_at: event.data.at };
    case 'EnrollmentMigrated': {
      const { version, node_id, next, due_at } = event.data;
      return { ...doc, version, node_id: node_id ?? next, inside: node_id !== null, due_at };
    }
    case 'EnrollmentMoved':
      return { ...doc, contact_id: event.data.into };
    case 'EnrollmentExited':
      return { ...doc, status: 'exited', reason: event.data.reason, exited_at: event.data.at, inside: false, due_at: null, held: false };
    case 'EnrollmentWaitChecked':
    case 'EnrollmentEventCollected':
      return doc;
    default:
      return event satisfies never;
  }
}
