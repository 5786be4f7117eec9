import type { IncomingHttpHeaders } from 'node:http';
import type { Static, TSchema } from 'typebox';
import type { Cause, Command, Context, ExecuteResult } from '../../commands/runtime/command.js';
import type { Position } from '../../domain/kernel/ports.js';
import type { RateGroup } from '../../domain/kernel/rate-limits.js';
import type { CorsPolicy } from './cors.js';
import type { UnknownFields } from './unknown-field-policy.js';

/** The authenticated caller. */
export interface Caller {
  readonly account: string;
  readonly actor: Cause['actor'];
  /** null: all. Those of a user come from the role. */
  readonly scopes: readonly string[] | null;
  /** Of a test key: its messages go to the sandbox. */
  readonly mode?: 'test';
  /** Of a key: unknown fields of its bodies are refused. */
  readonly strict?: boolean;
  readonly role: 'owner' | 'member' | 'analyst' | null;
  /** Of a user who is signed in by a browser's cookie: the id of the session. */
  readonly session?: string;
  /** Of a token that opens what belongs to one contact, until a time (milliseconds since 1970). */
  readonly contact?: { readonly id: string; readonly until: number };
}

/** The parts of a request that a token may be in. */
export interface TokenRequest {
  readonly headers: IncomingHttpHeaders;
  /** Path and query. */
  readonly target: string;
}

export interface HttpResponse<Body = unknown> {
  readonly status: number;
  readonly body?: Body;
  /** Instead of a body: a text that is sent in parts, as fast as the client reads. Needs its `Content-Type` in `headers`. */
  readonly stream?: AsyncIterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Our own headers, without their configured prefix: `Merged-Into`. */
  readonly prefixedHeaders?: Readonly<Record<string, string>>;
}

/** The request of a handler: validated, typed, and of the caller's account. */
export interface Request<Params = unknown, Query = unknown, Body = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Of the account; on a public route an empty account and the actor 'public'. */
  readonly caller: Caller;
  readonly ip: string;
  /** It asks for the fields of the answer alone, as no reader does. */
  readonly isHead: boolean;
  readonly requestId: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Aborts when the client closes the connection before it has the answer. For handlers that work long: `signal.throwIfAborted()`. */
  readonly signal: AbortSignal;
  /** Whether the credential still gives access, for answers that last. While that cannot be checked it does. */
  mayGoOn(): Promise<boolean>;
  /** Runs a command as the caller, under the request's idempotency key if it has one. */
  execute<Input extends TSchema, Output>(command: Command<Input, Output>, input: Static<Input>, account?: string): Promise<ExecuteResult<Output>>;
  /** What becomes of fields of the body that are not known. */
  readonly unknownFields: UnknownFields;
  /** What rules about the body receive (see `commands/runtime/rules.ts`). */
  ruleContext(): Context;
  /** Counts against a limit besides that of the route. Throws `rate_limit_exceeded`. */
  charge(group: RateGroup, who: string): Promise<void>;
  /** Takes back what `charge` counted last. Where the store cannot be reached it stays counted. */
  refund(group: RateGroup, who: string): Promise<void>;
  /** Waits until a projection has processed the account's last write on this node, or the position that the caller requires. */
  consistent(projection: string): Promise<void>;
}

/** Converts a body that is not JSON to the value that the route's `body` describes. `pause` lets other requests go on. Throws errors of the caller. */
export type BodyReader = (bytes: Buffer, contentType: string, pause: () => Promise<void>) => unknown;

/** Renders an error as a page, by the header fields of the request, its path and query, and the values in its path. Never throws. */
export type ErrorPage = (
  refusal: HttpResponse,
  request: { readonly headers: IncomingHttpHeaders; readonly url?: string | undefined; readonly params: Readonly<Record<string, string>> },
) => HttpResponse | Promise<HttpResponse>;

export interface Route<Params extends TSchema = TSchema, Query extends TSchema = TSchema, Body extends TSchema = TSchema> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Express style: `/v1/messages/:id`. */
  readonly path: string;
  /** Name of the operation in generated clients, camelCase and unique: `sendMessage`. */
  readonly operationId: string;
  /** One line, and further information for readers of the API page. Markdown. */
  readonly summary: string;
  readonly description?: string;
  /** The capability. */
  readonly tag: string;
  /** The scope: `read`, `write`, `either`; `owner`: an owner or a key without scopes; `public`: no credential; `operator`: the operator's token. */
  readonly access: 'read' | 'write' | 'either' | 'owner' | 'public' | 'operator';
  /** Of a route with an account's access: the operator's token opens it too, as a caller without an account. */
  readonly openToOperator?: true;
  readonly limit: RateGroup;
  /**
   * Of a route that browsers of contacts call, too: the caller of a token of one contact; null where the request has none, and any other
   * credential counts. Such callers count for the limit `inbox`, by contact. Throws `unauthorized`, `token_expired`.
   */
  readonly token?: (request: TokenRequest) => Caller | null;
  /**
   * Of a `public` route for another system, which shows its own proof in the header: throws `unauthorized` without it, before the body
   * is read. Only refused requests count for a rate limit, that of public routes.
   */
  readonly proof?: (request: { readonly headers: IncomingHttpHeaders; readonly params: Readonly<Record<string, string>> }) => void | Promise<void>;
  /** Lets scripts of other origins call the route; all routes of a path have the same one. Without it browsers refuse them. */
  readonly cors?: CorsPolicy;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Maximum size of a body in bytes. Default: 2 MB. */
  readonly bodyLimit?: number;
  /** Media types that are accepted besides JSON, in lower case. */
  readonly bodyTypes?: Readonly<Record<string, BodyReader>>;
  /** Bodies of these types as they are sent, for the documentation: those that are not the fields of `body`. */
  readonly sentAs?: Readonly<Record<string, TSchema>>;
  /** Media types of successful responses that are no JSON. Errors are JSON. */
  readonly streams?: readonly string[];
  /** Schemas of the successful responses by status. */
  readonly responses: Readonly<Record<number, { readonly description: string; readonly schema?: TSchema }>>;
  /** Codes of `api/http/errors.ts` that this route can answer besides those that every route can. */
  readonly errors?: readonly string[];
  /**
   * Only for pages that people open in a browser: renders an error as HTML if the client accepts HTML. Successful responses of such
   * a route are HTML too, whatever the `Accept` header is.
   */
  readonly errorPage?: ErrorPage;
  readonly handle: (request: Request<Static<Params>, Static<Query>, Static<Body>>) => Promise<HttpResponse>;
}

// biome-ignore lint/suspicious/noExplicitAny: a list holds routes of every shape
export type AnyRoute = Route<any, any, any>;

export const route = <Params extends TSchema, Query extends TSchema, Body extends TSchema>(
  definition: Route<Params, Query, Body>,
): Route<Params, Query, Body> => definition;

/** The position in the response of a write. */
export const positionOf = (executed: ExecuteResult<unknown>): Position | null => (executed.position === 'start' ? null : executed.position);
