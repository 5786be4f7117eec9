import { type ContactResource, toContactResource } from '../../domain/contacts/resource.js';
import type { Clock, ReadModels } from '../../domain/kernel/ports.js';
import type { Rule } from '../../domain/segments/rule.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { type ContactFilter, contactQueries, type ListedContact } from '../contacts/queries.js';
import { type DomainSuppressions, loadRelations } from '../contacts/relations.js';
import { ruleJudge } from './listed-members.js';

/** How many contacts rules hold for, and some of them. */
export interface Preview {
  readonly count: number;
  /** False if there was no time to look at all contacts: then `count` are those among the `examined`, the newest ones. */
  readonly exact: boolean;
  readonly examined: number;
  readonly sample: readonly ContactResource[];
}

interface PreviewBounds {
  /** Milliseconds. */
  readonly budgetMs: number;
  readonly sample: number;
}

const PAGE_CONTACTS = 500;
const PAGE_BYTES = 4 * 1024 * 1024;
/** Contacts between two looks at the clock. */
const AT_ONCE = 50;

/** Looks at the contacts of an account, the newest first, a page at a time, until all are seen or the time is used up. */
export async function previewRule(
  { log, views, clock }: { readonly log: EventLog; readonly views: ReadModels; readonly clock: Clock },
  account: string,
  rule: Rule,
  { budgetMs, sample: sampled }: PreviewBounds,
): Promise<Preview> {
  const started = clock.monotonic();
  const { judge, narrow, fields } = await ruleJudge({ log, views }, account, rule, clock.now());
  const domains: DomainSuppressions = new Map();
  const shown = async ({ unified, facts, version }: ListedContact): Promise<ContactResource> => {
    const relations = await loadRelations(log, { ...unified, account, facts }, { domains });
    return toContactResource({ members: unified.members, facts, relations, fields, version });
  };
  const queries = contactQueries({ log, views });
  const sample: ContactResource[] = [];
  let count = 0;
  let examined = 0;
  for (let after: string | null = null; ; ) {
    const filter = { account, keys: [], ...narrow, after, descending: true, limit: PAGE_CONTACTS } satisfies ContactFilter;
    const { items, next } = await queries.pageWithin(filter, PAGE_BYTES);
    for (let from = 0; from < items.length; from += AT_ONCE) {
      const some = items.slice(from, from + AT_ONCE);
      const judged = await judge(some);
      const matching = some.filter((_, i) => judged[i]);
      for (const contact of matching.slice(0, sampled - sample.length)) sample.push(await shown(contact));
      count += matching.length;
      examined += some.length;
      const isLast = next === null && from + AT_ONCE >= items.length;
      if (!isLast && clock.monotonic() - started > budgetMs) return { count, exact: false, examined, sample };
    }
    if (next === null) return { count, exact: true, examined, sample };
    after = next;
    await clock.yieldToEventLoop();
  }
}
