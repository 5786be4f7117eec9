import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError, type FieldProblem } from '../../domain/kernel/errors.js';
import { fingerprint } from '../../log/ids.js';
import { errorAnswer } from '../errors.js';
import { send } from './answering.js';
import { Aborted, DEFAULT_BODY_LIMIT, hasBody, mediaType, parseJson, readBody, requireJson, requirePlain, tooLarge } from './body.js';
import { addressKey } from './client-address.js';
import { operatorCheck, requireAccess } from './credentials.js';
import { Exchange, type Intent, type Shared, wantedPosition } from './exchange.js';
import { idempotencyKey, intention, type Lines } from './idempotency.js';
import { parseQuery } from './query-string.js';
import { type Hit, type RateGroup, windowText } from './rate-limits.js';
import type { Answer, AnyRoute, BodyReader } from './route.js';
import { queryValidator, type Validate, type Verdict, validator } from './validation.js';

/** A request as the router hands it on. */
export type RoutedRequest = IncomingMessage & { readonly params: Readonly<Record<string, string>> };

/**
 * One route, ready to serve: everything that can be known before a request comes is worked out here, and what is left is
 * one function that walks through the checks in their fixed order.
 */
export class Endpoint {
  readonly #name: string;
  readonly #bodyLimit: number;
  readonly #checkParams: Validate | null;
  readonly #checkQuery: Validate | null;
  readonly #checkBody: Validate | null;
  readonly #emptyBodyIsFine: boolean;
  readonly #bodyTakesKey: boolean;
  readonly #operator: ReturnType<typeof operatorCheck>;

  constructor(
    private readonly route: AnyRoute,
    private readonly shared: Shared,
    private readonly lines: Lines,
  ) {
    const { params, query, body } = route;
    this.#name = `${route.method} ${route.path}`;
    this.#bodyLimit = route.bodyLimit ?? DEFAULT_BODY_LIMIT;
    this.#checkParams = params ? queryValidator(params) : null;
    this.#checkQuery = query ? queryValidator(query) : null;
    this.#checkBody = body ? validator(body) : null;
    this.#emptyBodyIsFine = this.#checkBody?.({}).problems.length === 0;
    this.#bodyTakesKey = route.method === 'POST' && body?.properties?.idempotency_key !== undefined;
    this.#operator = operatorCheck(shared.options.config.operatorToken);
  }

