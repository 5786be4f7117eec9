import { createHmac, timingSafeEqual } from 'node:crypto';
import Type from 'typebox';
import { DomainError } from '../../domain/kernel/errors.js';
import type { Value } from '../../domain/kernel/ports.js';
import { annotate, flag, list, named, nullable, oneOf, optional, record, type TSchema } from '../../domain/kernel/schema.js';
import { fingerprint } from '../../log/ids.js';
import { canonicalTime, createdFilters } from './query-parameters.js';
import type { Caller } from './route.js';

const sortOrder = named('SortOrder', oneOf('asc', 'desc'));

/** The query parameters of every list; spread them into a route's own. */
export const pagingQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Rows of one page.' }),
  cursor: optional(
    Type.String({ maxLength: 2048, description: '`next_cursor` of the page before. Everything else in the query must stay the same.' }),
  ),
  order: annotate(sortOrder, { default: 'desc', description: '`desc` is newest first.' }),
};

/** The same for lists whose rows have a time. Their sort keys have to begin with that time. */
export const timedPagingQuery = (time?: string) => ({ ...pagingQuery, ...createdFilters(time) });

/** The same for lists that begin with the oldest row. */
export const oldestFirst = { order: annotate(sortOrder, { default: 'asc', description: '`asc` is oldest first.' }) };

/** The body of every list. Rows named `Contact` make a page named `ContactPage`. */
export function pageOf<S extends TSchema>(row: S) {
  const page = record({ data: list(row), next_cursor: nullable(Type.String()), has_more: flag });
  const { title } = row as { title?: string };
  return title === undefined ? page : named(`${title}Page`, page);
}

export interface Page<Row> {
  readonly data: readonly Row[];
  /** Null on the last page. */
  readonly next_cursor: string | null;
  readonly has_more: boolean;
}

/** Where a row stands in its list: the values it is sorted by, the last one unique. */
export type SortKey = readonly Value[];

interface PagedRequest {
  readonly caller: Caller;
  readonly params?: unknown;
  readonly query: {
    readonly limit: number;
    readonly order: 'asc' | 'desc';
    readonly cursor?: string;
    readonly created_after?: string;
    readonly created_before?: string;
  };
}

/** The paging parameters of a request. */
export interface Paging {
  readonly limit: number;
  /** Rows to fetch: one more than the page holds, to find out whether there is a next page. */
  readonly take: number;
  readonly descending: boolean;
  /** Sort key behind which the page begins: that of the last row of the page before, or a bound of time; null for the start of the list. */
  readonly after: SortKey | null;
  /** `after` of lists with a single sort key, with everything else that a read model needs to know. */
  readonly range: { readonly after: string | null; readonly descending: boolean; readonly limit: number };
  /** Makes the answer of up to `take` fetched rows, without those beyond a bound of time. `show` makes a row presentable. */
  page<Row>(rows: readonly Row[], keyOf: (row: Row) => SortKey): Page<Row>;
  page<Row, Shown>(rows: readonly Row[], keyOf: (row: Row) => SortKey, show: (row: Row) => Shown): Page<Shown>;
  /** Makes the answer of all rows of a list that is held in memory, in any order. */
  pageOfAll<Row>(rows: readonly Row[], keyOf: (row: Row) => string): Page<Row>;
  pageOfAll<Row, Shown>(rows: readonly Row[], keyOf: (row: Row) => string, show: (row: Row) => Shown): Page<Shown>;
}

const MAC_BYTES = 16;

/**
 * Signed cursors. A cursor holds the sort key of a row and is bound to account, list, path parameters and filters: it
 * cannot be made up, changed, or carried over to another query.
 */
export class Cursors {
  /** `key` is of the purpose `cursor`. */
  constructor(private readonly key: Buffer) {}

  /**
   * Reads the paging parameters of a request. `created_after` and `created_before` are bounds of the sort key unless `sortedByTime` is
   * false; such a list has to apply them itself. Throws `invalid_cursor`.
   */
  read(request: PagedRequest, listName: string, { sortedByTime = true } = {}): Paging {
    const { limit, cursor, ...filters } = request.query;
    const scope = fingerprint([request.caller.account, listName, request.params ?? null, filters]);
    const descending = filters.order === 'desc';
    const bounds = timeBounds(sortedByTime ? filters : {}, descending);
    const after = cursor === undefined ? bounds.start : this.#open(cursor, scope);
    const page = <Row, Shown>(rows: readonly Row[], keyOf: (row: Row) => SortKey, show?: (row: Row) => Shown): Page<Row | Shown> => {
      const beyond = rows.findIndex((row) => bounds.isBeyond(keyOf(row)));
      const within = beyond < 0 ? rows : rows.slice(0, beyond);
      const data = within.slice(0, limit);
      const last = data.at(-1);
      const more = within.length > limit && last !== undefined;
      return { data: show ? data.map(show) : data, next_cursor: more ? this.#sign(keyOf(last), scope) : null, has_more: more };
    };
    const range = { after: after === null ? null : String(after[0]), descending, limit: limit + 1 };
    const pageOfAll = <Row, Shown>(rows: readonly Row[], keyOf: (row: Row) => string, show?: (row: Row) => Shown): Page<Row | Shown> =>
      page(rowsOfRange(rows, keyOf, range), (row) => [keyOf(row)], show as (row: Row) => Shown);
    return { limit, take: limit + 1, descending, after, range, page: page as Paging['page'], pageOfAll: pageOfAll as Paging['pageOfAll'] };
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

/** Follows every time in a sort key that begins with it. */
const AFTER_TIME = '~';

/** Both bounds of time as bounds of the order: where a page begins, and which rows lie beyond its end. */
function timeBounds({ created_after, created_before }: Pick<PagedRequest['query'], 'created_after' | 'created_before'>, descending: boolean) {
  const earliest = created_after === undefined ? null : canonicalTime(created_after) + AFTER_TIME;
  const latest = created_before === undefined ? null : canonicalTime(created_before);
  const [start, end] = descending ? [latest, earliest] : [earliest, latest];
  const isBeyond = ([key]: SortKey): boolean => end !== null && (descending ? String(key) < end : String(key) >= end);
  return { start: start === null ? null : [start], isBeyond };
}

function rowsOfRange<Row>(rows: readonly Row[], keyOf: (row: Row) => string, { after, descending, limit }: Paging['range']): Row[] {
  const sign = descending ? -1 : 1;
  const isNext = (row: Row): boolean => after === null || (descending ? keyOf(row) < after : keyOf(row) > after);
  return rows
    .filter(isNext)
    .sort((a, b) => (keyOf(a) < keyOf(b) ? -sign : sign))
    .slice(0, limit);
}
