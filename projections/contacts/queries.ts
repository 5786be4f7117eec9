import { membersOf } from '../../domain/contacts/contact-tree.js';
import type { Facts } from '../../domain/contacts/facts.js';
import type { ShownValue } from '../../domain/contacts/other-addresses.js';
import type { Member } from '../../domain/contacts/resource.js';
import { ERASED } from '../../domain/kernel/erased.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { Docs, Find, FoundPage, ReadModels, Value } from '../../domain/kernel/ports.js';
import type { TimestampedValue } from '../../domain/kernel/timestamped.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { type ContactRecord, type RecordNode, type RecordValue, recordVersionOf, sealedFactsOf } from './contact-record.js';
import { type ContactDoc, contacts, fieldEntry } from './projection.js';

/** Filters and range of a page of contacts. `after` is the cursor of the last contact of the page before. */
export interface ContactFilter {
  readonly account: string;
  /** HMACs of addresses, unique and personal values. The contact must have all of them. */
  readonly keys: readonly string[];
  /** Open custom fields with their values as text. */
  readonly fields: readonly (readonly [key: string, value: string])[];
  readonly tag?: string | undefined;
  readonly list_id?: string | undefined;
  readonly after: string | null;
  readonly descending: boolean;
  readonly limit: number;
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

export type ContactQueries = ReturnType<typeof contactQueries>;

/** Queries over all contacts of an account. Personal values are opened here. */
export function contactQueries({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) {
  const docs = views.docs<ContactDoc>(contacts, 'contacts');

  return {
    /** A page of contacts with their cursors. */
    async page(filter: ContactFilter): Promise<{ item: ListedContact; cursor: string }[]> {
      const { found } = await matching(filter, async (find) => ({ docs: await docs.find(find), cut: false }));
      return listed(log, found);
    },

    /** The same, ending with the contact whose document reaches `maxBytes`. `next` is the cursor of the next page, null after the last one. */
    async pageWithin(filter: ContactFilter, maxBytes: number): Promise<{ items: ListedContact[]; next: string | null }> {
      const { found, more } = await matching(filter, (find) => docs.findPage(find, maxBytes));
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
      const shown = await listed(
        log,
        found.filter((doc) => doc !== null),
      );
      const rest = shown.values();
      return found.map((doc) => (doc ? ((rest.next().value as (typeof shown)[number]).item ?? null) : null));
    },

    /** Documents with their personal values opened. */
    async show(found: readonly ContactDoc[]): Promise<ListedContact[]> {
      return (await listed(log, found)).map(({ item }) => item);
    },

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
async function matching(filter: ContactFilter, find: FindDocs): Promise<{ found: ContactDoc[]; more: boolean }> {
  const { account, keys, tag, list_id, descending, limit } = filter;
  const fields = filter.fields.map(([key, value]) => fieldEntry(key, value));
  const [key, ...otherKeys] = keys;
  const [field, ...otherFields] = fields;
  const where: Record<string, Value> = {
    account,
    ...(key && { keys: key }),
    ...(field && { fields: field }),
    ...(tag !== undefined && { tags: tag }),
    ...(list_id !== undefined && { list_ids: list_id }),
  };
  const matches = (doc: ContactDoc) => otherKeys.every((one) => doc.keys.includes(one)) && otherFields.every((one) => doc.fields.includes(one));
  const exact = otherKeys.length === 0 && otherFields.length === 0;
  const found: ContactDoc[] = [];
  for (let after = filter.after; ; ) {
    const take = exact ? limit : MAX_SCANNED;
    const range = after === null ? {} : { range: { field: 'sort', [descending ? 'lt' : 'gt']: after } };
    const { docs, cut } = await find({ where, ...range, order: { field: 'sort', descending }, limit: take });
    found.push(...docs.filter(matches));
    const last = docs.at(-1);
    const ended = !last || (docs.length < take && !cut);
    if (ended || found.length >= limit || (cut && found.length > 0)) return { found: found.slice(0, limit), more: !ended || found.length > limit };
    after = last.sort;
  }
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