  /** Answers, whatever happens. */
  readonly serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const x = new Exchange(this.shared, request, response);
    let answer: Answer;
    try {
      answer = await this.#answer(x, request as RoutedRequest);
    } catch (error) {
      if (error instanceof Aborted) return;
      answer = errorAnswer(error, x.requestId, this.shared.options.report);
      if (this.route.errorPage && /\btext\/html\b/i.test(request.headers.accept ?? '')) answer = this.route.errorPage(answer);
    }
    send(x, answer, this.route.path);
  };

  async #answer(x: Exchange, request: RoutedRequest): Promise<Answer> {
    if (Number(request.headers['content-length'] ?? 0) > this.#bodyLimit) throw tooLarge(this.#bodyLimit);
    await this.#identify(x);
    await this.#limit(x, this.route.limit, x.caller.account || addressKey(x.ip));
    requireAccess(this.route.access, x.caller);
    if (!this.route.errorPage) requireJsonWanted(request);
    await this.#readBody(x);
    const intent = this.#intentOf(x, request);
    if (!intent) return this.#handle(x, request);
    await this.lines.enter(intent.key, intent.fingerprint);
    try {
      x.intent = intent;
      return await this.#handle(x, request);
    } finally {
      this.lines.leave(intent.key);
    }
  }

  /** Wrong credentials count against the limit of the address they come from. */
  async #identify(x: Exchange): Promise<void> {
    const { access } = this.route;
    if (access === 'public') return;
    const { authorization, 'x-api-key': apiKey } = x.headers;
    try {
      if (access === 'operator') x.caller = this.#operator(authorization);
      else x.caller = await this.shared.options.authenticator.authenticate({ apiKey: apiKey as string | undefined, authorization });
    } catch (error) {
      await this.#limit(x, 'public', `refused ${addressKey(x.ip)}`);
      throw error;
    }
  }

  async #limit(x: Exchange, group: RateGroup, who: string): Promise<void> {
    const counted = this.shared.options.limits.hit(group, who);
    x.hit = counted instanceof Promise ? await counted : counted;
    if (!x.hit.allowed) throw overLimit(x.hit);
  }

  async #readBody(x: Exchange): Promise<void> {
    if (!this.#checkBody) return;
    if (hasBody(x.incoming)) {
      const reader = this.#readerOf(x.incoming);
      const bytes = await readBody(x.incoming, this.#bodyLimit);
      if (bytes.length > 0) {
        x.body = reader ? await reader(bytes, x.incoming.headers['content-type'] ?? '') : parseJson(bytes, x.warnings);
        return;
      }
    }
    if (!this.#emptyBodyIsFine) throw new DomainError('invalid_json', 'The body is empty. Send a JSON object.');
    x.body = {};
  }

  /** Undefined for JSON. */
  #readerOf(incoming: IncomingMessage): BodyReader | undefined {
    const { bodyTypes = {} }: AnyRoute = this.route;
    const type = mediaType(incoming);
    const reader = Object.hasOwn(bodyTypes, type) ? bodyTypes[type] : undefined;
    if (reader) requirePlain(incoming);
    else requireJson(incoming);
    return reader;
  }

  /** A key in the body does where the header is missing. What is no text there is left to the schema to refuse. */
  #intentOf(x: Exchange, request: RoutedRequest): Intent | null {
    if (this.route.method !== 'POST') return null;
    const inBody = this.#bodyTakesKey ? (x.body as { idempotency_key?: unknown }).idempotency_key : undefined;
    const key = idempotencyKey(request.headers['idempotency-key']) ?? (typeof inBody === 'string' && inBody !== '' ? inBody : null);
    if (key === null) return null;
    const who = x.caller.account || addressKey(x.ip);
    return { key: intention(who, this.#name, key), fingerprint: this.#hashOf([request.params, x.body]) };
  }

  #hashOf(asked: unknown): string {
    return createHmac('sha256', this.shared.options.intentKey).update(fingerprint(asked)).digest('base64url');
  }

  #handle(x: Exchange, request: RoutedRequest): Promise<Answer> {
    x.params = request.params;
    if (this.#checkParams && this.#checkParams(request.params).problems.length > 0) throw this.#noSuchThing(request.params);
    if (this.#checkQuery) {
      x.query = parseQuery(request.url ?? '');
      refuse(this.#checkQuery(x.query), 'invalid_parameter', 'query parameter');
    }
    x.minPosition = wantedPosition(x.headers, this.shared.names);
    if (this.#checkBody) {
      const verdict = this.#checkBody(x.body);
      refuse(verdict, 'validation_error', 'field');
      x.warnings.push(...verdict.warnings);
    }
    return this.route.handle(x as Parameters<AnyRoute['handle']>[0]);
  }

  /** An id that cannot exist is answered like one that does not. */
  #noSuchThing(params: Readonly<Record<string, string>>): DomainError {
    const [name, id] = Object.entries(params).at(-1) ?? ['id', ''];
    const segments = this.route.path.split('/');
    const collection = segments[segments.indexOf(`:${name}`) - 1] ?? '';
    const resource = name.endsWith('_id') ? name.slice(0, -3) : collection.replace(/s$/, '').replaceAll('-', '_');
    return new DomainError('not_found', `There is no ${resource} with the id '${id}'.`, { resource, id });
  }
}

function overLimit({ limit, windowSeconds, retryAfter }: Hit): DomainError {
  const window = windowText(windowSeconds);
  const message = `Limit of ${limit} requests per ${window} reached. Wait ${retryAfter} s before the next one.`;
  return new DomainError('rate_limit_exceeded', message, { limit, window, retry_after: retryAfter });
}

function refuse({ problems, truncated }: Verdict, code: string, noun: string): void {
  if (problems.length === 0) return;
  const count = problems.length + truncated;
  const message = count === 1 ? `1 ${noun} is invalid.` : `${count} ${noun}s are invalid.`;
  const errors: readonly FieldProblem[] = problems;
  throw new DomainError(code, message, truncated > 0 ? { errors, errors_truncated: truncated } : { errors });
}

const ANY = new Set([undefined, '', '*/*', 'application/json']);

/** Throws `not_acceptable` where the client takes no JSON. The router's own method reads the header, only where it is unusual. */
function requireJsonWanted(request: IncomingMessage & { accepts?: (type: string) => string | false }): void {
  if (ANY.has(request.headers.accept) || request.accepts?.('application/json')) return;
  throw new DomainError('not_acceptable', 'Answers are JSON. Send Accept: application/json, or no Accept header.');
}
