/** Delays before a message is dispatched again after a transient error, in milliseconds. After the last one it fails. */
export const DISPATCH_RETRY_DELAYS_MS = [1_000, 5_000, 30_000, 120_000, 600_000] as const;

/**
 * A message whose carrier is misconfigured is dispatched again after this time, in milliseconds. It uses up no attempts, and
 * expires after its own time to live, or this time after its carrier was found to be misconfigured.
 */
export const MISCONFIGURED_RETRY_MS = 60_000;
export const MISCONFIGURED_TTL_MS = 259_200_000;

/** The default action if the outcome of a call is unknown and the carrier cannot de-duplicate. */
export const ON_UNKNOWN_OUTCOME = { transactional: 'retry', marketing: 'fail' } as const;
