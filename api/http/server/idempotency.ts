import { hash } from 'node:crypto';
import { DomainError, keyReused } from '../../../domain/kernel/errors.js';
import type { Clock } from '../../../domain/kernel/ports.js';

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/**
 * The key of the `Idempotency-Key` header, as a structured field string (`"8e03978e"`) or bare. Null if there is none.
 * Throws `invalid_parameter` unless it is 1 to 255 visible ASCII characters.
 */
export function readIdempotencyKey(header: string | string[] | undefined): string | null {
  if (header === undefined) return null;
  const text = String(header).trim();
  const quoted = text.length > 1 && text.startsWith('"') && text.endsWith('"');
  const key = quoted ? text.slice(1, -1).replace(/\\(["\\])/g, '$1') : text;
  if (VISIBLE.test(key)) return key;
  const message = 'Use 1 to 255 visible ASCII characters, for example a UUID.';
  throw new DomainError('invalid_parameter', message, { errors: [{ field: 'Idempotency-Key', code: 'invalid_format', message }] });
}

/** Identifies the caller's intention: the same key in another account or on another route is a different one. */
export const scopedIdempotencyKey = (account: string, route: string, key: string): string =>
  hash('sha256', JSON.stringify([account, route, key]), 'base64url');

const WAIT_TIMEOUT_MS = 5000;

interface Queue {
  readonly fingerprint: string;
  /** Waiting requests, in order of arrival. */
  readonly waiters: (() => void)[];
  /** Number of requests so far: a change shows that the queue moves, so waiting continues. */
  grants: number;
}

/**
 * Serializes requests with the same key within this process: the first one runs, the others wait and then find its
 * result in the event stream. Requests in different processes conflict at the stream's expected revision.
 */
export class IdempotencyQueue {
  readonly #queues = new Map<string, Queue>();

  constructor(private readonly clock: Clock) {}

  /**
   * Waits for the requests before; null if there are none. Throws `idempotency_key_reused` if the one before has another
   * body, and `idempotency_in_progress` if one request takes more than 5 seconds. Every request that entered must call
   * `leave`.
   */
  acquire(key: string, fingerprint: string): Promise<void> | null {
    const line = this.#queues.get(key);
    if (!line) {
      this.#queues.set(key, { fingerprint, waiters: [], grants: 1 });
      return null;
    }
    if (line.fingerprint !== fingerprint) throw keyReused();
    return this.#waitForTurn(line);
  }

  release(key: string): void {
    const line = this.#queues.get(key);
    const next = line?.waiters.shift();
    if (!line || !next) {
      this.#queues.delete(key);
      return;
    }
    line.grants += 1;
    next();
  }

  async #waitForTurn(line: Queue): Promise<void> {
    const given = new AbortController();
    const turn = (): void => given.abort();
    line.waiters.push(turn);
    for (let seen = 0; seen !== line.grants; ) {
      seen = line.grants;
      await this.clock.sleep(WAIT_TIMEOUT_MS, given.signal);
      if (given.signal.aborted) return;
    }
    line.waiters.splice(line.waiters.indexOf(turn), 1);
    throw new DomainError('idempotency_in_progress', 'The first request with this idempotency key still runs. Try again in a second.');
  }
}
