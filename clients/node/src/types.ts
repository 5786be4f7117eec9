import type { paths } from './api.js';

export type Method = 'get' | 'post' | 'patch' | 'delete';

/** The paths that have a method. */
export type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];

type Operation<P extends keyof paths, M extends Method> = paths[P][M];
type Parameters<O, Place extends string> = O extends { parameters: infer Given }
  ? Place extends keyof Given
    ? NonNullable<Given[Place]>
    : never
  : never;
type Json<R> = R extends { content: { 'application/json': infer Body } }
  ? Body
  : R extends { content: { [type: string]: string } }
    ? string
    : undefined;

/** What a call answers. */
export type Answer<P extends keyof paths, M extends Method> =
  Operation<P, M> extends { responses: infer Responses } ? { [S in keyof Responses]: Json<Responses[S]> }[keyof Responses] : never;

type BodyOf<O> = O extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { readonly body: Body }
  : O extends { requestBody?: { content: { 'application/json': infer Body } } }
    ? { readonly body?: Body }
    : unknown;
type ParamsOf<O> = [Parameters<O, 'path'>] extends [never] ? unknown : { readonly params: Parameters<O, 'path'> };
type QueryOf<O> = [Parameters<O, 'query'>] extends [never] ? unknown : { readonly query?: Parameters<O, 'query'> };

export interface CallOptions {
  /** Of a POST; without it the client makes one, so that its own retries do nothing twice. */
  readonly idempotencyKey?: string;
  /** More header fields, such as `If-Match`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Parameters, query and body of a call. */
export type Input<P extends keyof paths, M extends Method> = ParamsOf<Operation<P, M>> &
  QueryOf<Operation<P, M>> &
  BodyOf<Operation<P, M>> &
  CallOptions;
/** May be left out where nothing in it is needed. */
export type Inputs<P extends keyof paths, M extends Method> = Record<never, never> extends Input<P, M> ? [input?: Input<P, M>] : [input: Input<P, M>];

/** The paths of lists with pages. */
export type ListPaths = {
  [P in PathsOf<'get'>]: Answer<P, 'get'> extends { data: readonly unknown[]; next_cursor: string | null } ? P : never;
}[PathsOf<'get'>];
export type Item<P extends ListPaths> = Answer<P, 'get'> extends { data: readonly (infer One)[] } ? One : never;
