import { createHmac, timingSafeEqual } from 'node:crypto';
import Type from 'typebox';
import { DomainError } from '../../domain/kernel/errors.js';
import type { Value } from '../../domain/kernel/ports.js';
import { annotate, count, flag, list, named, nullable, oneOf, optional, record, type TSchema } from '../../domain/kernel/schema.js';
import { fingerprint } from '../../log/runtime/ids.js';
import type { CountRange, WithCursor } from '../../projections/runtime/paging.js';
import { canonicalTime, createdFilters } from './query-parameters.js';
import type { Caller } from './route.js';

const sortOrder = named('SortOrder', oneOf('asc', 'desc'));

/** The query parameters of every list; spread them into a route's query. */
export const pagingQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of items on a page.' }),
  cursor: optional(Type.String({ maxLength: 2048, description: '`next_cursor` of the previous page. All other parameters must be the same.' })),
  order: annotate(sortOrder, { default: 'desc', description: '`desc`: newest first.' }),
};

/** The same for lists with a time. Their sort keys must begin with that time. */
export const timedPagingQuery = (time?: string) => ({ ...pagingQuery, ...createdFilters(time) });

/** Items are counted up to this number. */
export const MAX_TOTAL = 10_000;

/** For lists that can be counted. */
export const countedQuery = {
  count: optional(
    annotate(named('CountFlag', oneOf('true', 'false')), {
      description: `\`true\`: with \`total\`, the number of items on all pages: exact up to ${MAX_TOTAL.toLocaleString('en-US')}, above that this number and \`exact: false\`.`,
    }),
  ),
};

const totalSchema = annotate(named('Total', record({ value: count, exact: Type.Boolean({ description: 'False where there are more.' }) })), {
  description: 'With `count=true`, where the list has that parameter. Null where these filters find items only one by one.',
});

/** The same for lists in ascending order by default. */
export const oldestFirst = { order: annotate(sortOrder, { default: 'asc', description: '`asc`: oldest first.' }) };

/** The response of every list. Items named `Contact` make a page named `ContactPage`. */
export function pageOf<S extends TSchema>(row: S) {
  const page = record({ data: list(row), next_cursor: nullable(Type.String()), has_more: flag, total: optional(nullable(totalSchema)) });
  const { title } = row as { title?: string };
  return title === undefined ? page : named(`${title}Page`, page);
}

