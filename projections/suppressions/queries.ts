import type { Find, ReadModels } from '../../domain/kernel/ports.js';
import type { SuppressionReason, SuppressionScope } from '../../domain/suppressions/reasons.js';
import { foremost, type ListedCause } from '../../domain/suppressions/suppression.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { type OpenSource, openSources } from '../../log/runtime/open-sources.js';
import { type CountRange, countInRange, findInRange, type PageRange, type WithCursor } from '../runtime/paging.js';
import type { StoredKeys } from '../runtime/stream-index.js';
import { type SuppressionDoc, suppressions } from './projection.js';

/** An entry of the do-not-contact list. */
export interface SuppressionEntry extends Pick<SuppressionDoc, 'id' | 'address_key' | 'channel' | 'created_at' | 'updated_at'> {
  /** `<erased>` once its key is destroyed; null if only its key is known. */
  readonly address: string | null;
  /** The widest of the active reasons. */
  readonly scope: SuppressionScope;
  /** The first of the active reasons in order of precedence that has this scope. */
  readonly reason: SuppressionReason;
  readonly reasons: readonly OpenSource<ListedCause>[];
}

export interface SuppressionFilter {
  readonly account: string;
  readonly address_key?: string;
  readonly channel?: string;
  readonly reason?: string;
}

export type SuppressionQueries = ReturnType<typeof suppressionQueries>;

/** Queries over the do-not-contact list. They open the addresses and sources. */
export function suppressionQueries({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) {
  const docs = views.docs<SuppressionDoc>(suppressions, 'entries');

  return {
    /** Null if there is none in this account. */
    async entry(account: string, id: string): Promise<SuppressionEntry | null> {
      const doc = await docs.get(id);
      return doc?.account === account ? ((await openEntries(log, [doc]))[0] ?? null) : null;
    },

    /** A page of entries, newest first if `descending`. */
    async entries(by: SuppressionFilter & PageRange): Promise<WithCursor<SuppressionEntry>[]> {
      const found = await docs.find(findInRange(whereOf(by), by));
      const items = await openEntries(log, found);
      return items.map((item, i) => ({ item, cursor: (found[i] as SuppressionDoc).sort }));
    },

    count: (by: SuppressionFilter, range: CountRange): Promise<number> => countInRange(docs, whereOf(by), range),
  };
}

/** The address keys of all entries, in pages by entry id. */
export function storedSuppressionKeys(views: ReadModels): StoredKeys {
  const docs = views.docs<SuppressionDoc>(suppressions, 'entries');
  return {
    async page(after, limit) {
      const found = await docs.find({ where: {}, range: { field: 'id', gt: after }, order: { field: 'id' }, limit });
      return { keys: found.map(({ address_key }) => address_key), last: found.at(-1)?.id };
    },
    position: async () => (await views.status(suppressions)).position,
  };
}

const whereOf = ({ account, address_key, channel, reason }: SuppressionFilter): Find['where'] => ({
  ...{ account, ...(address_key && { address_key }), ...(channel && { channel }), ...(reason && { reasons: reason }) },
});

async function openEntries(log: EventLog, docs: readonly SuppressionDoc[]): Promise<SuppressionEntry[]> {
  const boxes = await log.openBoxes(
    docs.map(({ address_box }) => address_box),
    'AddressSuppressed',
  );
  const opened = await openSources(
    log,
    docs.flatMap(({ causes }) => causes),
  );
  const gone = log.erased('AddressSuppressed');
  return docs.map(({ id, address_key, channel, causes, created_at, updated_at }, i) => {
    const { address } = (boxes[i] ?? gone) as { address: string | null };
    const { reason, scope } = foremost(causes) as (typeof causes)[number];
    const reasons = opened.splice(0, causes.length);
    return { id, address_key, address, channel, scope, reason, reasons, created_at, updated_at };
  });
}
