import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Cause, Command, Context, ExecuteResult } from '../../../commands/runtime/command.js';
import { DomainError } from '../../../domain/kernel/errors.js';
import { ownField } from '../../../domain/kernel/own-fields.js';
import { OutcomeUnknown, type Position, type RateGroup, type RateLimitResult, StoreUnavailable } from '../../../domain/kernel/ports.js';
import type { Static, TSchema } from '../../../domain/kernel/schema.js';
import { newId } from '../../../log/runtime/ids.js';
import type { operatorAuthenticator } from '../access/authorization.js';
import { rateLimitExceeded } from '../access/rate-limits.js';
import { type BodyBudget, type BodyReservation, RequestAborted } from '../body/body.js';
import { isRefusal } from '../errors.js';
import type { Caller, Request } from '../route.js';
import { type RequestPhase, type UnknownFields, unknownFieldsIn } from '../unknown-field-policy.js';
import { scopedIdempotencyKey } from './idempotency.js';
import type { HttpServerOptions } from './server-options.js';

/** Names of our own headers, derived from the configured prefix. */
export interface HeaderNames {
  readonly position: string;
  readonly consistency: string;
  /** In lower case, as Node gives them. */
  readonly minPosition: string;
  readonly requestedConsistency: string;
  /** The name of any other header of ours. */
  prefixed(name: string): string;
}

export const headerNames = (prefix: string): HeaderNames => ({
  position: `X-${prefix}-Position`,
  consistency: `X-${prefix}-Consistency`,
  minPosition: `x-${prefix}-min-position`.toLowerCase(),
  requestedConsistency: `x-${prefix}-consistency`.toLowerCase(),
  prefixed: (name) => `X-${prefix}-${name}`,
});

/** Shared by all requests of one server. */
export interface ServerContext {
  readonly options: HttpServerOptions;
  readonly names: HeaderNames;
  /** Recognizes the operator's token; null for any other. */
  readonly operator: ReturnType<typeof operatorAuthenticator>;
  readonly address: (request: IncomingMessage) => string;
  /** False once the server stops: then connections are closed after the response. */
  readonly accepting: () => boolean;
  /** Bytes of request bodies in memory. */
  readonly bodies: BodyBudget;
}

/** An idempotency key in use: the hash that identifies the caller's intention, and the hash of the request. */
export interface Idempotency {
  readonly key: string;
  readonly fingerprint: string;
}

const ANONYMOUS: Caller = { account: '', actor: { kind: 'public', id: 'public' }, scopes: [], role: null };
const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const POSITION = /^\d{20}$/;
const CONSISTENCY_TIMEOUT_MS = 2000;
/** Characters of the name of a program. */
const MAX_USER_AGENT = 500;

/** Throws `invalid_parameter`. */
export function readMinPosition(headers: IncomingMessage['headers'], { minPosition }: HeaderNames): Position | null {
  const given = ownField(headers, minPosition);
  if (given === undefined) return null;
  if (POSITION.test(String(given))) return String(given);
  const message = 'Use the position that a write returned: 20 digits.';
  throw new DomainError('invalid_parameter', message, { errors: [{ field: minPosition, code: 'invalid_format', message }] });
}

/** Whether the caller reads what is there, without waiting for the account's own writes. Throws `invalid_parameter`. */
export function readConsistency(headers: IncomingMessage['headers'], { requestedConsistency }: HeaderNames): boolean {
  const given = ownField(headers, requestedConsistency);
  if (given === undefined || given === 'eventual') return given !== undefined;
  const message = 'Use eventual, or leave this header out.';
  throw new DomainError('invalid_parameter', message, { errors: [{ field: requestedConsistency, code: 'not_allowed', message }] });
}

/** One request and its response so far. Handlers see it as a Request. */
export class RequestContext implements Request {
  /** The position that the caller requires the read model to have reached; null for none. */
  minPosition: Position | null = null;
  readsEventually = false;
  params: unknown = undefined;
  query: unknown = undefined;
  body: unknown = undefined;
  caller: Caller = ANONYMOUS;
  readonly requestId: string;
  /** By the monotonic clock. */
  readonly startedAt: number;

  rateLimit: RateLimitResult | null = null;
  idempotency: Idempotency | null = null;
  heldBody: BodyReservation | null = null;
  readonly warnings: string[] = [];
  /** All unknown fields are refused. */
  strict = false;
  /** The body is a form of a browser or mail program, to which nobody can say that a field is misspelled. */
  isPublicForm = false;
  phase: RequestPhase = 'new';
  /** Of the last event that this request appended. */
  position: Position | null = null;
  replayed = false;
  /** True if a read model was behind for longer than a read waits for the account's own writes. */
  staleRead = false;
  #executions = 0;

  constructor(
    readonly shared: ServerContext,
    readonly incoming: IncomingMessage,
    readonly outgoing: ServerResponse,
  ) {
    this.startedAt = shared.options.clock.monotonic();
    const given = incoming.headers['x-request-id'];
    this.requestId = typeof given === 'string' && REQUEST_ID.test(given) ? given : newId(shared.options.entropy, 'req', shared.options.clock.now());
  }

