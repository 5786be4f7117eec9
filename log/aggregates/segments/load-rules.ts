import { MAX_REFERENCES, type Rule, segmentReferencesOf } from '../../../domain/segments/rule.js';
import type { EventLog } from '../../runtime/event-log.js';
import type { ReadBound } from '../load-aggregate.js';
import { loadSegmentAt } from './load-segment.js';

/** The rules of all segments that a rule refers to, also through others, by id, as of `until` if given. Deleted segments are left out. */
export async function loadReferencedRules(log: EventLog, account: string, rule: Rule, until?: ReadBound): Promise<ReadonlyMap<string, Rule>> {
  const rules = new Map<string, Rule>();
  let next = segmentReferencesOf(rule);
  for (let depth = 0; depth < MAX_REFERENCES && next.length > 0; depth++) {
    const found = await Promise.all(next.map(async (id) => [id, await loadSegmentAt(log, account, id, until)] as const));
    for (const [id, segment] of found) if (segment.status === 'active') rules.set(id, segment.rules);
    next = [...new Set(found.flatMap(([id]) => segmentReferencesOf(rules.get(id) ?? { type: 'everyone' })))].filter((id) => !rules.has(id));
  }
  return rules;
}
