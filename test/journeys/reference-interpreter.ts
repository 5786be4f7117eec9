/** What a journey does to one contact, read straight from its definition and all that happens: the reference for the real one. */

/** A node of the random journeys. Durations in minutes. */
export type ReferenceNode =
  | { readonly id: string; readonly kind: 'delay'; readonly minutes: number; readonly next: string | null }
  | { readonly id: string; readonly kind: 'wait'; readonly minutes: number; readonly met: string | null; readonly next: string | null }
  | { readonly id: string; readonly kind: 'branch'; readonly yes: string | null; readonly next: string | null }
  | { readonly id: string; readonly kind: 'send'; readonly next: string | null }
  | { readonly id: string; readonly kind: 'exit' };

/** `go` starts, `seen` is what waits and branches look for, `bye` makes the enrollments of its key leave. Times in milliseconds. */
export interface ReferenceEvent {
  readonly name: 'go' | 'seen' | 'bye';
  readonly key: string;
  readonly at: number;
}

/** Others go on with these nodes. */
export interface Migration {
  readonly at: number;
  readonly nodes: readonly ReferenceNode[];
}
export interface PlainJourney {
  readonly nodes: readonly ReferenceNode[];
  readonly reentry: PlainReentry;
  readonly migration: Migration | null;
}
/** `cooldown` in minutes. */
export type PlainReentry =
  | { readonly mode: 'once' }
  | { readonly mode: 'after_exit'; readonly cooldown: number | null }
  | { readonly mode: 'always'; readonly max_concurrent: number };

/** What becomes of a contact: the paths of its enrollments (node, how it was left, and when), and why it was refused. */
export interface PlainResult {
  readonly paths: readonly (readonly string[])[];
  readonly refused: Readonly<Record<string, number>>;
}

const MINUTE = 60_000;

/** `events` in their order. */
export function plainResult(journey: PlainJourney, events: readonly ReferenceEvent[]): PlainResult {
  const admitted: { key: string; at: number; path: Path }[] = [];
  const refused: Record<string, number> = {};
  for (const { name, key, at } of events) {
    if (name !== 'go') continue;
    const reason = refusal(
      journey.reentry,
      admitted.filter((one) => one.key === key),
      at,
    );
    if (reason === null) admitted.push({ key, at, path: pathFrom(journey, key, at, events) });
    else refused[reason] = (refused[reason] ?? 0) + 1;
  }
  return { paths: admitted.map(({ path }) => path.steps), refused };
}

function refusal(reentry: PlainReentry, same: readonly { readonly at: number; readonly path: Path }[], now: number): string | null {
  const running = same.filter(({ path }) => path.end > now).length;
  switch (reentry.mode) {
    case 'once':
      return same.length > 0 ? 'already_enrolled' : null;
    case 'always':
      return running >= reentry.max_concurrent ? 'cap' : null;
    default: {
      if (running > 0) return 'already_enrolled';
      const last = same.at(-1)?.at;
      return last !== undefined && now < last + (reentry.cooldown ?? 0) * MINUTE ? 'cooldown' : null;
    }
  }
}

interface Path {
  readonly steps: readonly string[];
  readonly end: number;
}

function pathFrom({ nodes, migration }: PlainJourney, key: string, start: number, all: readonly ReferenceEvent[]): Path {
  const events = all.filter(({ name, key: own }) => name === 'seen' || (name === 'bye' && own === key));
  const steps: string[] = [];
  let now = start;
  let current = migration && migration.at < start ? migration.nodes : nodes;
  for (let id: string | null = current[0]?.id ?? null; id !== null; ) {
    const node = current.find((one) => one.id === id) as ReferenceNode;
    let { outcome, at, next } = stay(node, now, now, events);
    if (migration && current !== migration.nodes && at > migration.at) {
      current = migration.nodes;
      ({ outcome, at, next } = moved(nodes, node, now, migration, events));
    }
    steps.push(`${id} ${outcome} ${at - start}`);
    now = at;
    id = next;
  }
  return { steps, end: now };
}

interface Stay {
  readonly outcome: string;
  readonly at: number;
  readonly next: string | null;
}

