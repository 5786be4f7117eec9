/** What follows from a node of a journey by its definition alone. */
import type { JourneyDefinition } from '../../../domain/journeys/definition.js';
import type { JourneyNode } from '../../../domain/journeys/nodes.js';
import { ruleDurationMs } from '../../../domain/segments/durations.js';
import type { Condition } from '../../../domain/segments/rule.js';

/** An event with conditions on its properties. */
export interface WantedEvent {
  readonly event: string;
  readonly where?: readonly Condition[] | undefined;
}

/** When the timer of a node is due that was entered then; null where it has none of its own. */
export function dueOf(node: JourneyNode, since: string): string | null {
  const after = (duration: string) => new Date(Date.parse(since) + (ruleDurationMs(duration) ?? 0)).toISOString();
  if (node.kind === 'delay') return node.mode === 'duration' ? after(node.duration) : null;
  if (node.kind === 'wait') return after(node.timeout);
  return node.kind === 'digest' ? after(node.window) : null;
}

export const waitedFor = (node: Extract<JourneyNode, { kind: 'wait' }>): readonly WantedEvent[] =>
  node.for.flatMap(({ on }) => (on?.type === 'event' ? [on] : []));

export function waysOf(node: JourneyNode): readonly { readonly branch: string; readonly next: string | null }[] {
  if (node.kind === 'wait') return node.for.map(({ id, next }) => ({ branch: `branch:${id}`, next }));
  if (node.kind !== 'branch') return [];
  const ways = node.branches.map(({ id, next }) => ({ branch: `branch:${id}`, next }));
  return node.mode === 'rule' ? [...ways, { branch: 'else', next: node.else }] : ways;
}

/** The nearest node after one that another version still has, by the ways of its own version; null if there is none. */
export function nearestLeft({ nodes }: JourneyDefinition, gone: string, left: JourneyDefinition): string | null {
  const queue = [gone];
  for (const id of queue) {
    const node = nodes.find((one) => one.id === id);
    const last = node && ('on_timeout' in node ? node.on_timeout : 'next' in node ? node.next : null);
    const after = node ? [...waysOf(node).map(({ next }) => next), last].filter((next) => typeof next === 'string') : [];
    const found = after.find((next) => left.nodes.some((one) => one.id === next));
    if (found !== undefined) return found;
    queue.push(...after);
  }
  return null;
}

export function randomBranch(
  { branches }: { readonly branches: readonly { readonly id: string; readonly weight: number }[] },
  bucket: number,
): string {
  let upTo = 0;
  const found = branches.find(({ weight }) => {
    upTo += weight * 100;
    return bucket < upTo;
  });
  return `branch:${(found ?? branches.at(-1))?.id}`;
}
