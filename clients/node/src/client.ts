import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { paths } from './api.js';
import { HeliographError } from './errors.js';
import type { Answer, CallOptions, Inputs, Item, ListPaths, Method, PathsOf } from './types.js';

export interface HeliographOptions {
  /** An API key. */
  readonly key: string;
  /** Address of the service, such as `https://msg.example.com`. */
  readonly url: string;
  /** How often a call is tried again after the first time. Default: 4. */
  readonly retries?: number;
  /** Time limit of one attempt in milliseconds. Default: 30,000. */
  readonly timeoutMs?: number;
  /** Instead of the global one. */
  readonly fetch?: typeof fetch;
}

interface AnyInput extends CallOptions {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

const FIRST_DELAY_MS = 250;
const LONGEST_WAIT_MS = 60_000;
const PASSING: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** Calls of the Heliograph API. Paths, parameters, bodies and answers are typed from its OpenAPI document. */
export class Heliograph {
  readonly #options: Required<HeliographOptions>;

  constructor(options: HeliographOptions) {
    this.#options = { retries: 4, timeoutMs: 30_000, fetch: globalThis.fetch, ...options, url: options.url.replace(/\/+$/, '') };
  }

  get<P extends PathsOf<'get'>>(path: P, ...[input]: Inputs<P, 'get'>): Promise<Answer<P, 'get'>> {
    return this.#call('get', path, input);
  }

  /** Has an idempotency key, so it does nothing twice, however often it is tried. */
  post<P extends PathsOf<'post'>>(path: P, ...[input]: Inputs<P, 'post'>): Promise<Answer<P, 'post'>> {
    return this.#call('post', path, input);
  }

  patch<P extends PathsOf<'patch'>>(path: P, ...[input]: Inputs<P, 'patch'>): Promise<Answer<P, 'patch'>> {
    return this.#call('patch', path, input);
  }

  delete<P extends PathsOf<'delete'>>(path: P, ...[input]: Inputs<P, 'delete'>): Promise<Answer<P, 'delete'>> {
    return this.#call('delete', path, input);
  }

  /** All items of a list, page by page as they are read. */
  async *list<P extends ListPaths>(path: P, ...[input]: Inputs<P, 'get'>): AsyncGenerator<Item<P>> {
    let cursor: string | null = null;
    do {
      const given = (input ?? {}) as AnyInput;
      const page: { data: Item<P>[]; next_cursor: string | null } = await this.#call('get', path, {
        ...given,
        query: { ...given.query, ...(cursor === null ? {} : { cursor }) },
      });
      yield* page.data;
      cursor = page.next_cursor;
    } while (cursor !== null);
  }

  async #call<Result>(method: Method, path: keyof paths, input: AnyInput = {}): Promise<Result> {
    const { url, key, retries } = this.#options;
    const target = url + targetOf(path, input);
    const headers: Record<string, string> = { 'X-API-Key': key, Accept: 'application/json', ...input.headers };
    if (method === 'post') headers['Idempotency-Key'] = input.idempotencyKey ?? randomUUID();
    if (input.body !== undefined) headers['Content-Type'] = 'application/json';
    const body = input.body === undefined ? {} : { body: JSON.stringify(input.body) };
    for (let attempt = 0; ; attempt++) {
      const failed = await this.#attempt(target, { method: method.toUpperCase(), headers, ...body }, input.signal);
      if ('result' in failed) return failed.result as Result;
      if (attempt >= retries || !failed.passing) throw failed.error;
      const delay = failed.waitMs ?? FIRST_DELAY_MS * 2 ** attempt * (0.5 + Math.random());
      if (delay > LONGEST_WAIT_MS) throw failed.error;
      await wait(delay, undefined, input.signal ? { signal: input.signal } : {});
    }
  }

  async #attempt(target: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Attempt> {
    const limit = AbortSignal.timeout(this.#options.timeoutMs);
    let answer: Response;
    let text: string;
    try {
      answer = await this.#options.fetch(target, { ...init, signal: signal ? AbortSignal.any([signal, limit]) : limit });
      text = await answer.text();
    } catch (error) {
      return { error, passing: signal?.aborted !== true };
    }
    const isJson = answer.headers.get('content-type')?.includes('json') === true;
    const shown: unknown = isJson && text !== '' ? JSON.parse(text) : text === '' ? undefined : text;
    if (answer.ok) return { result: shown };
    const error = new HeliographError(answer.status, isJson ? (shown as Record<string, unknown>) : {});
    const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
    const passing = PASSING.has(answer.status) || error.code === 'idempotency_in_progress' || error.code === 'conflict';
    return { error, passing, ...(Number.isFinite(seconds) ? { waitMs: seconds * 1_000 } : {}) };
  }
}

type Attempt = { readonly result: unknown } | { readonly error: unknown; readonly passing: boolean; readonly waitMs?: number };

function targetOf(path: string, { params = {}, query = {} }: AnyInput): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new TypeError(`the parameter ${name} of ${path} is missing`);
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== null) search.append(name, String(value));
  return search.size === 0 ? filled : `${filled}?${search}`;
}
