/** What a journey does to one contact, read straight from its definition and all that happens: the reference for the real one. */

/** A node of the random journeys. Durations in minutes. */
export type PlainNode =
  | { readonly id: string; readonly kind: 'delay'; readonly minutes: number; readonly next: string | null }
  | { readonly id: string; readonly kind: 'wait'; readonly minutes: number; readonly met: string | null; readonly next: string | null }
  | { readonly id: string; readonly kind: 'branch'; readonly yes: string | null; readonly next: string | null }
  | { readonly id: string; readonly kind: 'send'; readonly next: string | null }
  | { readonly id: string; readonly kind: 'exit' };

/** `seen` is what waits and branches look for, `bye` makes the contact leave. Milliseconds since the trigger. */
export interface PlainEvent {
  readonly name: 'seen' | 'bye';
  readonly at: number;
}

const MINUTE = 60_000;

/** Node, how it was left, and when (milliseconds since the trigger). */
export function plainPath(nodes: readonly PlainNode[], events: readonly PlainEvent[]): string[] {
  const steps: string[] = [];
  let now = 0;
  for (let id: string | null = nodes[0]?.id ?? null; id !== null; ) {
    const node = nodes.find((one) => one.id === id) as PlainNode;
    const { outcome, at, next } = stay(node, now, events);
    steps.push(`${id} ${outcome} ${at}`);
    now = at;
    id = next;
  }
  return steps;
}

interface Stay {
  readonly outcome: string;
  readonly at: number;
  readonly next: string | null;
}

function stay(node: PlainNode, now: number, events: readonly PlainEvent[]): Stay {
  switch (node.kind) {
    case 'exit':
      return { outcome: 'exited:completed', at: now, next: null };
    case 'send':
      return { outcome: 'sent', at: now, next: node.next };
    case 'branch':
      return events.some(({ name, at }) => name === 'seen' && at <= now)
        ? { outcome: 'branch:yes', at: now, next: node.yes }
        : { outcome: 'else', at: now, next: node.next };
    default: {
      const until = now + node.minutes * MINUTE;
      const counting = node.kind === 'wait' ? ['seen', 'bye'] : ['bye'];
      const [first] = events.filter(({ name, at }) => counting.includes(name) && at > now && at < until).sort((a, b) => a.at - b.at);
      if (first?.name === 'bye') return { outcome: 'exited:exit_rule', at: first.at, next: null };
      if (first && node.kind === 'wait') return { outcome: 'branch:met', at: first.at, next: node.met };
      return { outcome: node.kind === 'wait' ? 'timeout' : 'next', at: until, next: node.next };
    }
  }
}

/** The definition of a random journey. */
export const definitionOf = (nodes: readonly PlainNode[]) => ({
  nodes: [{ id: 't', kind: 'trigger', on: { type: 'event', event: 'go' }, next: nodes[0]?.id ?? null }, ...nodes.map(nodeOf)] as never,
  settings: { exit_when: [{ type: 'event', event: 'bye' }] } as never,
});

function nodeOf(node: PlainNode): object {
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
