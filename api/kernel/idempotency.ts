import { hash } from 'node:crypto';
import { DomainError, keyReused } from '../../domain/kernel/errors.js';
import type { Clock } from '../../domain/kernel/ports.js';

const VISIBLE = /^[\x21-\x7e]{1,255}$/;

/**
 * The key of the `Idempotency-Key` header, as a structured field string (`"8e03978e"`) or bare. Null where there is none.
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

/** Names the caller's intention: the same key of another account or on another route is another one. */
export const scopedIdempotencyKey = (account: string, route: string, key: string): string =>
  hash('sha256', JSON.stringify([account, route, key]), 'base64url');

const WAIT_TIMEOUT_MS = 5000;

interface Queue {
  readonly fingerprint: string;
  /** Those who wait, in the order in which they came. */
  readonly waiters: (() => void)[];
  /** How many turns there were: while the line moves, waiting is worth while. */
  grants: number;
}

/**
 * Keeps requests with one key in line, within this process: the first one runs, the others wait for it and then find
 * what it did in the event stream. Requests in two processes meet there too, at the stream's expected revision.
 */
export class IdempotencyQueue {
  readonly #queues = new Map<string, Queue>();

  constructor(private readonly clock: Clock) {}

  /**
   * Waits for one's turn; null when it is one's turn at once. Throws `idempotency_key_reused` if the one before asks
   * something else, and `idempotency_in_progress` where one request takes more than 5 seconds. Whoever got a turn must
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
