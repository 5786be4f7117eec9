import { DomainError } from '../../../domain/kernel/errors.js';

/** 64 MB: two bodies of the maximum size. */
export const DEFAULT_BODY_BUDGET = 64 * 1024 * 1024;
/** Bodies up to this size have an eighth of the budget for themselves, and no share of a caller limits them. */
const SMALL_BODY = 64 * 1024;

/** What one request holds of the budget. */
export interface BodyReservation {
  /** Takes more for a body that is longer than was known. Throws `unavailable` where there is no room; what is held stays held. */
  grow(bytes: number): void;
  /** Gives everything back. A second call does nothing. */
  release(): void;
}

/**
 * Counts the bytes of all request bodies that are being read, or are accepted and not yet on disk. No caller holds more than half of the
 * budget by large bodies, so that another one finds room, and large bodies leave room for small ones: single messages are accepted
 * while bulks are refused.
 */
export class BodyBudget {
  #held = 0;
  readonly #large = new Map<string, number>();

  constructor(private readonly limit: number = DEFAULT_BODY_BUDGET) {}

  /** Bytes held by all requests. */
  get held(): number {
    return this.#held;
  }

  /** Takes `bytes` for a caller: an account, or one name for all callers without a credential. Throws `unavailable`. */
  reserve(caller: string, bytes: number): BodyReservation {
    let own = 0;
    const grow = (more: number): void => {
      this.#take(caller, own, own + more);
      own += more;
    };
    grow(bytes);
    const release = (): void => {
      this.#count(caller, own, 0);
      own = 0;
    };
    return { grow, release };
  }

  #take(caller: string, before: number, after: number): void {
    const small = after <= SMALL_BODY;
    const room = small ? this.limit + this.limit / 8 : this.limit;
    const share = small ? 0 : (this.#large.get(caller) ?? 0) - (before > SMALL_BODY ? before : 0) + after;
    if (this.#held - before + after > room || share > this.limit / 2) throw tooMuchAtOnce();
    this.#count(caller, before, after);
  }

  #count(caller: string, before: number, after: number): void {
    this.#held += after - before;
    const change = (after > SMALL_BODY ? after : 0) - (before > SMALL_BODY ? before : 0);
    if (change === 0) return;
    const large = (this.#large.get(caller) ?? 0) + change;
    if (large === 0) this.#large.delete(caller);
    else this.#large.set(caller, large);
  }
}

const tooMuchAtOnce = (): DomainError =>
  new DomainError('unavailable', 'Too much is being accepted at this moment. Try again in a second. This request does not count for the rate limit.');
