/** The numbers of a journey: what happened in it, by node and by each way out of a node. */
import { ownField, setOwnField } from '../kernel/own-fields.js';
import type { EnrollmentEvent, ExitReason, SealedEnrollmentEvent } from './enrollment.js';
import type { RefusalReason } from './entry.js';

export interface NodeCounts {
  readonly entered: number;
  readonly left: number;
  readonly waiting: number;
}
export interface JourneyNumbers {
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
export const noNumbers: JourneyNumbers = {
  ...{ started: 0, active: 0, goals: 0, exited: {}, refused: {}, nodes: {}, edges: {}, skipped: {}, sent: {} },
};

/** Where an enrollment was before an event: the node, and whether it was in it or about to enter it. */
export interface PlaceBefore {
  readonly node_id: string | null;
  readonly inside: boolean;
}

/** The numbers after an event of an enrollment. */
export function counted<N extends JourneyNumbers>(numbers: N, event: EnrollmentEvent | SealedEnrollmentEvent, before: PlaceBefore): N {
  switch (event.type) {
    case 'EnrollmentStarted':
      return { ...numbers, started: numbers.started + 1, active: numbers.active + 1 };
    case 'EnrollmentNodeEntered':
      return { ...numbers, nodes: atNode(numbers, event.data.node_id, { entered: 1, waiting: 1 }) };
    case 'EnrollmentTimerFired':
    case 'EnrollmentBranchTaken':
      return left(numbers, event.data.node_id, event.data.branch);
    case 'EnrollmentActionTaken':
      return left(numbers, event.data.node_id, 'next');
    case 'EnrollmentSendRequested':
      return { ...left(numbers, event.data.node_id, 'next'), sent: plus(numbers.sent, event.data.node_id) };
    case 'EnrollmentSendSkipped': {
      const { node_id, reason } = event.data;
      return { ...left(numbers, node_id, 'next'), skipped: plus(numbers.skipped, `${node_id}/${reason}`) };
    }
    case 'EnrollmentGoalReached':
      return { ...numbers, goals: numbers.goals + 1 };
    case 'EnrollmentMigrated':
      return before.inside && event.data.node_id === null ? withoutPlace(numbers, before) : numbers;
    case 'EnrollmentExited': {
      const ended = { ...numbers, active: numbers.active - 1, exited: plus(numbers.exited, event.data.reason) };
      return before.inside ? withoutPlace(ended, before) : ended;
    }
    default:
      return numbers;
  }
}

/** The numbers after a start that was refused. */
export const countedRefusal = <N extends JourneyNumbers>(numbers: N, reason: RefusalReason): N => ({
  ...numbers,
  refused: plus(numbers.refused, reason),
});

const plus = <C extends Readonly<Record<string, number | undefined>>>(counts: C, name: string): C => ({
  ...counts,
  [name]: (ownField(counts, name) ?? 0) + 1,
});

const withoutPlace = <N extends JourneyNumbers>(numbers: N, { node_id }: PlaceBefore): N =>
  node_id === null ? numbers : { ...numbers, nodes: atNode(numbers, node_id, { left: 1, waiting: -1 }) };

function left<N extends JourneyNumbers>(numbers: N, node: string, exit: string): N {
  return { ...numbers, nodes: atNode(numbers, node, { left: 1, waiting: -1 }), edges: plus(numbers.edges, `${node}/${exit}`) };
}

function atNode({ nodes }: JourneyNumbers, node: string, by: Partial<NodeCounts>): JourneyNumbers['nodes'] {
  const known = ownField(nodes, node) ?? { entered: 0, left: 0, waiting: 0 };
  const { entered = 0, left: gone = 0, waiting = 0 } = by;
  return { ...nodes, [node]: { entered: known.entered + entered, left: known.left + gone, waiting: known.waiting + waiting } };
}

/** The numbers as one level of counts, by paths such as `nodes/d/entered`: those of several parts can be added. */
export function flatNumbers(numbers: JourneyNumbers): Record<string, number> {
  const flat: Record<string, number> = {};
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'number') setOwnField(flat, path, value);
    else for (const [name, below] of Object.entries(value as object)) walk(below, path === '' ? name : `${path}/${name}`);
  };
  walk(numbers, '');
  return flat;
}

/** The numbers of such counts; what is no number of a journey is left out. */
export function numbersOf(flat: Readonly<Record<string, number>>): JourneyNumbers {
  const groups: Record<string, Record<string, number>> = { exited: {}, refused: {}, edges: {}, skipped: {}, sent: {} };
  const nodes: Record<string, NodeCounts> = {};
  for (const [path, n] of Object.entries(flat)) {
    const [group = '', ...rest] = path.split('/');
    const name = rest.join('/');
    if (group === 'nodes')
      setOwnField(nodes, rest[0] ?? '', { ...(ownField(nodes, rest[0] ?? '') ?? { entered: 0, left: 0, waiting: 0 }), [rest[1] ?? '']: n });
    else if (ownField(groups, group) && name !== '') setOwnField(groups, group, { ...ownField(groups, group), [name]: n });
  }
  const { started = 0, active = 0, goals = 0 } = flat;
  return { ...noNumbers, ...groups, started, active, goals, nodes };
}

/** A stored name. */
export const JOURNEY_SIMULATION = 'journey_simulation';

/** The result of a simulation, from its counts. */
export function simulationResult(counts: Readonly<Record<string, number>>) {
  const { started, sent, skipped, nodes, ...numbers } = numbersOf(counts);
  const byNode = Object.entries(nodes).map(([node, one]) => [node, { ...one, ...sendsOf(node, { sent, skipped }) }] as const);
  return { contacts: counts.contacts ?? 0, enrolled: started, ...numbers, nodes: Object.fromEntries(byNode) };
}

/** The messages of a node: how many were sent, and by reason how many were not. */
export function sendsOf(node: string, { sent, skipped }: Pick<JourneyNumbers, 'sent' | 'skipped'>) {
  const reasons = Object.entries(skipped).flatMap(([key, n]) => (key.startsWith(`${node}/`) ? [[key.slice(node.length + 1), n] as const] : []));
  return {
    ...(ownField(sent, node) !== undefined && { sent: ownField(sent, node) }),
    ...(reasons.length > 0 && { skipped: Object.fromEntries(reasons) }),
  };
}
