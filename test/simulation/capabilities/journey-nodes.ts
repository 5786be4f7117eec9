/** What follows from a node of a journey by its definition alone. */
import type { JourneyNode } from '../../../domain/journeys/nodes.js';
import { ruleDurationMs } from '../../../domain/segments/durations.js';

/** When the timer of a node is due that was entered then; null where it has none of its own. */
export function dueOf(node: JourneyNode, since: string): string | null {
  const after = (duration: string) => new Date(Date.parse(since) + (ruleDurationMs(duration) ?? 0)).toISOString();
  if (node.kind === 'delay') return node.mode === 'duration' ? after(node.duration) : null;
  if (node.kind === 'wait') return after(node.timeout);
  return node.kind === 'digest' ? after(node.window) : null;
}

export const waitedFor = (node: Extract<JourneyNode, { kind: 'wait' }>): readonly string[] =>
  node.for.flatMap(({ on }) => (on?.type === 'event' ? [on.event] : []));

export function waysOf(node: JourneyNode): readonly { readonly branch: string; readonly next: string | null }[] {
  if (node.kind === 'wait') return node.for.map(({ id, next }) => ({ branch: `branch:${id}`, next }));
  if (node.kind !== 'branch') return [];
  const ways = node.branches.map(({ id, next }) => ({ branch: `branch:${id}`, next }));
  return node.mode === 'rule' ? [...ways, { branch: 'else', next: node.else }] : ways;
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
