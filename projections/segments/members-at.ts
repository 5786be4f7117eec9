import { isDomainError } from '../../domain/kernel/errors.js';
import type { Clock, ReadModels } from '../../domain/kernel/ports.js';
import type { Rule } from '../../domain/segments/rule.js';
import { findContact, type UnifiedContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadSegmentAt } from '../../log/aggregates/segments/load-segment.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { contactQueries } from '../contacts/queries.js';
import { ruleAt } from './explain.js';
import { segmentMemberQueries } from './member-queries.js';

interface Stores {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

interface MembersQuery {
  readonly account: string;
  readonly segment_id: string;
  /** RFC 3339: what the service knew then. */
  readonly until: string;
  readonly after: string | null;
  readonly limit: number;
  /** Milliseconds. */
  readonly budgetMs: number;
}

export interface MembersAt {
  /** Of the rules in force; null if there was no such segment. */
  readonly version: number | null;
  /** Contacts as they were, each with its cursor. */
  readonly found: readonly { readonly item: UnifiedContact; readonly cursor: string }[];
  /** Where the search ended for lack of time; null if it has found enough, or seen all. */
  readonly searchedTo: string | null;
}

/** Members are read in pages of this size. */
const PAGE = 200;
/** After this time a change is recorded; what is later is decided by the rules. */
const RECORDED_MS = 5_000;

/**
 * The contacts that were in a segment: as they were recorded by the version of that time; where none was live yet, those for whom the
 * rules held. Erased contacts are left out. Throws `not_found` if the account never had the segment.
 */
export async function segmentMembersAt(stores: Stores, asked: MembersQuery): Promise<MembersAt> {
  const { log, clock } = stores;
  const { account, segment_id, until } = asked;
  const segment = await loadSegmentAt(log, account, segment_id, until);
  if (segment.status !== 'active') return { version: null, found: [], searchedTo: null };
  const version = await segmentMemberQueries(stores).versionAt(segment_id, until);
  const isRecorded = asked.after === null ? clock.now() - Date.parse(until) > RECORDED_MS : asked.after.startsWith('con_');
  const pages = version && isRecorded ? recorded(stores, asked, version) : judged(stores, asked, segment.rules);
  const started = clock.monotonic();
  const found: { item: UnifiedContact; cursor: string }[] = [];
  for await (const { contacts, to } of pages) {
    found.push(...contacts);
    if (found.length >= asked.limit) break;
    if (clock.monotonic() - started > asked.budgetMs) return { version: version || segment.rules_version, found, searchedTo: to };
  }
  return { version: version || segment.rules_version, found: found.slice(0, asked.limit), searchedTo: null };
}

interface Page {
  readonly contacts: readonly { readonly item: UnifiedContact; readonly cursor: string }[];
  /** The cursor of the last contact that was looked at; null after all. */
  readonly to: string | null;
}

/** In the order of their ids. */
async function* recorded(stores: Stores, { account, segment_id, until, after }: MembersQuery, version: number): AsyncGenerator<Page> {
  const queries = segmentMemberQueries(stores);
  for (let from = after; ; ) {
    const { ids, next } = await queries.membersAt(segment_id, until, version, from, PAGE);
    const contacts = await Promise.all(ids.map((id) => rootAt(stores.log, account, id, until)));
    yield { contacts: contacts.flatMap((item) => (item ? [{ item, cursor: item.root.id }] : [])), to: next };
    if (next === null) return;
    from = next;
  }
}

/** In the order of creation. */
async function* judged(stores: Stores, { account, until, after }: MembersQuery, rule: Rule): AsyncGenerator<Page> {
  const { log, views, clock } = stores;
  const holds = await ruleAt(log, views, { account, rule, until, now: clock.now() });
  const queries = contactQueries(stores);
  for (let from = after; ; ) {
    const page = await queries.page({ account, keys: [], fields: [], after: from, descending: false, limit: PAGE });
    const contacts = page.map(async ({ item: { unified }, cursor }) => {
      const roots = await Promise.all(unified.members.map(({ id }) => rootAt(log, account, id, until)));
      const is = await Promise.all(roots.map(async (root) => root !== null && (await holds(root))));
      return roots.flatMap((item, i) => (item && is[i] ? [{ item, cursor }] : []));
    });
    const last = page.at(-1);
    const to = last && page.length === PAGE ? last.cursor : null;
    yield { contacts: (await Promise.all(contacts)).flat(), to };
    if (to === null) return;
    from = to;
  }
}

/** A contact as it was; null where it was merged into another one, was not there, or is erased. */
async function rootAt(log: EventLog, account: string, id: string, until: string): Promise<UnifiedContact | null> {
  try {
    const { named, root, unified } = await findContact(log, account, id, until);
    return named.id === root.id ? unified : null;
  } catch (e) {
    if (!isDomainError(e)) throw e;
    return null;
  }
}
