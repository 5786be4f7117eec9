/** What an enrollment of one version of a journey listens to. */
import { ownField } from '../kernel/own-fields.js';
import { type ContactSignal, matchesOccurrence } from './contact-signal.js';
import type { ExitCondition, JourneyDefinition } from './definition.js';
import { graphOf } from './graph.js';
import { nodesOf, type Resume } from './interpreter.js';
import type { Occurrence } from './triggers.js';

export interface ListeningPlan {
  readonly exit_when: readonly ExitCondition[];
  readonly goal: ExitCondition | null;
  /** By node: what it waits for, and whether it waits for rules. */
  readonly waits: Readonly<Record<string, { readonly on: readonly { readonly branch: string; readonly on: Occurrence }[]; readonly rules: boolean }>>;
}

export function listeningOf(definition: JourneyDefinition): ListeningPlan {
  const { exit_when, goal } = definition.settings;
  const waits = Object.fromEntries(
    nodesOf(graphOf(definition), 'wait').map((node) => {
      const on = node.for.flatMap((one) => (one.on ? [{ branch: one.id, on: one.on }] : []));
      return [node.id, { on, rules: node.for.some(({ rule }) => rule !== undefined) }];
    }),
  );
  return { exit_when, goal, waits };
}

/** An enrollment, as far as it matters to what happens. `node`: where it is; null: about to enter one. */
export interface ListeningEnrollment {
  readonly id: string;
  readonly key: string | null;
  readonly node: string | null;
}

/** How an enrollment reacts to what happens; null if it does not. */
export function wakeOf(
  { exit_when, goal, waits }: ListeningPlan,
  { id, key, node }: ListeningEnrollment,
  contactSignal: ContactSignal,
): Exclude<Resume, { by: 'time' }> | null {
  if (contactSignal.enrollment_id !== undefined && contactSignal.enrollment_id !== id) return null;
  const event_id = contactSignal.started_by.event_id ?? contactSignal.trigger_id;
  if (exit_when.some((condition) => matchesOccurrence(condition, contactSignal, key))) return { by: 'exit', event_id };
  if (goal && matchesOccurrence(goal, contactSignal, key)) return { by: 'goal', event_id };
  const wait = node === null ? undefined : ownField(waits, node);
  const met = wait?.on.find(({ on }) => matchesOccurrence(on, contactSignal, key));
  if (met && node !== null) return { by: 'wait', node, branch: met.branch, event_id };
  return wait?.rules ? { by: 'look', event_id } : null;
}
