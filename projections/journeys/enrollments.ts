import type { ExitReason, SealedEnrollmentEvent } from '../../domain/journeys/enrollment.js';
import type { JourneyEntryEvent, RefusalReason } from '../../domain/journeys/entry.js';
import type { Doc } from '../../domain/kernel/ports.js';
import type { Projection, View } from '../kernel.js';

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

export interface NodeCounts {
  readonly entered: number;
  readonly left: number;
  readonly waiting: number;
}
/** The numbers of a journey, without tests. */
export interface JourneyStatsDoc extends Doc {
  readonly account: string;
  readonly started: number;
  readonly active: number;
  readonly goals: number;
  readonly exited: Readonly<Partial<Record<ExitReason, number>>>;
  readonly refused: Readonly<Partial<Record<RefusalReason, number>>>;
  readonly nodes: Readonly<Record<string, NodeCounts>>;
  /** By `<node>/<exit>`. */
  readonly edges: Readonly<Record<string, number>>;
  /** By `<node>/<reason>`: messages that were not sent. */
  readonly skipped: Readonly<Record<string, number>>;
  /** By node. */
  readonly sent: Readonly<Record<string, number>>;
}

const ENROLLMENTS = 'enrollments';
const STATS = 'stats';

type Handled = SealedEnrollmentEvent | JourneyEntryEvent;

/** The enrollments of every journey, and their numbers. */
export const enrollments: Projection<Handled> = {
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
      view.put(STATS, { ...known, refused: plus(known.refused, event.data.reason) } satisfies JourneyStatsDoc);
      return;
    }
    const before = enrollmentBefore(event, meta.account, view);
    const after = afterEvent(before, event);
    view.put(ENROLLMENTS, after);
    if (!after.test) view.put(STATS, counted(known, event, before));
  },
};

const noStats = (id: string, account: string): JourneyStatsDoc => ({
  ...{ id, account, started: 0, active: 0, goals: 0, exited: {}, refused: {}, nodes: {}, edges: {}, skipped: {}, sent: {} },
});

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
      return doc;
    default:
      return event satisfies never;
  }
}

const plus = <K extends string>(counts: Readonly<Partial<Record<K, number>>>, name: K, by = 1): Readonly<Partial<Record<K, number>>> => ({
  ...counts,
  [name]: (counts[name] ?? 0) + by,
});

function counted(stats: JourneyStatsDoc, event: SealedEnrollmentEvent, before: EnrollmentDoc): JourneyStatsDoc {
  switch (event.type) {
    case 'EnrollmentStarted':
      return { ...stats, started: stats.started + 1, active: stats.active + 1 };
    case 'EnrollmentNodeEntered':
      return { ...stats, nodes: atNode(stats, event.data.node_id, { entered: 1, waiting: 1 }) };
    case 'EnrollmentTimerFired':
    case 'EnrollmentBranchTaken':
      return left(stats, event.data.node_id, event.data.branch);
    case 'EnrollmentActionTaken':
      return left(stats, event.data.node_id, 'next');
    case 'EnrollmentSendRequested':
      return { ...left(stats, event.data.node_id, 'next'), sent: plus(stats.sent, event.data.node_id) as Record<string, number> };
    case 'EnrollmentSendSkipped': {
      const { node_id, reason } = event.data;
      return { ...left(stats, node_id, 'next'), skipped: plus(stats.skipped, `${node_id}/${reason}`) as Record<string, number> };
    }
    case 'EnrollmentGoalReached':
      return { ...stats, goals: stats.goals + 1 };
    case 'EnrollmentMigrated':
      return before.inside && before.node_id !== null && event.data.node_id === null
        ? { ...stats, nodes: atNode(stats, before.node_id, { left: 1, waiting: -1 }) }
        : stats;
    case 'EnrollmentExited': {
      const ended = { ...stats, active: stats.active - 1, exited: plus(stats.exited, event.data.reason) };
      return before.inside && before.node_id !== null ? { ...ended, nodes: atNode(stats, before.node_id, { left: 1, waiting: -1 }) } : ended;
    }
    default:
      return stats;
  }
}

function left(stats: JourneyStatsDoc, node: string, exit: string): JourneyStatsDoc {
  const edges = plus(stats.edges, `${node}/${exit}`) as Record<string, number>;
  return { ...stats, nodes: atNode(stats, node, { left: 1, waiting: -1 }), edges };
}

function atNode({ nodes }: JourneyStatsDoc, node: string, by: Partial<NodeCounts>): JourneyStatsDoc['nodes'] {
  const known = nodes[node] ?? { entered: 0, left: 0, waiting: 0 };
  const { entered = 0, left: gone = 0, waiting = 0 } = by;
  return { ...nodes, [node]: { entered: known.entered + entered, left: known.left + gone, waiting: known.waiting + waiting } };
}