export interface ResultPage<Row> {
  readonly data: readonly Row[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

/** The cursor of an item: the values that it is sorted by, the last one unique. */
export type SortKey = readonly Value[];

interface PagedRequest {
  readonly caller: Caller;
  readonly params?: unknown;
  /** Rows are no longer loaded once it is aborted. */
  readonly signal?: AbortSignal;
  readonly query: {
    readonly limit: number;
    readonly order: 'asc' | 'desc';
    readonly cursor?: string;
    readonly created_after?: string;
    readonly created_before?: string;
    readonly count?: 'true' | 'false';
  };
}

/** The paging parameters of a request. */
export interface Paging {
  readonly limit: number;
  /** Rows to fetch: one more than the page holds, to find out whether there is a next page. */
  readonly take: number;
  readonly descending: boolean;
  /** Sort key before the first item of the page: that of the last item of the previous page, or a bound of time; null for the start. */
  readonly after: SortKey | null;
  /** `after` of lists with a single sort key, with the other parameters of a read model. */
  readonly range: { readonly after: string | null; readonly descending: boolean; readonly limit: number };
  /**
   * Makes the response from up to `take` loaded items, without those outside a bound of time. `show` converts an item. A page that
   * would be larger than 4 MB ends early, after at least one row.
   */
  page<Row>(rows: readonly Row[], keyOf: (row: Row) => SortKey): ResultPage<Row>;
  page<Row, Shown>(rows: readonly Row[], keyOf: (row: Row) => SortKey, show: (row: Row) => Shown): ResultPage<Shown>;
  /** The same for items with their cursors, as queries return them. */
  pageOfItems<Item>(found: readonly WithCursor<Item>[]): ResultPage<Item>;
  pageOfItems<Item, Shown>(found: readonly WithCursor<Item>[], show: (item: Item) => Shown): ResultPage<Shown>;
  /**
   * The same for rows that must be loaded or opened to be shown. `show` is given a few at a time, and no more than the page takes.
   * `searchedTo`: where a search for rows has ended before it had enough of them; then there may be more on the next page.
   */
  pageOfLoaded<Row, Shown>(
    rows: readonly Row[],
    keyOf: (row: Row) => SortKey,
    show: (rows: readonly Row[]) => Promise<readonly Shown[]>,
    searchedTo?: SortKey | null,
  ): Promise<ResultPage<Shown>>;
  /** Makes the response from all items of a list in memory, in any order. */
  pageOfAll<Row>(rows: readonly Row[], keyOf: (row: Row) => string): ResultPage<Row>;
  pageOfAll<Row, Shown>(rows: readonly Row[], keyOf: (row: Row) => string, show: (row: Row) => Shown): ResultPage<Shown>;
  /** `total` of the answer, where the request asks for it; `counted` gives the number of items in a range, or null. */
  total(counted: (range: CountRange) => Promise<number | null>): Promise<{ readonly total?: Total | null }>;
}

/** The number of items of a list. */
export interface Total {
  readonly value: number;
  /** False where there are more. */
  readonly exact: boolean;
}

/** The sort key of an item with its cursor. */
const byCursor = ({ cursor }: WithCursor<unknown>): SortKey => [cursor];

const MAC_BYTES = 16;
/** A page is at most this long, unless a single row is longer. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** Rows that are loaded at once to be shown. */
const LOADED_ROWS = 25;

/**
 * Signed cursors. A cursor contains the sort key of an item and is bound to account, list, path parameters and filters: it
 * cannot be forged, changed, or used with another query.
 */
export class Cursors {
  /** `key`: of the purpose `cursor`. */
  constructor(
    private readonly key: Buffer,
    private readonly maxPageBytes: number = MAX_PAGE_BYTES,
  ) {}

  /**
   * Reads the paging parameters of a request. `created_after` and `created_before` are bounds of the sort key unless `sortedByTime` is
   * false; such a list has to apply them itself. Throws `invalid_cursor`.
   */
  read(request: PagedRequest, listName: string, { sortedByTime = true } = {}): Paging {
    const { limit, cursor, count, ...filters } = request.query;
    const scope = fingerprint([request.caller.account, listName, request.params ?? null, filters]);
    const descending = filters.order === 'desc';
    const bounds = timeBounds(sortedByTime ? filters : {}, descending);
    const after = cursor === undefined ? bounds.start : this.#open(cursor, scope);
    const within = <Row>(rows: readonly Row[], keyOf: (row: Row) => SortKey): readonly Row[] => {
      const beyond = rows.findIndex((row) => bounds.isBeyond(keyOf(row)));
      return beyond < 0 ? rows : rows.slice(0, beyond);
    };
    const answer = <Row, Shown>(rows: readonly Row[], keyOf: (row: Row) => SortKey, { data }: SizedRows<Shown>): ResultPage<Shown> => {
      const last = rows[data.length - 1];
      const more = rows.length > data.length && last !== undefined;
      return { data, next_cursor: more ? this.#sign(keyOf(last), scope) : null, has_more: more };
    };
    const page = <Row, Shown>(fetched: readonly Row[], keyOf: (row: Row) => SortKey, show?: (row: Row) => Shown): ResultPage<Row | Shown> => {
      const rows = within(fetched, keyOf);
      const sized = new SizedRows<Row | Shown>(this.maxPageBytes);
      for (const row of rows.slice(0, limit)) if (!sized.add(show ? show(row) : row)) break;
      return answer(rows, keyOf, sized);
    };
    const pageOfItems = <Item, Shown>(found: readonly WithCursor<Item>[], show?: (item: Item) => Shown): ResultPage<Item | Shown> =>
      page(found, byCursor, ({ item }): Item | Shown => (show ? show(item) : item)) as ResultPage<Item | Shown>;
    const pageOfLoaded: Paging['pageOfLoaded'] = async (fetched, keyOf, show, searchedTo = null) => {
      const rows = within(fetched, keyOf);
      const wanted = rows.slice(0, limit);
      const sized = new SizedRows<Awaited<ReturnType<typeof show>>[number]>(this.maxPageBytes);
      for (let from = 0; from < wanted.length && !sized.full; from += LOADED_ROWS) {
        if (from > 0) request.signal?.throwIfAborted();
        for (const row of await show(wanted.slice(from, from + LOADED_ROWS))) if (!sized.add(row)) break;
      }
      const isShort = searchedTo !== null && sized.data.length === rows.length && !bounds.isBeyond(searchedTo);
      if (isShort) return { data: sized.data, next_cursor: this.#sign(searchedTo, scope), has_more: true };
      return answer(rows, keyOf, sized);
    };
    const range = { after: after === null ? null : String(after[0]), descending, limit: limit + 1 };
    const pageOfAll = <Row, Shown>(rows: readonly Row[], keyOf: (row: Row) => string, show?: (row: Row) => Shown): ResultPage<Row | Shown> =>
      page(rowsOfRange(rows, keyOf, range), (row) => [keyOf(row)], show as (row: Row) => Shown);
    const total: Paging['total'] = async (counted) => {
      if (count !== 'true') return {};
      const { earliest: after, latest: before } = bounds;
      const found = await counted({ after, before, limit: MAX_TOTAL + 1 });
      return { total: found === null ? null : { value: Math.min(found, MAX_TOTAL), exact: found <= MAX_TOTAL } };
    };
    return {
      limit,
      take: limit + 1,
      descending,
      after,
      range,
      page: page as Paging['page'],
      pageOfItems: pageOfItems as Paging['pageOfItems'],
      pageOfLoaded,
      pageOfAll: pageOfAll as Paging['pageOfAll'],
      total,
    };
  }

  #sign(key: SortKey, scope: string): string {
    const payload = Buffer.from(JSON.stringify(key));
    return Buffer.concat([this.#mac(payload, scope), payload]).toString('base64url');
  }

  #open(cursor: string, scope: string): SortKey {
    const bytes = Buffer.from(cursor, 'base64url');
    const payload = bytes.subarray(MAC_BYTES);
    const genuine = bytes.length > MAC_BYTES && timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.#mac(payload, scope));
    if (!genuine) throw new DomainError('invalid_cursor', 'This cursor does not belong to this list with these filters. Start again without one.');
    return JSON.parse(payload.toString()) as SortKey;
  }

  #mac(payload: Buffer, scope: string): Buffer {
    return createHmac('sha256', this.key).update(scope).update('\n').update(payload).digest().subarray(0, MAC_BYTES);
  }
}

/** Rows of a page, up to a size in bytes. */
class SizedRows<Row> {
  readonly data: Row[] = [];
  full = false;
  #bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** False where the row no longer fits. The first one always does. */
  add(row: Row): boolean {
    this.#bytes += Buffer.byteLength(JSON.stringify(row) ?? '');
    this.full = this.#bytes > this.maxBytes && this.data.length > 0;
    if (!this.full) this.data.push(row);
    return !this.full;
  }
}

/** Sorts after every sort key that begins with a time. */
const AFTER_TIME = '~';

/** Both bounds of time as sort keys: the start of the page, and the bound after which items are outside. */
function timeBounds({ created_after, created_before }: Pick<PagedRequest['query'], 'created_after' | 'created_before'>, descending: boolean) {
  const earliest = created_after === undefined ? null : canonicalTime(created_after) + AFTER_TIME;
  const latest = created_before === undefined ? null : canonicalTime(created_before);
  const [start, end] = descending ? [latest, earliest] : [earliest, latest];
  const isBeyond = ([key]: SortKey): boolean => end !== null && (descending ? String(key) < end : String(key) >= end);
  return { earliest, latest, start: start === null ? null : [start], isBeyond };
}

function rowsOfRange<Row>(rows: readonly Row[], keyOf: (row: Row) => string, { after, descending, limit }: Paging['range']): Row[] {
  const sign = descending ? -1 : 1;
  const isNext = (row: Row): boolean => after === null || (descending ? keyOf(row) < after : keyOf(row) > after);
  return rows
    .filter(isNext)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -sign : sign))
    .slice(0, limit);
}
