/** What follows from a node of a journey by its definition alone. */
import type { JourneyDefinition } from '../../../domain/journeys/definition.js';
import type { JourneyNode } from '../../../domain/journeys/nodes.js';
import { ruleDurationMs } from '../../../domain/segments/durations.js';
import type { Condition } from '../../../domain/segments/rule.js';
import { laterOnWall, laterThanDay, timeOnWall } from '../../support/calendar.js';

/** The zones of a contact and of its account, and the properties of what started the journey. */
export interface EnrollmentClocks {
  readonly contact: string;
  readonly account: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** An event with conditions on its properties. */
export interface WantedEvent {
  readonly event: string;
  readonly where?: readonly Condition[] | undefined;
}

/** When the timer of a node is due that was entered then; null where it has none of its own. */
export function dueOf(node: JourneyNode, since: string, clocks: EnrollmentClocks): string | null {
  const iso = (ms: number) => new Date(ms).toISOString();
  const after = (duration: string) => iso(laterOnWall(Date.parse(since), duration, clocks.contact));
  if (node.kind === 'delay' && node.mode === 'until') {
    const until = untilOf(node, clocks);
    return until === null ? null : iso(Math.max(until, Date.parse(since)));
  }
  if (node.kind === 'delay') return node.mode === 'duration' ? after(node.duration) : null;
  if (node.kind === 'wait') return after(node.timeout);
  return node.kind === 'digest' ? iso(Date.parse(since) + (ruleDurationMs(node.window) ?? 0)) : null;
}

/** Until when a property lets it wait, in milliseconds since 1970; null where it names no time. */
export function untilOf(node: Extract<JourneyNode, { mode: 'until' }>, { contact, account, properties }: EnrollmentClocks): number | null {
  const time = timeOnWall(new Map(Object.entries(properties)).get((node.field ?? '').replace('properties.', '')), account);
  if (time === null) return null;
  const offset = node.offset ?? 'PT0S';
  return 'day' in time ? laterThanDay(time.day, offset, contact) : laterOnWall(time.ms, offset, contact);
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
