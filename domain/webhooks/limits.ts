/**
 * Waits before a webhook is sent again, in milliseconds, each counted from the end of the attempt that failed. As many
 * attempts follow the first one as there are waits: four in all.
 */
export const DELIVERY_RETRY_DELAYS_MS: readonly number[] = [30_000, 300_000, 1_800_000];

/** For one attempt as a whole: name, connection, answer. */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** So much of an answer's body is kept. */
export const MAX_RESPONSE_BYTES = 16_384;
