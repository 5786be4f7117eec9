import Type, { type TSchema } from 'typebox';
import { optional, record } from '../../domain/kernel/schema.js';
import type { AnyRoute } from './route.js';

/** The parameter that every operation with a body has. */
export const strictQuery = {
  strict: optional(
    Type.Boolean({
      default: false,
      description:
        'Every unknown field of the body is an error (`unknown_field`). Without it one that looks like a known field is an error, and others are named in `warnings`.',
    }),
  ),
};

/** The query of a route, with what all routes of its kind take. */
export function wholeQueryOf({ query, body }: Pick<AnyRoute, 'query' | 'body'>): TSchema {
  const own = ((query as { readonly properties?: object } | undefined)?.properties ?? {}) as Record<string, TSchema>;
  return body ? record({ ...own, ...strictQuery }) : record(own);
}

/** Whether the query asks for it. Removes the parameter, which is none of the route's own. */
export function takeStrict(query: unknown): boolean {
  const given = query as { strict?: unknown };
  const isStrict = given.strict === true;
  delete given.strict;
  return isStrict;
}
