import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { UnansweredRepeat } from '../../../commands/runtime/idempotency.js';
import { type RuleCheck, ruleCheck } from '../../../commands/runtime/rules.js';
import { DomainError, type FieldProblem, invalidRequest, isDomainError } from '../../../domain/kernel/errors.js';
import { ownField } from '../../../domain/kernel/own-fields.js';
import { StoreUnavailable } from '../../../domain/kernel/ports.js';
import type { RateGroup } from '../../../domain/kernel/rate-limits.js';
import { fingerprint, fingerprintInSlices } from '../../../log/runtime/ids.js';
import { requireAccess, requireOperator, requireSameOrigin, requireTestKeyOperation, requireTestKeyTarget } from '../access/authorization.js';
import { rateLimitExceeded } from '../access/rate-limits.js';
import {
  DEFAULT_BODY_LIMIT,
  declaredLength,
  hasBody,
  LARGE_BODY,
  mediaType,
  parseJson,
  parseLargeJson,
  payloadTooLarge,
  RequestAborted,
  readBody,
  requireJson,
  requireUncompressed,
} from '../body/body.js';
import { corsHeaders } from '../cors.js';
import { errorResponse, isRefusal } from '../errors.js';
import type { AnyRoute, BodyReader, HttpResponse } from '../route.js';
import { takeStrict, wholeQueryOf } from '../strict.js';
import { unknownFieldProblem, unlike } from '../validation/unknown-fields.js';
import {
  bodyValidator,
  judged,
  parameterValidator,
  parseQuery,
  queryValidator,
  type ValidationResult,
  type Validator,
} from '../validation/validation.js';
import { addressRateKey } from './client-address.js';
import { type IdempotencyQueue, readIdempotencyKey, scopedIdempotencyKey } from './idempotency.js';
import { type Idempotency, RequestContext, readConsistency, readMinPosition, type ServerContext } from './request-context.js';
import { sendResponse } from './send-response.js';

/** Holder of the bodies of all requests without a credential. */
const PUBLIC_BODIES = '';
const NO_PROBLEMS = { problems: [], truncated: 0, malformed: [] } as const;
/** How long the stores may take to check a credential, and to count a request; and a read in all. In milliseconds. */
const TIME_LIMITS_MS = { admission: 3_500, read: 8_500 } as const;

/** A request as the router passes it on. */
export type RoutedRequest = IncomingMessage & { readonly params: Readonly<Record<string, string>> };

/**
 * One route, ready to serve: everything that does not depend on the request is computed once. The result is
 * one function that runs the checks in their fixed order.
 */
export class ServedRoute {
  readonly #name: string;
  readonly #bodyLimit: number;
  readonly #checkParams: Validator | null;
  readonly #checkQuery: (value: unknown) => ValidationResult;
  readonly #checkBody: Validator | null;
  readonly #checkRules: RuleCheck | null;
  readonly #fixedFields: ReadonlySet<string>;
  readonly #bodyHasKeyField: boolean;

  constructor(
    private readonly route: AnyRoute,
    private readonly shared: ServerContext,
    private readonly queue: IdempotencyQueue,
  ) {
    const { params, body } = route;
    this.#name = `${route.method} ${route.path}`;
    this.#bodyLimit = route.bodyLimit ?? DEFAULT_BODY_LIMIT;
    this.#checkParams = params ? queryValidator(params) : null;
    this.#checkQuery = parameterValidator(wholeQueryOf(route), route.access === 'public' ? 'ignored' : 'refused');
    this.#checkBody = body ? bodyValidator(body) : null;
    this.#checkRules = body ? ruleCheck(body) : null;
    this.#fixedFields = fixedFieldsOf(route);
    this.#bodyHasKeyField = route.method === 'POST' && body?.properties?.idempotency_key !== undefined;
  }

