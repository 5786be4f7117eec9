import type { ReadModels } from '../../domain/kernel/ports.js';
import { describeRule, type RuleNames } from '../../domain/segments/describe.js';
import { readNow } from '../../domain/segments/earlier-reading.js';
import { type EvaluatedRule, evaluate } from '../../domain/segments/evaluate.js';
import { isLeaf, type Rule } from '../../domain/segments/rule.js';
import { findContact, type UnifiedContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { loadRuleNames } from '../../log/aggregates/segments/load-names.js';
import { loadReferencedRules } from '../../log/aggregates/segments/load-rules.js';
import { loadSegmentAt } from '../../log/aggregates/segments/load-segment.js';
import { loadSurroundings } from '../../log/aggregates/segments/load-surroundings.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { loadRuleHistory } from './load-history.js';
import type { NamedEvent, NamedEvents } from './named-events.js';
import { sourcesOf } from './sources.js';

/** A node of a rule with its truth for one contact. */
export interface ExplainedRule {
  readonly type: Rule['type'];
  readonly result: boolean;
  /** The rule in English. Says what is asked for, not what is true. */
  readonly description: string;
  /** The rule itself, of a leaf. */
  readonly rule?: Rule;
  /** Of a leaf: the latest events that made it true or false, in order, and how many there are. */
  readonly events?: readonly NamedEvent[];
  readonly event_count?: number;
  /** The nodes below; of a leaf `segment`, the rule of that segment. */
  readonly rules?: readonly ExplainedRule[];
}

export interface MembershipExplanation {
  readonly segment_id: string;
  /** The contact that answers for the one that was asked for. */
  readonly contact_id: string;
  readonly merged_into: string | null;
  /** The version of the rules in force; null if there was no such segment at the time. */
  readonly version: number | null;
  readonly is_member: boolean;
  readonly explanation: ExplainedRule | null;
}

interface ExplainQuery {
  readonly account: string;
  readonly segment_id: string;
  readonly contact_id: string;
  /** RFC 3339: what the service knew then. */
  readonly until: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Events that a leaf names. */
const MAX_NAMED = 20;

/**
 * Why a contact is in a segment or not, from its events: by the rules in force at `until` and what was recorded by then. Throws
 * `not_found` and `contact_erased`.
 */
export async function explainMembership(log: EventLog, views: ReadModels, asked: ExplainQuery): Promise<MembershipExplanation> {
  const { account, segment_id, until, now } = asked;
  const segment = await loadSegmentAt(log, account, segment_id, until);
  const { named: given, root, unified } = await findContact(log, account, asked.contact_id, until);
  const about = { segment_id, contact_id: root.id, merged_into: given.id === root.id ? null : root.id };
  if (segment.status !== 'active') return { ...about, version: null, is_member: false, explanation: null };
  const { rules } = segment;
  const [referenced, fields] = await Promise.all([loadReferencedRules(log, account, rules, until), loadCustomFields(log, account, until)]);
  const all = [rules, ...referenced.values()];
  const { history, named } = await loadRuleHistory({ log, views, account }, unified, fields, sourcesOf(all), until);
  const evaluated = evaluate(rules, history, momentOf(until, now), await loadSurroundings(log, account, [rules], referenced, until));
  const names = await loadRuleNames(log, account, all);
  return { ...about, version: segment.rules_version, is_member: evaluated.holds, explanation: explained(evaluated, named, names) };
}

const momentOf = (until: string | undefined, now: number): number => (until === undefined ? now : Math.min(now, Date.parse(until)));

/** Says for contacts whether a rule held for them at `until`, by what was recorded by then. Loads once what does not depend on the contact. */
export async function ruleAt(
  log: EventLog,
  views: ReadModels,
  { account, rule, until, now }: { readonly account: string; readonly rule: Rule; readonly until: string; readonly now: number },
): Promise<(contact: UnifiedContact) => Promise<boolean>> {
  const [referenced, fields] = await Promise.all([loadReferencedRules(log, account, rule, until), loadCustomFields(log, account, until)]);
  const sources = sourcesOf([rule, ...referenced.values()]);
  const surroundings = await loadSurroundings(log, account, [rule], referenced, until);
  return async (contact) => {
    const { history } = await loadRuleHistory({ log, views, account }, contact, fields, sources, until);
    return evaluate(rule, history, momentOf(until, now), surroundings).holds;
  };
}

function explained({ rule, holds, events, below }: EvaluatedRule, named: NamedEvents, names: RuleNames): ExplainedRule {
  const rules = below.map((one) => explained(one, named, names));
  const node = { type: rule.type, result: holds, description: describeRule(rule, names) };
  if (!isLeaf(rule)) return { ...node, rules };
  const shown = { ...node, rule: readNow(rule), events: named.of(events.slice(-MAX_NAMED)), event_count: events.length };
  return rules.length > 0 ? { ...shown, rules } : shown;
}
