import type { RuleSurroundings } from '../../../domain/segments/history.js';
import { asksForDates, type Rule } from '../../../domain/segments/rule.js';
import { contactClocks } from '../../../formats/messages/utc-offsets.js';
import type { EventLog } from '../../runtime/event-log.js';
import type { ReadBound } from '../load-aggregate.js';
import { loadSettings } from '../load-settings.js';
import { sampleBucketOf } from './buckets.js';

/** What rules of an account refer to outside the contact, as of `until` if given. `referenced`: the rules of segments that they name, by id. */
export async function loadSurroundings(
  log: EventLog,
  account: string,
  rules: readonly Rule[],
  referenced: ReadonlyMap<string, Rule>,
  until?: ReadBound,
): Promise<RuleSurroundings> {
  const hasDates = [...rules, ...referenced.values()].some(asksForDates);
  const { timezone = 'UTC' } = (hasDates ? await loadSettings(log, account, until) : null) ?? {};
  return { ruleOf: (id) => referenced.get(id), bucketOf: sampleBucketOf, clocksOf: contactClocks(timezone) };
}
