import { membersOf } from '../../domain/contacts/contact-tree.js';
import type { Facts } from '../../domain/contacts/facts.js';
import type { Member } from '../../domain/contacts/resource.js';
import { ERASED } from '../../domain/kernel/erased.js';
import type { Find, ReadModels, Value } from '../../domain/kernel/ports.js';
import type { Timestamped } from '../../domain/kernel/timestamped.js';
import type { EventLog } from '../../log/event-log.js';
import { type ContactRecord, type RecordNode, type StoredValue, sealedFactsOf, version } from './contact-record.js';
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
export interface UnitedNode {
  readonly tree: RecordNode;
  /** The root first. */
  readonly members: readonly (Member & ContactRecord)[];
}

/** A contact from the read model, with its personal values opened. */
export interface ListedContact {
  readonly united: UnitedNode;
  readonly facts: Facts;
  readonly version: number;
}

/** The most documents that one page scans, where several filters of one kind are applied one by one. */
const MAX_SCANNED = 500;

/** Queries over all contacts of an account. Personal values are opened here. */
export function contactQueries({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) {
  const docs = views.docs<ContactDoc>(contacts, 'contacts');

  return {
    /** A page of contacts with their cursors. */
    async page(filter: ContactFilter): Promise<{ item: ListedContact; cursor: string }[]> {
      const found = await matching(filter, (find) => docs.find(find));
      const facts = await opened(
        log,
        found.map(({ tree }) => sealedFactsOf(tree)),
      );
      return found.map(({ tree, sort }, i) => ({
        item: { united: unitedOf(tree), facts: facts[i] as Facts, version: version(tree) },
        cursor: sort,
      }));
    },
  };
}

const unitedOf = (tree: RecordNode): UnitedNode => ({ tree, members: membersOf(tree).map(({ id, own }) => ({ id, ...own })) });

/** One value of each list field uses the index; further values of the same field filter its result. */
async function matching(filter: ContactFilter, find: (query: Find) => Promise<ContactDoc[]>): Promise<ContactDoc[]> {
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
    const some = await find({ where, ...range, order: { field: 'sort', descending }, limit: take });
    found.push(...some.filter(matches));
    const last = some.at(-1);
    if (some.length < take || found.length >= limit || !last) return found.slice(0, limit);
    after = last.sort;
  }
}

/** Opens each box once, with one call for all contacts of a page. */
async function opened(log: EventLog, all: readonly Facts[]): Promise<Facts[]> {
  const boxes = [...new Set(all.flatMap(({ values }) => Object.values(values).flatMap(({ value }) => boxOf(value) ?? [])))];
  const contents = await log.openBoxes(boxes);
  const personal = new Map(boxes.map((box, i) => [box, (contents[i]?.personal ?? {}) as Record<string, unknown>]));
  return all.map((facts) => {
    const values = Object.entries(facts.values).map(([name, timestamped]): [string, Timestamped] => [
      name,
      { ...timestamped, value: plain(name, timestamped.value as StoredValue, personal) },
    ]);
    return { ...facts, values: Object.fromEntries(values) };
  });
}

const boxOf = (value: unknown): string | null => {
  const stored = value as StoredValue;
  return stored && 'box' in stored ? stored.box : null;
};

function plain(name: string, stored: StoredValue, personal: ReadonlyMap<string, Record<string, unknown>>): unknown {
  if (!stored) return null;
  if ('is' in stored) return stored.is;
  const content = personal.get(stored.box) ?? {};
  return name in content ? content[name] : ERASED;
}
