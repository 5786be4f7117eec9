import { membersOf } from '../../domain/contacts/contact-tree.js';
import type { Facts } from '../../domain/contacts/facts.js';
import type { ShownValue } from '../../domain/contacts/other-addresses.js';
import type { Member } from '../../domain/contacts/resource.js';
import { ERASED } from '../../domain/kernel/erased.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { Docs, Find, FoundPage, ReadModels, Value } from '../../domain/kernel/ports.js';
import type { TimestampedValue } from '../../domain/kernel/timestamped.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { type CountRange, countInRange } from '../runtime/paging.js';
import { type ContactRecord, type RecordNode, type RecordValue, recordVersionOf, sealedFactsOf } from './contact-record.js';
import { hasTwin } from './possible-duplicates.js';
import { COMPARED_SINCE, type ContactDoc, contacts, exactFieldEntry, fieldEntry, hasFieldValue } from './projection.js';
import type { ContactSearch } from './search.js';
import { hasTerms } from './search-entries.js';

/** Filters and range of a page of contacts. `after` is the cursor of the last contact of the page before. */
export interface ContactFilter {
  readonly account: string;
  /** HMACs of addresses, unique and personal values. The contact must have all of them. */
  readonly keys: readonly string[];
  /** Open custom fields with their values as text. */
  readonly fields: readonly (readonly [key: string, value: string])[];
  /** Open custom fields with texts that theirs equal as rules compare them, at least: others may be found, too. */
  readonly compared?: readonly (readonly [key: string, text: string])[];
  readonly tag?: string | undefined;
  readonly list_id?: string | undefined;
  readonly search?: ContactSearch | undefined;
  /** Only contacts whose number another one has in its other spelling. Not with a search. */
  readonly duplicates?: true | undefined;
  readonly after: string | null;
  readonly descending: boolean;
  readonly limit: number;
}

/** Contacts of a page, with their cursors. */
export interface SearchedPage {
  readonly found: readonly { readonly item: ListedContact; readonly cursor: string }[];
  /** Where the search ended before it had enough; null if it has enough, or has seen all. */
  readonly searchedTo: string | null;
}

/** A contact with its parts. */
export interface UnifiedNode {
  readonly tree: RecordNode;
  /** The root first. */
  readonly members: readonly (Member & ContactRecord)[];
}

/** A contact from the read model, with its personal values opened. */
export interface ListedContact {
  readonly unified: UnifiedNode;
  readonly facts: Facts;
  readonly version: number;
}

/** The most documents that one page scans, where several filters of one kind are applied one by one. */
const MAX_SCANNED = 500;
/** The most documents that one page of a search reads. */
const MAX_SEARCHED = 10_000;
/** Contacts that are looked at together for duplicates. */
const AT_ONCE = 25;
/** Fewer contacts than this with one term are found fast, whatever the other terms are. */
const FEW = 100;

export type ContactQueries = ReturnType<typeof contactQueries>;

