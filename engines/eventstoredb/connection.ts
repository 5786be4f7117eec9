import { StoreUnavailable } from '../../domain/kernel/ports.js';
import { AdaptiveSemaphore } from './adaptive-semaphore.js';
import { type Client, createClient, type GuardedClient } from './client.js';
import { describeFailure, failureOf, LogClosed, TimedOut } from './failures.js';

/** Time limits in milliseconds. The client itself waits forever for a server that does not answer. */
export interface Timeouts {
  /** For the answer to an append. */
  readonly appendMs: number;
  /** For a permit, while appends to a slow server are limited. */
  readonly permitMs: number;
  /** For the next events of a read, or its end. */
  readonly readMs: number;
  /** For the first answer of a server. */
  readonly connectMs: number;
  /** For the answer to a probe after a failed call. */
  readonly probeMs: number;
  /** How long a subscription may be idle before the head of the log is checked. */
  readonly silenceMs: number;
  /** Between attempts to subscribe: the first pause and the longest. */
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

/** The client is replaced after so many failed probes in a row: it caches some failures forever. */
const FAILED_PROBES_BEFORE_REBUILD = 3;

/**
 * The client of this process, shared by all users of its server. After a failure nothing is sent until the server has
 * answered a cheap probe, which all callers share: a silent server costs each caller one short wait, and nothing was
 * sent.
 */
export class EventStoreDbConnection {
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

  /** The client, once the server has answered. Throws StoreUnavailable; nothing was sent then. */
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

  /** Rejects with TimedOut after `ms` milliseconds, or with LogClosed when the connection is closed. A late result is dropped. */
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

  /** Called with every failed call. A failure of the connection makes the next call probe the server. */
  failed(error: unknown): void {
    const failure = failureOf(error);
    if (failure !== 'interrupted' && failure !== 'unreachable') return;
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
      await this.within(ms, 'probing the server', this.#ping());
      this.#ready = true;
      this.#failedProbes = 0;
    } catch (e) {
      this.#failedOnce = true;
      this.#failedProbes += 1;
      if (this.#failedProbes % FAILED_PROBES_BEFORE_REBUILD === 0 && !this.#closed) await this.#rebuild();
      throw new StoreUnavailable(`EventStoreDB cannot be reached: ${describeFailure(e)}`, { cause: e });
    }
  }

  async #ping(): Promise<void> {
    await this.#guarded.connected();
    if (!this.#failedOnce) return;
    const reading = this.#guarded.client.readAll({ maxCount: 1, direction: 'backwards', fromPosition: 'end' });
    reading.on('error', () => {});
    try {
      // Read to the end: servers close connections with many canceled calls as an attack.
      for await (const _ of reading);
    } catch (e) {
      // A refusal is an answer. The caller's own call reports it.
      if (failureOf(e) !== 'refused') throw e;
    }
  }

  /** Disposes of the old client first: both would share the module's map of pending appends. */
  async #rebuild(): Promise<void> {
    await this.#guarded.dispose();
    this.#guarded = createClient(this.url);
  }
}

interface SharedConnection {
  readonly connection: EventStoreDbConnection;
  users: number;
}
const shared = new Map<string, SharedConnection>();

/**
 * The connection of this process to a server, closed when the last user calls `release`. Throws for a second server at
 * the same time, because the clients of one process share state.
 */
export function acquire(url: string): { readonly connection: EventStoreDbConnection; readonly release: () => Promise<void> } {
  checkUrl(url);
  const known = shared.get(url);
  if (!known && shared.size > 0) throw new Error('this process is already connected to another EventStoreDB: one at a time');
  const mine = known ?? { connection: new EventStoreDbConnection(url), users: 0 };
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
  { pattern: /[?&]nodePreference=(?!leader\b)/i, why: 'nodePreference must be leader: other nodes return stale reads' },
];

function checkUrl(url: string): void {
  if (!/^esdb(\+discover)?:\/\//.test(url)) throw new Error('the address of EventStoreDB must begin with esdb:// or esdb+discover://');
  for (const { pattern, why } of URL_RULES) if (pattern.test(url)) throw new Error(`the address of EventStoreDB: ${why}`);
}
