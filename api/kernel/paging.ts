import { createHmac, timingSafeEqual } from 'node:crypto';
import Type from 'typebox';
import { DomainError } from '../../domain/kernel/errors.js';
import type { Value } from '../../domain/kernel/ports.js';
import { list, nullable, optional, type TSchema } from '../../domain/kernel/schema.js';
import { fingerprint } from '../../log/ids.js';
import type { Caller } from './route.js';

/** The query parameters of every list; spread them into a route's own. */
export const pagingQuery = {
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Rows of one page.' }),
  cursor: optional(
    Type.String({ maxLength: 2048, description: '`next_cursor` of the page before. Everything else in the query must stay the same.' }),
  ),
  order: Type.Enum(['asc', 'desc'], { default: 'desc', description: '`desc` is newest first.' }),
};

/** The answer's shape of every list. */
export const pageOf = <S extends TSchema>(row: S) =>
  Type.Object({ data: list(row), next_cursor: nullable(Type.String()), has_more: Type.Boolean() }, { additionalProperties: false });

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
  readonly query: { readonly limit: number; readonly order: 'asc' | 'desc'; readonly cursor?: string };
}

/** What a caller asked of a list. */
export interface Paging {
  readonly limit: number;
  /** Rows to fetch: one more than are shown, which tells whether there are more. */
  readonly take: number;
  readonly descending: boolean;
  /** Sort key of the last row of the page before; null on the first page. */
  readonly after: SortKey | null;
  /** Makes the answer of up to `take` fetched rows. `show` makes a row presentable. */
  page<Row>(rows: readonly Row[], keyOf: (row: Row) => SortKey): Page<Row>;
  page<Row, Shown>(rows: readonly Row[], keyOf: (row: Row) => SortKey, show: (row: Row) => Shown): Page<Shown>;
}

const MAC_BYTES = 16;

/**
 * Signed cursors. A cursor holds the sort key of a row and is bound to account, list, path parameters and filters: it
 * cannot be made up, changed, or carried over to another query.
 */
export class Cursors {
  /** `key` is of the purpose `cursor`. */
  constructor(private readonly key: Buffer) {}

  /** Reads what a request asks of the list of that name. Throws `invalid_cursor`. */
  read(request: PagedRequest, listName: string): Paging {
    const { limit, cursor, ...filters } = request.query;
    const scope = fingerprint([request.caller.account, listName, request.params ?? null, filters]);
    const page = <Row, Shown>(rows: readonly Row[], keyOf: (row: Row) => SortKey, show?: (row: Row) => Shown): Page<Row | Shown> => {
      const data = rows.slice(0, limit);
      const last = data.at(-1);
      const more = rows.length > limit && last !== undefined;
      return { data: show ? data.map(show) : data, next_cursor: more ? this.#sign(keyOf(last), scope) : null, has_more: more };
    };
    return {
      limit,
      take: limit + 1,
      descending: filters.order === 'desc',
      after: cursor === undefined ? null : this.#open(cursor, scope),
      page: page as Paging['page'],
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
