import createClient from 'openapi-fetch';
import type { components, paths } from '../../../clients/node/src/api.ts';
import { ApiError } from './errors.ts';

/** The shapes of the API by their names in its description. */
export type Schemas = components['schemas'];

/** The query parameters of a GET of the API. */
export type QueryOf<P extends keyof paths> = paths[P] extends { get: { parameters: { query?: infer Q } } } ? NonNullable<Q> : never;

type JsonBody<Operation> = Operation extends { requestBody?: infer Body }
  ? NonNullable<Body> extends { content: { 'application/json': infer Shape } }
    ? Shape
    : never
  : never;

/** The body of a POST to a path. */
export type PostBody<Path extends keyof paths> = paths[Path] extends { post: infer Operation } ? JsonBody<Operation> : never;

/**
 * Typed calls of the API. The session's cookie goes along by itself; the header shows the service that the request comes from a script of this
 * page and not from a form of another site.
 */
export const api = createClient<paths>({ baseUrl: location.origin, headers: { 'X-Requested-With': 'dashboard' } });

interface Outcome<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a successful answer. Throws an `ApiError` for every other one. */
export async function answer<T>(call: Promise<Outcome<T>>): Promise<T> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiError(response.status, error);
  return data as T;
}

/** A body with the version that a PATCH names in `If-Match`. */
export interface VersionedValue<T> {
  readonly value: T;
  readonly version: string | null;
}

/** As `answer`, with the `ETag` of the resource. */
export async function versioned<T>(call: Promise<Outcome<T>>): Promise<VersionedValue<T>> {
  const outcome = await call;
  return { value: await answer(Promise.resolve(outcome)), version: outcome.response.headers.get('ETag') };
}