  /** Always sends a response. */
  readonly serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const ctx = new RequestContext(this.shared, request, response);
    let cors: HttpResponse['headers'];
    let answer: HttpResponse;
    try {
      if (this.route.cors) cors = await corsHeaders(this.route.cors, request as RoutedRequest);
      answer = await this.#respond(ctx, request as RoutedRequest);
    } catch (error) {
      if (error instanceof RequestAborted) return;
      answer = errorResponse(error, ctx.requestId, this.shared.options.report);
      if (this.route.errorPage && /\btext\/html\b/i.test(request.headers.accept ?? ''))
        answer = await this.route.errorPage(answer, request as RoutedRequest);
    } finally {
      ctx.heldBody?.release();
    }
    sendResponse(ctx, cors ? { ...answer, headers: { ...answer.headers, ...cors, Vary: varyOf(answer) } } : answer, this.route.path);
  };

  async #respond(ctx: RequestContext, request: RoutedRequest): Promise<HttpResponse> {
    if ((declaredLength(request) ?? 0) > this.#bodyLimit) return this.#refuseSize(ctx, request);
    await this.#within(TIME_LIMITS_MS.admission, this.#authenticate(ctx, request));
    const early = await this.#reserveBody(ctx).catch(async (error: unknown) => {
      if (isRefusal(error)) await this.#count(ctx);
      throw error;
    });
    await this.#count(ctx);
    if (!ctx.caller.contact) requireAccess(this.route.access, ctx.caller);
    requireSameOrigin(this.route, ctx.caller, ctx.headers);
    requireTestKeyOperation(this.route, ctx.caller);
    if (!this.route.errorPage) requireAccepted(request, this.route.streams);
    await this.#readBody(ctx, early);
    const idempotency = await this.#idempotencyOf(ctx, request);
    if (!idempotency) return this.#handle(ctx, request);
    await this.queue.acquire(idempotency.key, idempotency.fingerprint);
    try {
      ctx.idempotency = idempotency;
      return await this.#handle(ctx, request);
    } finally {
      this.queue.release(idempotency.key);
    }
  }

  /** Throws `payload_too_large` to whoever sends such a body. The request counts. */
  async #refuseSize(ctx: RequestContext, request: RoutedRequest): Promise<never> {
    const counted = this.#authenticate(ctx, request).then(() => this.#count(ctx));
    await this.#within(TIME_LIMITS_MS.admission, counted).catch(() => {});
    throw payloadTooLarge(this.#bodyLimit);
  }

  /** Wrong credentials count against the limit of the address they come from. Those that cannot be checked at the moment do not. */
  async #authenticate(ctx: RequestContext, { params }: Pick<RoutedRequest, 'params'>): Promise<void> {
    const { access, proof, token, openToOperator } = this.route;
    if (access === 'public' && !proof) return;
    const { authorization, cookie, 'x-api-key': apiKey } = ctx.headers;
    try {
      const held = token?.({ headers: ctx.headers, target: ctx.incoming.url ?? '' });
      if (held) ctx.caller = held;
      else if (proof) await proof({ headers: ctx.headers, params });
      else if (access === 'operator') ctx.caller = requireOperator(this.shared.operator(authorization));
      else {
        const operator = openToOperator && apiKey === undefined ? this.shared.operator(authorization) : null;
        ctx.caller =
          operator ?? (await this.shared.options.authenticator.authenticate({ apiKey: apiKey as string | undefined, authorization, cookie }));
      }
    } catch (error) {
      if (isRefusal(error)) await this.#checkRateLimit(ctx, 'public', `refused ${addressRateKey(ctx.ip)}`);
      throw error;
    }
  }

  /** Requests that show their own proof do not count. */
  async #count(ctx: RequestContext): Promise<void> {
    if (this.route.proof) return;
    const { contact, account } = ctx.caller;
    const [group, who] = contact ? (['inbox', contact.id] as const) : ([this.route.limit, account || addressRateKey(ctx.ip)] as const);
    await this.#within(TIME_LIMITS_MS.admission, this.#checkRateLimit(ctx, group, who));
  }

  async #checkRateLimit(ctx: RequestContext, group: RateGroup, who: string): Promise<void> {
    const counted = this.shared.options.limits.consume(group, who);
    ctx.rateLimit = counted instanceof Promise ? await counted : counted;
    if (!ctx.rateLimit.allowed) throw rateLimitExceeded(ctx.rateLimit);
  }

  /**
   * Reserves memory for the body before the request counts for a rate limit. The length of a chunked body is unknown until it is read,
   * so such a body is read here and returned.
   */
  async #reserveBody(ctx: RequestContext): Promise<Buffer | null> {
    if (!this.#checkBody || !hasBody(ctx.incoming)) return null;
    const length = declaredLength(ctx.incoming);
    const held = this.shared.bodies.reserve(ctx.caller.account || PUBLIC_BODIES, length ?? 0);
    ctx.heldBody = held;
    return length === null ? readBody(ctx.incoming, this.#bodyLimit, held.grow) : null;
  }

  async #readBody(ctx: RequestContext, early: Buffer | null): Promise<void> {
    if (!this.#checkBody) return;
    if (hasBody(ctx.incoming)) {
      const reader = this.#readerOf(ctx.incoming);
      ctx.isPublicForm = reader !== undefined && this.route.access === 'public';
      const bytes = early ?? (await readBody(ctx.incoming, this.#bodyLimit));
      if (bytes.length > 0) {
        ctx.body = reader ? await reader(bytes, ctx.incoming.headers['content-type'] ?? '', ctx.pause) : await parsed(bytes, ctx);
        return;
      }
    }
    if (this.#checkBody?.({}).problems.length !== 0) throw new DomainError('invalid_json', 'The body is empty. Send a JSON object.');
    ctx.body = {};
  }

  /** Undefined for JSON. */
  #readerOf(incoming: IncomingMessage): BodyReader | undefined {
    const { bodyTypes = {} }: AnyRoute = this.route;
    const type = mediaType(incoming);
    const reader = ownField(bodyTypes, type);
    if (reader) requireUncompressed(incoming);
    else requireJson(incoming, Object.keys(bodyTypes));
    return reader;
  }

  /** A key in the body is used if there is no header. A value that is not a text is rejected by the schema. */
  async #idempotencyOf(ctx: RequestContext, request: RoutedRequest): Promise<Idempotency | null> {
    if (this.route.method !== 'POST') return null;
    const inBody = this.#bodyHasKeyField ? (ctx.body as { idempotency_key?: unknown }).idempotency_key : undefined;
    const key = readIdempotencyKey(request.headers['idempotency-key']) ?? (typeof inBody === 'string' && inBody !== '' ? inBody : null);
    if (key === null) return null;
    const who = ctx.caller.contact?.id ?? (ctx.caller.account || addressRateKey(ctx.ip));
    return { key: scopedIdempotencyKey(who, this.#name, key), fingerprint: await this.#requestHash(ctx, [request.params, ctx.body]) };
  }

  async #requestHash(ctx: RequestContext, asked: unknown): Promise<string> {
    const plain = isLarge(ctx) ? await fingerprintInSlices(asked, ctx.pause) : fingerprint(asked);
    return createHmac('sha256', this.shared.options.requestHashKey).update(plain).digest('base64url');
  }

  async #handle(ctx: RequestContext, request: RoutedRequest): Promise<HttpResponse> {
    ctx.params = request.params;
    ctx.admitAgain = () => this.#authenticate(ctx, request).then(() => ctx.caller.contact ?? requireAccess(this.route.access, ctx.caller));
    if (this.#checkParams && this.#checkParams(request.params).problems.length > 0) throw this.#notFound(request.params);
    await requireTestKeyTarget(this.route, ctx.caller, request.params, () => ctx.ruleContext().log);
    ctx.query = parseQuery(request.url ?? '');
    requireValidQuery(this.#checkQuery(ctx.query));
    ctx.minPosition = readMinPosition(ctx.headers, this.shared.names);
    ctx.readsEventually = readConsistency(ctx.headers, this.shared.names);
    ctx.strict = (takeStrict(ctx.query) || ctx.caller.strict === true) && !ctx.isPublicForm;
    if (this.#checkBody) {
      const { unknown, ...result } = this.#checkBody(ctx.body);
      return this.#handleBody(ctx, { ...result, unknown: ctx.isPublicForm ? unlike(unknown) : unknown }, request.params);
    }
    const handled = this.route.handle(ctx as Parameters<AnyRoute['handle']>[0]);
    if (this.route.method !== 'GET') return handled;
    return this.#within(TIME_LIMITS_MS.read - (this.shared.options.clock.monotonic() - ctx.startedAt), handled);
  }

  /** Throws `unknown_field` and `validation_error`; a request that was accepted once is answered as before, whatever is refused now. */
  async #handleBody(ctx: RequestContext, result: ValidationResult, params: RoutedRequest['params']): Promise<HttpResponse> {
    const { problems, malformed, truncated, warnings, onlyUnknown } = judged(result, { strict: ctx.strict, fixed: this.#fixedFields });
    // Those that the parser of JSON has left out.
    const prototypes = ctx.strict ? ctx.warnings.splice(0).map((text) => unknownFieldProblem(text.replace('unknown field: ', ''), null)) : [];
    if (problems.length + prototypes.length > 0) {
      const answer = ctx.idempotency && (onlyUnknown || problems.length === 0) ? await this.#repeat(ctx, result) : null;
      if (answer) return answer;
      const broken = (await this.#checkRules?.(ctx.body, malformed, ctx.ruleContext, { params, strict: ctx.strict })) ?? [];
      refuseBody([...problems, ...prototypes, ...broken], truncated);
    }
    ctx.enter(ctx.idempotency ? 'open' : 'new');
    try {
      const answer = await this.route.handle(ctx as Parameters<AnyRoute['handle']>[0]);
      ctx.warnings.push(...warnings);
      return answer;
    } catch (error) {
      if (!(error instanceof UnansweredRepeat)) throw error;
    }
    const answer = await this.#repeat(ctx, result);
    if (answer) return answer;
    ctx.warnings.push(...warnings);
    return this.route.handle(ctx as Parameters<AnyRoute['handle']>[0]);
  }

  /** The answer to a request that was accepted before, with all of its unknown fields as warnings; null for any other request. */
  async #repeat(ctx: RequestContext, { unknown }: ValidationResult): Promise<HttpResponse | null> {
    ctx.enter('repeat');
    try {
      const answer = await this.route.handle(ctx as Parameters<AnyRoute['handle']>[0]);
      if (ctx.replayed) {
        ctx.warnings.push(...judged({ ...NO_PROBLEMS, unknown: unlike(unknown) }, { strict: false, fixed: this.#fixedFields }).warnings);
        return answer;
      }
    } catch (error) {
      const isReused = isDomainError(error) && error.code === 'idempotency_key_reused';
      if (isReused || !(error instanceof UnansweredRepeat || isDomainError(error))) throw error;
    }
    ctx.enter('new');
    return null;
  }

  /** Throws `unavailable` after this time: a store may take several calls, each up to its own limit, before it counts as away. */
  async #within<T>(ms: number, work: Promise<T>): Promise<T> {
    let end = () => {};
    const over = new Promise<never>((_, reject) => {
      const timer = this.shared.options.clock.timer(Math.max(0, ms), () => reject(new StoreUnavailable(`no answer within ${ms} ms`)));
      end = () => timer.cancel();
    });
    try {
      return await Promise.race([work, over]);
    } finally {
      end();
      work.catch(() => {});
    }
  }

  /** An id that cannot exist gets the same answer as an unknown one. */
  #notFound(params: Readonly<Record<string, string>>): DomainError {
    const [name, id] = Object.entries(params).at(-1) ?? ['id', ''];
    const segments = this.route.path.split('/');
    const collection = segments[segments.indexOf(`:${name}`) - 1] ?? '';
    const resource = name.endsWith('_id') ? name.slice(0, -3) : collection.replace(/s$/, '').replaceAll('-', '_');
    return new DomainError('not_found', `There is no ${resource} with the id '${id}'.`, { resource, id });
  }
}

/** Of a route with a policy for other origins. */
const varyOf = ({ headers = {} }: HttpResponse): string => (headers.Vary ? `${headers.Vary}, Origin` : 'Origin');

const parsed = (bytes: Buffer, ctx: RequestContext): object | Promise<object> =>
  bytes.length > LARGE_BODY ? parseLargeJson(bytes, ctx.warnings, ctx.pause) : parseJson(bytes, ctx.warnings);

/** A body of unknown length counts as large. */
const isLarge = ({ incoming }: RequestContext): boolean => hasBody(incoming) && (declaredLength(incoming) ?? Number.POSITIVE_INFINITY) > LARGE_BODY;

/** Throws `validation_error` with all problems of a body. `truncated`: number of further problems. */
function refuseBody(problems: readonly FieldProblem[], truncated: number): never {
  const { code, message, details } = invalidRequest(problems);
  if (truncated === 0) throw new DomainError(code, message, details);
  throw new DomainError(code, `${problems.length + truncated} fields are invalid.`, { ...details, errors_truncated: true });
}

/** Throws `invalid_parameter` with all problems of a query. */
function requireValidQuery({ problems }: ValidationResult): void {
  const [first] = problems;
  if (!first) return;
  const unknown = problems.length === 1 && first.code === 'unknown_parameter' ? first.message : null;
  const message = unknown ?? `${problems.length} query parameter${problems.length === 1 ? ' is' : 's are'} invalid.`;
  throw new DomainError('invalid_parameter', message, { errors: problems });
}

const JSON_ACCEPTED = new Set([undefined, '', '*/*', 'application/json']);

/** Throws `not_acceptable` if the client accepts neither JSON nor another type of the route. The router's own method parses the header, only if it is unusual. */
function requireAccepted(request: IncomingMessage & { accepts?: (types: string[]) => string | false }, others: readonly string[] = []): void {
  if (JSON_ACCEPTED.has(request.headers.accept) || request.accepts?.(['application/json', ...others])) return;
  throw new DomainError('not_acceptable', 'Answers are JSON. Send Accept: application/json, or no Accept header.');
}

/** The fields that a PATCH does not take although the resource has them: their warning is `fixed field: type`. */
function fixedFieldsOf({ method, responses }: Pick<AnyRoute, 'method' | 'responses'>): ReadonlySet<string> {
  const resource = responses[200]?.schema as { readonly properties?: object } | undefined;
  return new Set(method === 'PATCH' ? Object.keys(resource?.properties ?? {}) : []);
}
