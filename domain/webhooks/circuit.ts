/**
 * The circuit of one receiver: the host that an account's webhooks go to. While its calls fail one after another, the circuit is
 * open, and it is called by one attempt at a time: the others stay due. One answer closes it.
 */
import type { AttemptOutcome } from './delivery.js';

/** Times in milliseconds since 1970. */
export interface Circuit {
  /** In a row. */
  readonly failures: number;
  readonly last_at: number;
}

/**
 * Failures in a row that open a circuit, and how long after the last call it is forgotten. That is longer than the longest delay
 * between two attempts, so that the retries to a receiver that is down find its circuit open.
 */
export const CIRCUIT = { failures: 10, forgottenMs: 3_600_000 } as const;

/** The most calls at once while the circuit is open. */
export const OPEN_CALLS = 1;

export type CallResult = 'answered' | 'failed';

/** Errors of attempts that were not made, or failed before they left this service: they show nothing about the receiver. */
const OWN_ERRORS: ReadonlySet<string> = new Set(['invalid_url', 'invalid_request', 'forbidden_address', 'no_secret', 'endpoint_disabled', 'erased']);
const TOO_MANY_REQUESTS = 429;

/**
 * What an attempt shows about its receiver: no answer, 5xx and 429 are failures, any other answer shows that it works. Null where
 * there was no call.
 */
export function callResultOf(outcome: AttemptOutcome): CallResult | null {
  if (outcome.error) return OWN_ERRORS.has(outcome.error.code) ? null : 'failed';
  return outcome.status_code >= 500 || outcome.status_code === TOO_MANY_REQUESTS ? 'failed' : 'answered';
}

/** The circuit after a call; null where there is nothing to remember. */
export function circuitAfter(circuit: Circuit | null, result: CallResult, now: number): Circuit | null {
  if (result === 'answered') return null;
  return { failures: (circuit && isRemembered(circuit, now) ? circuit.failures : 0) + 1, last_at: now };
}

export const isOpen = (circuit: Circuit | null, now: number): boolean =>
  circuit !== null && isRemembered(circuit, now) && circuit.failures >= CIRCUIT.failures;

export const isRemembered = ({ last_at }: Circuit, now: number): boolean => now - last_at <= CIRCUIT.forgottenMs;