  get unknownFields(): UnknownFields {
    return unknownFieldsIn(this.phase, this.strict);
  }

  /** Begins to handle the request, or begins once more. */
  enter(phase: RequestPhase): void {
    this.phase = phase;
    this.#context = null;
    this.#executions = 0;
  }

  get headers(): IncomingMessage['headers'] {
    return this.incoming.headers;
  }

  get isHead(): boolean {
    return this.incoming.method === 'HEAD';
  }

  get ip(): string {
    return this.shared.address(this.incoming);
  }

  get signal(): AbortSignal {
    if (this.#gone) return this.#gone.signal;
    const gone = new AbortController();
    this.#gone = gone;
    const end = (): void => {
      if (!this.outgoing.writableFinished) gone.abort(new RequestAborted());
    };
    if (this.outgoing.destroyed) end();
    else this.outgoing.once('close', end);
    return gone.signal;
  }
  #gone: AbortController | null = null;
  /** Set by the route: authenticates the caller once more, and checks its access. */
  admitAgain: () => Promise<unknown> = async () => {};

  // Arrow functions, so that handlers can destructure the request.

  /** Lets other requests run. Throws RequestAborted if the client is gone. */
  readonly pause = async (): Promise<void> => {
    await this.shared.options.clock.yieldToEventLoop();
    this.signal.throwIfAborted();
  };

  readonly mayGoOn = (): Promise<boolean> =>
    this.admitAgain().then(
      () => true,
      (error) => !isRefusal(error),
    );

  readonly execute = async <Input extends TSchema, Output>(
    command: Command<Input, Output>,
    input: Static<Input>,
    account: string = this.caller.account,
  ): Promise<ExecuteResult<Output>> => {
    const { dispatcher, lastWrites } = this.shared.options;
    const cause = this.#cause(account);
    const executed = await dispatcher.execute(command, input, cause.actor.kind === 'user' ? await this.#withOrigin(cause) : cause);
    if (executed.replayed) this.replayed = true;
    if (executed.position !== 'start') {
      if (this.position === null || executed.position > this.position) this.position = executed.position;
      lastWrites.note(account, executed.position);
    }
    return executed;
  };

  readonly charge = async (group: RateGroup, who: string): Promise<void> => {
    const hit = await this.shared.options.limits.consume(group, who);
    if (hit.allowed) return;
    this.rateLimit = hit;
    throw rateLimitExceeded(hit);
  };

  readonly refund = async (group: RateGroup, who: string): Promise<void> => {
    try {
      await this.shared.options.limits.refund(group, who);
    } catch (error) {
      if (!(error instanceof StoreUnavailable || error instanceof OutcomeUnknown)) throw error;
    }
  };

  /**
   * Without a requested position, a caller reads the account's own writes; a read model that is still behind after two seconds is
   * read as it is, with `X-Service-Consistency: eventual` in the response. With a requested position, the read model has reached it
   * or the answer is `projection_behind`.
   */
  readonly consistent = async (projection: string): Promise<void> => {
    const { reached, lastWrites } = this.shared.options;
    const { minPosition } = this;
    const { account } = this.caller;
    if (minPosition !== null && !(await reached(projection, minPosition, CONSISTENCY_TIMEOUT_MS, account))) {
      throw new DomainError('projection_behind', `The read model has not reached position ${minPosition}. Try again in a second.`);
    }
    if (this.readsEventually) return;
    const own = lastWrites.of(account);
    if (own === undefined || (minPosition !== null && own <= minPosition)) return;
    if (!(await reached(projection, own, CONSISTENCY_TIMEOUT_MS, account))) this.staleRead = true;
  };

  /** What rules about the body receive. */
  readonly ruleContext = (): Context => {
    this.#context ??= this.shared.options.dispatcher.context(this.#cause(this.caller.account));
    return this.#context;
  };
  #context: Context | null = null;

  /** With what the activity of the account shows of a user's request. It is about the user, so it is sealed under the key of the user. */
  async #withOrigin(cause: Cause): Promise<Cause> {
    const user_agent = this.headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null;
    this.#origin ??= this.shared.options.dispatcher.context(cause).log.sealBoxes([{ subject: cause.actor.id, content: { ip: this.ip, user_agent } }]);
    const [origin] = await this.#origin;
    return origin === undefined ? cause : { ...cause, origin };
  }
  #origin: Promise<readonly string[]> | null = null;

  /** The caller's own request id may repeat, so it is only the correlation id, and never the invocation, which determines event ids. */
  #cause(account: string): Cause {
    const nth = this.#executions++;
    const { actor, mode } = this.caller;
    const invocation = newId(this.shared.options.entropy, 'req', this.shared.options.clock.now());
    const cause: Cause = { account, actor, invocation, correlation: this.requestId, ...(mode === 'test' && { test: true }) };
    if (!this.idempotency) return cause;
    const { key, fingerprint } = this.idempotency;
    const repeats = this.phase === 'repeat' && ({ repeats: true } as const);
    return { ...cause, key: nth === 0 ? key : scopedIdempotencyKey(account, String(nth), key), fingerprint, ...repeats };
  }
}
