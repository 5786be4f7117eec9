import { isDomainError } from '../../../domain/kernel/errors.js';
import type { RuleNames } from '../../../domain/segments/describe.js';
import { leavesOf, type Rule } from '../../../domain/segments/rule.js';
import type { EventLog } from '../../runtime/event-log.js';
import { loadCustomFields } from '../contacts/load-custom-fields.js';
import { loadList } from '../lists/load-list.js';
import { loadSegment } from './load-segment.js';

/** Further lists and segments are shown by their ids. */
const MAX_NAMES = 200;

/** The names of what these rules refer to, for their sentences. */
export async function loadRuleNames(log: EventLog, account: string, rules: readonly Rule[]): Promise<RuleNames> {
  const leaves = rules.flatMap(leavesOf);
  const fields = await loadCustomFields(log, account);
  const lists = leaves.flatMap((leaf) => (leaf.type === 'list' ? [leaf.list_id] : []));
  const segments = leaves.flatMap((leaf) => (leaf.type === 'segment' ? [leaf.segment_id] : []));
  const [listNames, segmentNames] = await Promise.all([
    namesOf(lists, (id) => loadList(log, account, id, { includeDeleted: true })),
    namesOf(segments, (id) => loadSegment(log, account, id, { includeDeleted: true })),
  ]);
  return { list: (id) => listNames.get(id), segment: (id) => segmentNames.get(id), field: (key) => fields.get(key)?.label };
}

async function namesOf(ids: readonly string[], load: (id: string) => Promise<{ readonly name: string }>): Promise<Map<string, string>> {
  const named = await Promise.all(
    [...new Set(ids)].slice(0, MAX_NAMES).map(async (id) => {
      try {
        return [[id, (await load(id)).name] as const];
      } catch (e) {
        if (!isDomainError(e)) throw e;
        return [];
      }
    }),
  );
  return new Map(named.flat());
}