/** Queries over all contacts of an account. Personal values are opened here. */
export function contactQueries({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) {
  const docs = views.docs<ContactDoc>(contacts, 'contacts');
  let isCompared = false;
  /** Until contacts are rebuilt by this release, their entries are those of earlier ones. */
  const conditions = async (filter: ContactFilter): Promise<Conditions> => {
    const asksForFields = filter.fields.length > 0 || (filter.compared?.length ?? 0) > 0;
    if (asksForFields && !isCompared) isCompared = (await views.status(contacts)).version >= COMPARED_SINCE;
    return conditionsOf(filter, isCompared);
  };

  return {
    /** A page of contacts with their cursors. Where the filter has a search, use `search`. */
    async page(filter: Omit<ContactFilter, 'search'>): Promise<{ item: ListedContact; cursor: string }[]> {
      const { found } = await matching(filter, await conditions(filter), async (find) => ({ docs: await docs.find(find), cut: false }));
      return listed(log, found);
    },

    /** How many contacts the filter finds; null where they are found one by one. */
    async count(filter: ContactFilter, range: CountRange): Promise<number | null> {
      const { where, exact } = await conditions(filter);
      return exact && !filter.search && !filter.duplicates ? countInRange(docs, where, range) : null;
    },

    /** The same with a search, or for possible duplicates: it may end before it has a whole page. */
    async search(filter: ContactFilter): Promise<SearchedPage> {
      const { search, duplicates } = filter;
      if (duplicates) return duplicated({ log, docs }, filter, await conditions(filter));
      return search ? searched({ log, docs }, filter, await conditions(filter), search) : { found: await this.page(filter), searchedTo: null };
    },

    /** The same, ending with the contact whose document reaches `maxBytes`. `next` is the cursor of the next page, null after the last one. */
    async pageWithin(filter: ContactFilter, maxBytes: number): Promise<{ items: ListedContact[]; next: string | null }> {
      const { found, more } = await matching(filter, await conditions(filter), (find) => docs.findPage(find, maxBytes));
      const items = (await listed(log, found)).map(({ item }) => item);
      return { items, next: more ? (found.at(-1)?.sort ?? null) : null };
    },

    /** A page in the order of creation, as they are stored. */
    async stored(account: string, after: string | null, limit: number): Promise<{ node: UnifiedNode; cursor: string }[]> {
      const range = after === null ? {} : { range: { field: 'sort', gt: after } };
      const found = await docs.find({ where: { account }, ...range, order: { field: 'sort' }, limit });
      return found.map(({ tree, sort }) => ({ node: unifiedOf(tree), cursor: sort }));
    },

    /** The contacts with these ids, or those they are merged into, in the order of the ids; null for one that is gone. */
    async survivors(account: string, ids: readonly string[]): Promise<(ListedContact | null)[]> {
      const found = await survivorDocs(docs, account, ids);
      const kept = found.filter((doc) => doc !== null);
      const shown = new Map((await listed(log, kept)).map(({ item }, i) => [kept[i], item]));
      return found.map((doc) => (doc && shown.get(doc)) ?? null);
    },

    /** Documents with their personal values opened. */
    show: async (found: readonly ContactDoc[]): Promise<ListedContact[]> => (await listed(log, found)).map(({ item }) => item),

    /** The same as they are stored. */
    survivorDocs: (account: string, ids: readonly string[]): Promise<(ContactDoc | null)[]> => survivorDocs(docs, account, ids),
  };
}

/** A contact is merged into one that may be merged itself. */
async function survivorDocs(docs: Docs<ContactDoc>, account: string, ids: readonly string[]): Promise<(ContactDoc | null)[]> {
  const intoOf = (doc: ContactDoc | undefined): string | null => (doc && 'into' in doc ? (doc.into as string) : null);
  let found = await docs.getMany(ids);
  while (found.some((doc) => intoOf(doc) !== null)) {
    const steps = found.map(intoOf);
    const next = await docs.getMany([...new Set(steps.filter((id) => id !== null))]);
    const byId = new Map(next.flatMap((doc) => (doc ? [[doc.id, doc]] : [])));
    found = found.map((doc, i) => (steps[i] === null ? doc : byId.get(steps[i] as string)));
  }
  return found.map((doc) => (doc?.account === account ? doc : null));
}

async function listed(log: EventLog, found: readonly ContactDoc[]): Promise<{ item: ListedContact; cursor: string }[]> {
  const facts = await opened(
    log,
    found.map(({ tree }) => sealedFactsOf(tree)),
  );
  return found.map(({ tree, sort }, i) => ({
    item: { unified: unifiedOf(tree), facts: facts[i] as Facts, version: recordVersionOf(tree) },
    cursor: sort,
  }));
}

const unifiedOf = (tree: RecordNode): UnifiedNode => ({ tree, members: membersOf(tree).map(({ id, own }) => ({ id, ...own })) });

type FindDocs = (query: Find) => Promise<Pick<FoundPage<ContactDoc>, 'docs' | 'cut'>>;

/**
 * One value of each list field uses the index; further values of the same field filter its result. `more`: there may be
 * others after the last one.
 */
async function matching(
  { descending, limit, after: start }: ContactFilter,
  { where, matches, exact }: Conditions,
  find: FindDocs,
): Promise<{ found: ContactDoc[]; more: boolean }> {
  const found: ContactDoc[] = [];
  // Mostly all of the first ones match; where they do not, many are read at once.
  for (let [after, take] = [start, limit]; ; take = exact ? limit : MAX_SCANNED) {
    const { docs, cut } = await find({ where, ...rangeAfter(after, descending), limit: take });
    found.push(...docs.filter(matches));
    const last = docs.at(-1);
    const ended = !last || (docs.length < take && !cut);
    if (ended || found.length >= limit || (cut && found.length > 0)) return { found: found.slice(0, limit), more: !ended || found.length > limit };
    after = last.sort;
  }
}

const rangeAfter = (after: string | null, descending: boolean): Pick<Find, 'range' | 'order'> => ({
  ...(after !== null && { range: { field: 'sort', [descending ? 'lt' : 'gt']: after } }),
  order: { field: 'sort', descending },
});

/** What the index finds, and what is left to compare. */
interface Conditions {
  readonly where: Record<string, Value>;
  readonly matches: (doc: ContactDoc) => boolean;
  /** Nothing is left to compare. */
  readonly exact: boolean;
}

/** `isCompared`: documents have the entries of `fieldEntry`. */
function conditionsOf({ account, keys, tag, list_id, fields, compared = [] }: ContactFilter, isCompared: boolean): Conditions {
  // Nothing has the entry of a value that is too long to be indexed.
  const exactly = fields.map(([key, value]) => (isCompared ? fieldEntry(key, value) : null) ?? exactFieldEntry(key, value));
  const entries = [...exactly, ...(isCompared ? compared.flatMap(([key, text]) => fieldEntry(key, text) ?? []) : [])];
  const [key, ...otherKeys] = keys;
  const [field, ...otherFields] = entries;
  const where: Record<string, Value> = {
    account,
    ...(key && { keys: key }),
    ...(field && { fields: field }),
    ...(tag !== undefined && { tags: tag }),
    ...(list_id !== undefined && { list_ids: list_id }),
  };
  const matches = (doc: ContactDoc) =>
    otherKeys.every((one) => doc.keys.includes(one)) &&
    otherFields.every((one) => doc.fields.includes(one)) &&
    fields.every(([key, value]) => hasFieldValue(doc, key, value));
  return { where, matches, exact: otherKeys.length === 0 && otherFields.length === 0 && fields.length === 0 };
}

interface SearchStores {
  readonly log: EventLog;
  readonly docs: Docs<ContactDoc>;
}

/** The index finds contacts with one of the hashes; those with all of them are opened and compared with the terms. */
async function searched(
  { log, docs }: SearchStores,
  filter: ContactFilter,
  conditions: Conditions,
  { terms, hashes }: ContactSearch,
): Promise<SearchedPage> {
  const { descending, limit } = filter;
  const where = { ...conditions.where, search: await tellingHash(docs, filter.account, hashes) };
  const matches = (doc: ContactDoc) => conditions.matches(doc) && hashes.every((hash) => doc.search.includes(hash));
  const take = conditions.exact && hashes.length === 1 ? Math.min(limit, MAX_SCANNED) : MAX_SCANNED;
  const found: { item: ListedContact; cursor: string }[] = [];
  for (let after = filter.after, read = 0; ; ) {
    const page = await docs.find({ where, ...rangeAfter(after, descending), limit: take });
    const candidates = await listed(log, page.filter(matches));
    found.push(...candidates.filter(({ item }) => hasTerms(valuesOf(item.facts), terms)));
    const last = page.at(-1);
    if (!last || page.length < take || found.length >= limit) return { found: found.slice(0, limit), searchedTo: null };
    read += page.length;
    after = last.sort;
    if (read >= MAX_SEARCHED) return { found, searchedTo: after };
  }
}

/** Those that may have a duplicate are looked at. */
async function duplicated({ log, docs }: SearchStores, filter: ContactFilter, { where, matches }: Conditions): Promise<SearchedPage> {
  const { descending, limit } = filter;
  const page = await docs.find({ where: { ...where, unclaimed: true }, ...rangeAfter(filter.after, descending), limit: MAX_SCANNED });
  const found: ContactDoc[] = [];
  for (let from = 0; from < page.length && found.length < limit; from += AT_ONCE) {
    const some = page.slice(from, from + AT_ONCE).filter(matches);
    const twins = await Promise.all(some.map((doc) => hasTwin(docs, doc)));
    found.push(...some.filter((_, i) => twins[i]));
  }
  const isLast = page.length < MAX_SCANNED || found.length >= limit;
  return { found: await listed(log, found.slice(0, limit)), searchedTo: isLast ? null : (page.at(-1)?.sort ?? null) };
}

const valuesOf = ({ values }: Facts): [string, unknown][] => Object.entries(values).map(([name, { value }]) => [name, value]);

/** A hash that few contacts have, or else the first: of `ann gmail`, few are called Ann. */
async function tellingHash(docs: Docs<ContactDoc>, account: string, hashes: readonly string[]): Promise<string> {
  const [first = '', ...others] = hashes;
  for (const search of others.length > 0 ? hashes : []) {
    if ((await docs.find({ where: { account, search }, limit: FEW })).length < FEW) return search;
  }
  return first;
}

/** Opens each box once, with one call for all contacts of a page. */
async function opened(log: EventLog, all: readonly Facts[]): Promise<Facts[]> {
  const boxes = [...new Set(all.flatMap(({ values }) => Object.values(values).flatMap(({ value }) => boxOf(value) ?? [])))];
  const contents = await log.openBoxes(boxes, 'ContactCreated');
  const personal = new Map(boxes.map((box, i) => [box, (contents[i]?.personal ?? {}) as Record<string, unknown>]));
  return all.map((facts) => {
    const values = Object.entries(facts.values).map(([name, timestamped]): [string, TimestampedValue] => [
      name,
      { ...timestamped, value: plain((timestamped as ShownValue).from ?? name, timestamped.value as RecordValue, personal) },
    ]);
    return { ...facts, values: Object.fromEntries(values) };
  });
}

const boxOf = (value: unknown): string | null => {
  const stored = value as RecordValue;
  return stored && 'box' in stored ? stored.box : null;
};

function plain(name: string, stored: RecordValue, personal: ReadonlyMap<string, Record<string, unknown>>): unknown {
  if (!stored) return null;
  if ('is' in stored) return stored.is;
  const content = personal.get(stored.box) ?? {};
  return Object.hasOwn(content, name) ? ownField(content, name) : ERASED;
}
