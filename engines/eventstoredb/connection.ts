import { StoreUnavailable } from '../../domain/kernel/ports.js';
import { AdaptiveSemaphore } from './adaptive-semaphore.js';
import { type Client, createClient, type GuardedClient } from './client.js';
import { describe, failureOf, LogClosed, TimedOut } from './failures.js';

/** How long to wait, in milliseconds. The client itself waits without end for a server that has fallen silent. */
export interface Timeouts {
  /** For the answer to an append. */
  readonly appendMs: number;
  /** For others to be answered first, where a slow server is given no more appends for the moment. */
  readonly permitMs: number;
  /** For the next event of a reading, or its end. */
  readonly readMs: number;
  /** For the first sign of life of a server. */
  readonly connectMs: number;
  /** For the answer to a look whether the server is back, after a call had failed. */
  readonly probeMs: number;
  /** How long a subscription may bring nothing before the server is asked whether there is nothing. */
  readonly silenceMs: number;
  /** Between two attempts to subscribe: the first pause, and the longest. */
  readonly backOffMs: readonly [number, number];
}

export const DEFAULT_TIMEOUTS: Timeouts = {
  appendMs: 5_000,
  permitMs: 2_000,
  readMs: 5_000,
  connectMs: 5_000,
  probeMs: 1_000,
  silenceMs: 10_000,
  backOffMs: [50, 5_000],
};

/** A client whose looks have failed so often in a row is thrown away: some of its failures are kept for ever. */
const FAILED_PROBES_BEFORE_REBUILD = 3;

/**
 * The one client of this process, shared by all that use its server. After a failure nothing more is sent until the
 * server has answered a cheap look, which all callers wait for together: a silent server costs each of them one short
 * wait, and they know that nothing was sent.
 */
export class Connection {
  readonly appendPermits = new AdaptiveSemaphore();
  #guarded: GuardedClient;
  #ready = false;
  #failedOnce = false;
  #failedProbes = 0;
  #probe: Promise<void> | null = null;
  #closed = false;
  readonly #inFlight = new Set<(e: Error) => void>();

  constructor(private readonly url: string) {
    this.#guarded = createClient(url);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The client, once the server has been heard of. Throws StoreUnavailable, and then nothing was sent. */
  async ready(timeouts: Timeouts): Promise<Client> {
    if (!this.#closed && !this.#ready) {
      this.#probe ??= this.#probeServer(timeouts).finally(() => {
        this.#probe = null;
      });
      await this.#probe;
    }
    if (this.#closed) throw new StoreUnavailable('the log is closed');
    return this.#guarded.client;
  }

  /** Waits no longer than `ms`, nor beyond the closing of the log. What comes too late is dropped. */
  async within<T>(ms: number, what: string, call: Promise<T>): Promise<T> {
    let end: ((e: Error) => void) | undefined;
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_, reject) => {
      end = reject;
      timer = setTimeout(() => reject(new TimedOut(what, ms)), ms);
      this.#inFlight.add(reject);
    });
    try {
      return await Promise.race([call, over]);
    } finally {
      clearTimeout(timer);
      if (end) this.#inFlight.delete(end);
    }
  }

  /** To be told of every failed call: one that says something of the way to the server makes it be looked for again. */
  failed(error: unknown): void {
    const failure = failureOf(error);
    if (failure !== 'broken-off' && failure !== 'unreachable') return;
    this.#ready = false;
    this.#failedOnce = true;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const end of [...this.#inFlight]) end(new LogClosed());
    await this.#guarded.dispose();
  }

  async #probeServer(timeouts: Timeouts): Promise<void> {
    try {
      const ms = this.#failedOnce ? timeouts.probeMs : timeouts.connectMs;
      await this.within(ms, 'looking for the server', this.#ping());
      this.#ready = true;
      this.#failedProbes = 0;
    } catch (e) {
      this.#failedOnce = true;
      this.#failedProbes += 1;
      if (this.#failedProbes % FAILED_PROBES_BEFORE_REBUILD === 0 && !this.#closed) await this.#rebuild();
      throw new StoreUnavailable(`EventStoreDB cannot be reached: ${describe(e)}`, { cause: e });
    }
  }

  async #ping(): Promise<void> {
    await this.#guarded.connected();
    if (!this.#failedOnce) return;
    const reading = this.#guarded.client.readAll({ maxCount: 1, direction: 'backwards', fromPosition: 'end' });
    reading.on('error', () => {});
    try {
      // To its end: a server may take many calls that are cancelled for an attack.
      for await (const _ of reading);
    } catch (e) {
      // A server that refuses is there; who is refused is told so by his own call.
      if (failureOf(e) !== 'refused') throw e;
    }
  }

  /** The old client is gone before there is a new one: they would share the map of those who wait. */
  async #rebuild(): Promise<void> {
    await this.#guarded.dispose();
    this.#guarded = createClient(this.url);
  }
}

interface SharedConnection {
  readonly connection: Connection;
  users: number;
}
const shared = new Map<string, SharedConnection>();

/**
 * The connection of this process to a server; given back by `release`, and closed with its last user. A second server
 * at the same time is refused, because the clients of one process are not safe from one another.
 */
export function acquire(url: string): { readonly connection: Connection; readonly release: () => Promise<void> } {
  checkUrl(url);
  const known = shared.get(url);
  if (!known && shared.size > 0) throw new Error('this process is connected to another EventStoreDB already: one at a time');
  const mine = known ?? { connection: new Connection(url), users: 0 };
  shared.set(url, mine);
  mine.users += 1;
  let released = false;
  return {
    connection: mine.connection,
    release: async () => {
      if (released) return;
      released = true;
      mine.users -= 1;
      if (mine.users > 0) return;
      shared.delete(url);
      await mine.connection.close();
    },
  };
}

const URL_RULES: readonly { readonly pattern: RegExp; readonly why: string }[] = [
  { pattern: /[?&]throwOnAppendFailure=false/i, why: 'throwOnAppendFailure must not be false: the client then reports conflicts as successes' },
  { pattern: /[?&]nodePreference=(?!leader\b)/i, why: 'nodePreference must be leader: other nodes answer reads with what is no longer the newest' },
];

function checkUrl(url: string): void {
  if (!/^esdb(\+discover)?:\/\//.test(url)) throw new Error('the address of EventStoreDB begins with esdb:// or esdb+discover://');
  for (const { pattern, why } of URL_RULES) if (pattern.test(url)) throw new Error(`the address of EventStoreDB: ${why}`);
}
