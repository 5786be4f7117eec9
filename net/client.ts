/**
 * Outgoing POSTs to addresses that callers chose. Built on Node's own http: with 32 at a time to a receiver on the same
 * two cores it makes some 6,000 calls a second at 0.14 ms of processor each, got 14 some 2,500 at 0.42 ms, and its
 * additions (redirects, retries, decoding) are not needed here.
 */
import http from 'node:http';
import https from 'node:https';
import type { Clock } from '../domain/kernel/clock.js';
import { type CallError, callError } from './errors.js';
import { guardedLookup, type ResolveHost, urlCheck } from './guard.js';
import { userAgent } from './user-agent.js';

export interface PostOptions {
  /** Added to `content-type: application/json`, `user-agent` and what HTTP needs. The same names override them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent byte for byte; a text as UTF-8. */
  readonly body: Buffer | string;
  /** For everything: name, connection, answer and its body. Default 10,000. */
  readonly timeoutMs?: number;
  /** Of the answer's body; the rest is not waited for. Default 16,384. */
  readonly maxResponseBytes?: number;
  /** Private networks that may be called, in CIDR form. */
  readonly allowedCidrs: readonly string[];
  /** Aborts the call: it ends at once with an error of the code `connection_error`. */
  readonly signal?: AbortSignal;
}

export type PostResult =
  | { readonly status: number; readonly body: string; readonly durationMs: number }
  | { readonly error: CallError; readonly durationMs: number };

/**
 * One POST. Never throws: without a complete answer the result is an `error`. Redirects are not followed. Where the other side
 * has closed an idle connection, the request is sent once more over a new one, so the receiver may, rarely, get it twice.
 */
export type Post = (url: string, options: PostOptions) => Promise<PostResult>;

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_RESPONSE_BYTES = 16_384;
/** Idle connections are closed after this time. */
const IDLE_MS = 15_000;
/** Node tries the next address of a host after a quarter of a second by default, too early for another continent. */
const FAMILY_ATTEMPT_MS = 2_500;

export interface PostDependencies {
  readonly clock: Pick<Clock, 'monotonic' | 'timer'>;
  /** Replaces the resolver of names, for tests. */
  readonly resolve?: ResolveHost;
}

/** A POST with a connection pool of its own. */
export function createPost({ clock, resolve }: PostDependencies): Post {
  const dialers = new Map<string, Dialer>();
  const dialerFor = (allowedCidrs: readonly string[]): Dialer => {
    const key = allowedCidrs.join();
    const dialer = dialers.get(key) ?? new Dialer(allowedCidrs, resolve);
    dialers.set(key, dialer);
    return dialer;
  };
  return async (url, options) => {
    const started = clock.monotonic();
    const outcome = await call(url, options, dialerFor, clock);
    return { ...outcome, durationMs: Math.round(clock.monotonic() - started) };
  };
}

/** Agents whose every connection is guarded, and the same guard for a connection without agent. */
class Dialer {
  /** Why an URL must not be called, or null. */
  readonly check;
  private readonly lookup;
  private readonly http;
  private readonly https;
  constructor(allowedCidrs: readonly string[], resolve: ResolveHost | undefined) {
    this.check = urlCheck(allowedCidrs);
    this.lookup = guardedLookup(allowedCidrs, resolve);
    const options = { keepAlive: true, timeout: IDLE_MS, lookup: this.lookup, autoSelectFamilyAttemptTimeout: FAMILY_ATTEMPT_MS };
    this.http = new http.Agent(options);
    this.https = new https.Agent(options);
  }

  request(url: URL, headers: http.OutgoingHttpHeaders, fresh: boolean): http.ClientRequest {
    const secure = url.protocol === 'https:';
    const options = {
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port,
      path: url.pathname + url.search,
      headers,
      agent: fresh ? false : secure ? this.https : this.http,
      lookup: this.lookup,
      autoSelectFamilyAttemptTimeout: FAMILY_ATTEMPT_MS,
    };
    return secure ? https.request(options) : http.request(options);
  }
}

type Outcome = { status: number; body: string } | { error: CallError };

async function call(
  url: string,
  options: PostOptions,
  dialerFor: (allowedCidrs: readonly string[]) => Dialer,
  clock: Pick<Clock, 'timer'>,
): Promise<Outcome> {
  try {
    const dialer = dialerFor(options.allowedCidrs);
    const refused = dialer.check(url);
    if (refused !== null)
      return { error: { code: refused.reason === 'forbidden_address' ? 'forbidden_address' : 'invalid_url', message: refused.message } };
    return await exchange(new URL(url), options, dialer, clock);
  } catch (error) {
    return { error: callError(error) };
  }
}

/** Sends the request, once more if a kept connection turned out to be closed, and resolves with the result. */
function exchange(url: URL, options: PostOptions, dialer: Dialer, clock: Pick<Clock, 'timer'>): Promise<Outcome> {
  const { headers, body, timeoutMs = DEFAULT_TIMEOUT_MS, maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES, signal } = options;
  const allHeaders = { 'content-type': 'application/json', 'user-agent': userAgent, ...headers };
  return new Promise((resolve, reject) => {
    let current: http.ClientRequest;
    let settled = false;
    const timer = clock.timer(timeoutMs, () =>
      settle({ error: { code: 'timeout', message: `There was no complete answer within ${timeoutMs} ms.` } }),
    );
    const settle = (outcome: Outcome) => {
      settled = true;
      timer.cancel();
      signal?.removeEventListener('abort', giveUp);
      resolve(outcome);
      if ('error' in outcome) current.destroy();
    };
    const giveUp = () => settle({ error: { code: 'connection_error', message: 'The call was given up.' } });
    const send = (fresh: boolean) => {
      const request = dialer.request(url, allHeaders, fresh);
      current = request;
      let answered = false;
      request.on('response', (response) => {
        answered = true;
        readUpTo(response, maxResponseBytes, settle);
      });
      request.on('error', (error) => {
        if (settled) return;
        if (!fresh && !answered && request.reusedSocket && isClosed(error)) send(true);
        else settle({ error: callError(error) });
      });
      request.end(body);
    };
    try {
      send(false);
      signal?.addEventListener('abort', giveUp, { once: true });
      if (signal?.aborted) giveUp();
    } catch (error) {
      timer.cancel();
      reject(error);
    }
  });
}

const isClosed = (error: NodeJS.ErrnoException) => error.code === 'ECONNRESET' || error.code === 'EPIPE';

function readUpTo(response: http.IncomingMessage, max: number, settle: (outcome: Outcome) => void): void {
  const status = response.statusCode ?? 0;
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size < max) return;
    settle({ status, body: truncate(Buffer.concat(chunks), max) });
    response.destroy();
  });
  response.on('end', () => settle({ status, body: Buffer.concat(chunks).toString('utf8') }));
  response.on('error', (error) => settle({ error: callError(error) }));
}

/** At most so many bytes as text, without half a character at the end. */
const truncate = (bytes: Buffer, max: number): string => new TextDecoder().decode(bytes.subarray(0, max), { stream: true });