/** In a node since `since`; what happened up to `after` did not end it. */
function stay(node: ReferenceNode, since: number, after: number, events: readonly ReferenceEvent[]): Stay {
  switch (node.kind) {
    case 'exit':
      return { outcome: 'exited:completed', at: since, next: null };
    case 'send':
      return { outcome: 'sent', at: since, next: node.next };
    case 'branch':
      return events.some(({ name, at }) => name === 'seen' && at <= since)
        ? { outcome: 'branch:yes', at: since, next: node.yes }
        : { outcome: 'else', at: since, next: node.next };
    default: {
      const until = Math.max(after, since + node.minutes * MINUTE);
      const counting = node.kind === 'wait' ? ['seen', 'bye'] : ['bye'];
      const first = events.find(({ name, at }) => counting.includes(name) && at > after && at < until);
      if (first?.name === 'bye') return { outcome: 'exited:exit_rule', at: first.at, next: null };
      if (first && node.kind === 'wait') return { outcome: 'branch:met', at: first.at, next: node.met };
      return { outcome: node.kind === 'wait' ? 'timeout' : 'next', at: until, next: node.next };
    }
  }
}

/** In a node that waits while the journey changes: its timer counts from its entry; from a node that is gone to the nearest one after it. */
function moved(old: readonly ReferenceNode[], node: ReferenceNode, since: number, { at, nodes }: Migration, events: readonly ReferenceEvent[]): Stay {
  const same = nodes.find(({ id }) => id === node.id);
  if (same) return stay(same, since, at, events);
  const next = nearest(old, node, new Set(nodes.map(({ id }) => id)));
  return next === null ? { outcome: 'exited:node_removed', at, next } : { outcome: 'migrated', at, next };
}

function nearest(old: readonly ReferenceNode[], from: ReferenceNode, left: ReadonlySet<string>): string | null {
  const queue = [from];
  for (const node of queue) {
    const after = waysOf(node);
    const found = after.find((id) => left.has(id));
    if (found !== undefined) return found;
    queue.push(...old.filter(({ id }) => after.includes(id)).sort((a, b) => after.indexOf(a.id) - after.indexOf(b.id)));
  }
  return null;
}
function waysOf(node: ReferenceNode): string[] {
  const ways = node.kind === 'exit' ? [] : [node.kind === 'wait' ? node.met : node.kind === 'branch' ? node.yes : null, node.next];
  return ways.filter((id) => id !== null);
}

/** The nodes without some of them: ways to these lead to what comes after. */
export function without(nodes: readonly ReferenceNode[], gone: ReadonlySet<string>): ReferenceNode[] {
  const resolved = (id: string | null): string | null => {
    if (id === null || !gone.has(id)) return id;
    const node = nodes.find((one) => one.id === id);
    return resolved(!node || node.kind === 'exit' ? null : node.next);
  };
  return nodes
    .filter(({ id }) => !gone.has(id))
    .map((node): ReferenceNode => {
      if (node.kind === 'exit') return node;
      const next = resolved(node.next);
      if (node.kind === 'wait') return { ...node, next, met: resolved(node.met) };
      return node.kind === 'branch' ? { ...node, next, yes: resolved(node.yes) } : { ...node, next };
    });
}

/** The definition of a random journey. */
export const definitionOf = (nodes: readonly ReferenceNode[], reentry: PlainReentry) => ({
  nodes: [{ id: 't', kind: 'trigger', on: { type: 'event', event: 'go' }, next: nodes[0]?.id ?? null }, ...nodes.map(nodeOf)] as never,
  settings: {
    reentry: {
      ...{ key: 'properties.key', mode: reentry.mode },
      ...(reentry.mode === 'always' && { max_concurrent: reentry.max_concurrent }),
      ...(reentry.mode === 'after_exit' && reentry.cooldown !== null && { cooldown: `PT${reentry.cooldown}M` }),
    },
    exit_when: [{ type: 'event', event: 'bye', key: 'properties.key' }],
  } as never,
});

function nodeOf(node: ReferenceNode): object {
  switch (node.kind) {
    case 'delay':
      return { id: node.id, kind: 'delay', mode: 'duration', duration: `PT${node.minutes}M`, next: node.next };
    case 'wait': {
      const on = { type: 'event', event: 'seen' };
      return { id: node.id, kind: 'wait', for: [{ id: 'met', on, next: node.met }], timeout: `PT${node.minutes}M`, on_timeout: node.next };
    }
    case 'branch': {
      const rule = { type: 'event', event: 'seen' };
      return { id: node.id, kind: 'branch', mode: 'rule', branches: [{ id: 'yes', rule, next: node.yes }], else: node.next };
    }
    case 'send':
      return { id: node.id, kind: 'send', channel: 'email', category: 'transactional', subject: 'Hi', message: 'Hi', next: node.next };
    default:
      return node;
  }
}
