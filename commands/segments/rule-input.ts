import { type FieldProblem, invalid, isDomainError } from '../../domain/kernel/errors.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { anyRecord, documentedAs, rawSchema } from '../../domain/kernel/schema.js';
import { type Rule, ruleSchema, segmentReferencesOf } from '../../domain/segments/rule.js';
import { isObject, type RuleProblem } from '../../domain/segments/shape.js';
import { checkReferences, normalized, type RuleCatalog, ruleProblems } from '../../domain/segments/validate.js';
import { withInstants } from '../../domain/segments/written-rules.js';
import { zoneClocks } from '../../formats/messages/utc-offsets.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { loadList } from '../../log/aggregates/lists/load-list.js';
import { loadSettings } from '../../log/aggregates/load-settings.js';
import { loadSegment } from '../../log/aggregates/segments/load-segment.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import type { Context } from '../runtime/command.js';
import { meantName, nearestName } from '../runtime/nearest-name.js';
import { pathText, withRule } from '../runtime/rules.js';
import { valueText } from './field-values.js';

interface Reads {
  readonly log: EventLog;
  readonly account: string;
}

/** Where a command reads. */
export const readsOf = ({ log, cause: { account } }: Pick<Context, 'log' | 'cause'>): Reads => ({ log, account });

/** A rule in a request. Its problems name their field, and their place in the rule as a JSON pointer. */
export const ruleInput = () =>
  withRule(documentedAs(anyRecord, ruleSchema), async (rule, { context }) => {
    return (await readRule(readsOf(context), rule)).problems;
  });

/** A rule within a command. */
export const storedRule = rawSchema<Rule>({ type: 'object' });

/** A valid rule in the form in which it is stored, or its problems. */
interface ReadRule {
  readonly rule: Rule | null;
  readonly problems: readonly FieldProblem[];
}

/** Checks a rule against the fields, lists and segments of the account. */
export async function readRule(reads: Reads, written: unknown): Promise<ReadRule> {
  const catalog = await loadCatalog(reads, written);
  const given = await withRuleInstants(reads, written, catalog.fields);
  const problems = ruleProblems(given, catalog);
  if (problems.length > 0) return { rule: null, problems: problems.map((problem) => ruleFieldProblem(problem, given)) };
  return { rule: normalized(given as Rule, catalog.fields, valueText), problems: [] };
}

/** The same where times without a zone are those of the account. */
export async function withRuleInstants<V>({ log, account }: Reads, written: V, fields: RuleCatalog['fields']): Promise<V> {
  return withInstants(written, { fields, offsetAt: zoneClocks((await loadSettings(log, account))?.timezone) });
}

/** The rule in the form in which it is stored. Throws `validation_error`; `field` is the path of the rule in the input. */
export async function requireRule(reads: Reads, given: unknown, field = 'rules'): Promise<Rule> {
  const { rule, problems } = await readRule(reads, given);
  if (rule) return rule;
  throw invalid(problems.map((problem) => ({ ...problem, field: problem.field === '' ? field : `${field}.${problem.field}` })));
}

/** Throws `conflict` if the segment would refer to itself, or chains of segments would be too long. */
export async function requireOrder(context: Context, segmentId: string, rule: Rule): Promise<void> {
  const references = segmentReferencesOf(rule);
  // A segment that refers to none can only be at the end of a chain, which another one has checked.
  if (references.length > 0) checkReferences(segmentId, references, await context.ports.segments.references(context.cause.account));
}

/** What a rule that may be malformed names, as far as the account has it. `search`: where the rules are a part of something. */
export async function loadCatalog({ log, account }: Reads, given: unknown, search: Search = IN_RULES): Promise<RuleCatalog> {
  const named = namesIn(given, search);
  const fields = await loadFieldTypes({ log, account });
  const [lists, segments] = await Promise.all([
    existing(named.list_id, (id) => loadList(log, account, id)),
    existing(named.segment_id, (id) => loadSegment(log, account, id)),
  ]);
  return { fields, lists, segments, nearestName: (name, known) => nearestName(name, known, NEAR) };
}

/** A field this far from a known one may be meant to be something else. */
const NEAR = 3;

/** The types of the custom fields of an account, by key. */
export async function loadFieldTypes({ log, account }: Reads): Promise<RuleCatalog['fields']> {
  return new Map([...(await loadCustomFields(log, account)).values()].map(({ key, type }) => [key, type]));
}

async function existing(ids: ReadonlySet<string>, load: (id: string) => Promise<unknown>): Promise<ReadonlySet<string>> {
  const found = await Promise.all(
    [...ids].map(async (id) => {
      try {
        await load(id);
        return [id];
      } catch (e) {
        if (!isDomainError(e)) throw e;
        return [];
      }
    }),
  );
  return new Set(found.flat());
}

/** Where names are looked for, and how many at most. */
export interface Search {
  readonly maxNames: number;
  /** The fields of an object that are looked into. */
  readonly fields: readonly string[];
}

/** No valid rule names more. */
const IN_RULES: Search = { maxNames: 200, fields: ['rules', 'rule'] };
const MAX_NODES = 20_000;

/** All ids of lists and segments anywhere in a value. */
function namesIn(given: unknown, { maxNames, fields }: Search): Record<'list_id' | 'segment_id', Set<string>> {
  const found = { list_id: new Set<string>(), segment_id: new Set<string>() };
  const left: unknown[] = [given];
  for (let n = 0; left.length > 0 && n < MAX_NODES; n++) {
    const part = left.pop();
    if (Array.isArray(part)) left.push(...part.slice(0, maxNames));
    else if (isObject(part)) {
      for (const name of ['list_id', 'segment_id'] as const) {
        const id = part[name];
        if (typeof id === 'string' && id !== '' && id.length <= 100 && found[name].size < maxNames) found[name].add(id);
      }
      left.push(...fields.flatMap((name) => ownField(part, name) ?? []).slice(0, maxNames));
    }
  }
  return found;
}

/** The path of a pointer, where numbers are positions in lists. */
export function ruleFieldProblem({ pointer, code, message, known = [] }: RuleProblem, given: unknown): FieldProblem {
  const path: (string | number)[] = [];
  let part = given;
  for (const escaped of pointer.split('/').slice(1)) {
    const name = escaped.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(part) ? Number(name) : name);
    part = Array.isArray(part) ? part[Number(name)] : isObject(part) ? ownField(part, name) : undefined;
  }
  const meant = meantName(String(path.at(-1)), known);
  return { field: pathText(path), code, message, details: { pointer, ...(meant !== null && { did_you_mean: meant }) } };
}
