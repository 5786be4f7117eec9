import type { MessageAction, Rule } from '../../domain/segments/rule.js';
import { leavesOf } from '../../domain/segments/rule.js';

/** What must be known of a contact to decide rules. */
export interface RuleSources {
  /** Names of custom events. */
  readonly events: ReadonlySet<string>;
  readonly messages: ReadonlySet<MessageAction>;
  readonly consents: boolean;
  readonly reachable: boolean;
  readonly scores: boolean;
}

/** What these rules ask for. */
export function sourcesOf(rules: readonly Rule[]): RuleSources {
  const leaves = rules.flatMap(leavesOf);
  return {
    events: new Set(leaves.flatMap((leaf) => (leaf.type === 'event' || leaf.type === 'aggregate' ? [leaf.event] : []))),
    messages: new Set(leaves.flatMap((leaf) => (leaf.type === 'message' ? [leaf.action] : []))),
    consents: leaves.some(({ type }) => type === 'consent'),
    reachable: leaves.some(({ type }) => type === 'reachable'),
    scores: leaves.some(({ type }) => type === 'score'),
  };
}
