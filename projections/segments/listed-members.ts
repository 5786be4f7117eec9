import type { CustomFields } from '../../domain/contacts/custom-field.js';
import type { Clock, ReadModels } from '../../domain/kernel/ports.js';
import { evaluate } from '../../domain/segments/evaluate.js';
import { customKeyOf, fullFieldName } from '../../domain/segments/fields.js';
import type { Rule } from '../../domain/segments/rule.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import { loadReferencedRules } from '../../log/aggregates/segments/load-rules.js';
import { loadSurroundings } from '../../log/aggregates/segments/load-surroundings.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { membershipsOf } from '../contacts/contact-record.js';
import { COMPARED_SINCE, contacts, MAX_INDEXED_LENGTH } from '../contacts/projection.js';
import { type ContactFilter, contactQueries, type ListedContact } from '../contacts/queries.js';
import { listedHistory } from './load-history.js';
import { segmentMemberQueries } from './member-queries.js';
import { sourcesOf } from './sources.js';

interface Stores {
  readonly log: EventLog;
  readonly views: ReadModels;
}

/** Says for contacts whether a rule holds now. */
export interface RuleJudge {
  readonly judge: (contacts: readonly ListedContact[]) => Promise<boolean[]>;
  /** What an index can find of a rule that asks for it in any case. */
  readonly narrow: Pick<ContactFilter, 'fields' | 'compared' | 'list_id'>;
  readonly fields: CustomFields;
}

/** Contacts whose events are read at once. */
const AT_ONCE = 50;

/** A judge of one rule at one moment (milliseconds since 1970). Loads once what does not depend on the contact. */
export async function ruleJudge({ log, views }: Stores, account: string, rule: Rule, now: number): Promise<RuleJudge> {
  const fields = await loadCustomFields(log, account);
  const referenced = await loadReferencedRules(log, account, rule);
  const sources = sourcesOf([rule, ...referenced.values()]);
  const surroundings = await loadSurroundings(log, account, [rule], referenced);
  const isIn = async ({ unified, facts }: ListedContact): Promise<boolean> => {
    const history = await listedHistory({ log, views, account }, { ...unified, facts }, membershipsOf(unified.tree), fields, sources);
    return evaluate(rule, history, now, surroundings).holds;
  };
  const judge = async (contacts: readonly ListedContact[]): Promise<boolean[]> => {
    const judged: boolean[] = [];
    for (let from = 0; from < contacts.length; from += AT_ONCE) judged.push(...(await Promise.all(contacts.slice(from, from + AT_ONCE).map(isIn))));
    return judged;
  };
  return { judge, narrow: await findable(views, narrowed(rule, fields)), fields };
}

/** Until contacts are rebuilt by this release, none is found by its texts in whatever case. */
async function findable(views: ReadModels, { compared, ...narrow }: RuleJudge['narrow']): Promise<RuleJudge['narrow']> {
  const isKnown = compared !== undefined && (await views.status(contacts)).version >= COMPARED_SINCE;
  return isKnown ? { ...narrow, compared } : narrow;
}

function narrowed(rule: Rule, fields: CustomFields): RuleJudge['narrow'] {
  const leaves = rule.type === 'all' ? rule.rules : [rule];
  const list = leaves.find((leaf) => leaf.type === 'list' && leaf.is_member);
  const equal = leaves.flatMap((leaf): RuleJudge['narrow'][] => {
    if (leaf.type !== 'attribute' || leaf.op !== 'eq' || Array.isArray(leaf.value)) return [];
    const key = customKeyOf(fullFieldName(leaf.field));
    const field = key === null ? undefined : fields.get(key);
    if (key === null || field?.pii !== false) return [];
    const value = String(leaf.value);
    // Texts that say a number are found by no index.
    if (field.type === 'string' && leaf.reading !== 1) return typeof leaf.value === 'string' ? [{ fields: [], compared: [[key, value]] }] : [];
    return value.length <= MAX_INDEXED_LENGTH ? [{ fields: [[key, value]] }] : [];
  });
  return { fields: [], ...equal[0], ...(list?.type === 'list' && { list_id: list.list_id }) };
}

/** Contacts of one page of the search. */
const PAGE = 100;

interface MembersPage {
  readonly found: readonly { readonly item: ListedContact; readonly cursor: string }[];
  /** Where the search ended for lack of time; null if it has found enough, or seen all. */
  readonly searchedTo: string | null;
  /** Of the rules that decide. */
  readonly version: number;
}

/**
 * The contacts that are in a segment now, by the kept memberships; as long as its first rules are being built, by these. In the order of
 * their creation: at most `limit`, fewer where the time is used up.
 */
export async function membersOfSegment(
  { clock, ...stores }: Stores & { readonly clock: Pick<Clock, 'now' | 'monotonic'> },
  { id, rules, rules_version }: { readonly id: string; readonly rules: Rule; readonly rules_version: number },
  filter: ContactFilter,
  budgetMs: number,
): Promise<MembersPage> {
  const started = clock.monotonic();
  const live = segmentMemberQueries(stores);
  const state = await live.state(id);
  const isLive = (state?.live_version ?? 0) > 0;
  const { judge, narrow } = await ruleJudge(stores, filter.account, rules, clock.now());
  const isIn = async (contacts: readonly ListedContact[]): Promise<boolean[]> => {
    if (!isLive) return judge(contacts);
    const ids = contacts.map(({ unified }) => unified.tree.id);
    const members = await live.among(id, ids);
    return ids.map((one) => members.has(one));
  };
  const queries = contactQueries(stores);
  // The rules before may ask for something else.
  const known: RuleJudge['narrow'] = isLive && state?.status !== 'live' ? { fields: [] } : narrow;
  const fields = filter.fields.length > 0 ? filter.fields : known.fields;
  const compared = known.compared ?? [];
  const list_id = filter.list_id ?? known.list_id;
  const version = isLive && state ? state.live_version : rules_version;
  const found: { item: ListedContact; cursor: string }[] = [];
  for (let { after } = filter; ; ) {
    const { found: page, searchedTo } = await queries.search({ ...filter, fields, compared, list_id, after, limit: PAGE });
    const judged = await isIn(page.map(({ item }) => item));
    found.push(...page.filter((_, i) => judged[i]));
    const last = page.at(-1);
    const ended = searchedTo === null && (!last || page.length < PAGE);
    if (ended || found.length >= filter.limit) return { found: found.slice(0, filter.limit), searchedTo: null, version };
    after = searchedTo ?? last?.cursor ?? after;
    if (clock.monotonic() - started > budgetMs) return { found, searchedTo: after, version };
  }
}
