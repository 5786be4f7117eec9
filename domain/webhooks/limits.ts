/**
 * Delays before the retries of a webhook, in milliseconds, each from the end of the failed attempt. With the first attempt
 * there are four.
 */
export const DELIVERY_RETRY_DELAYS_MS: readonly number[] = [30_000, 300_000, 1_800_000];

/** For one whole attempt: name resolution, connection, response. */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** Stored bytes of a response body. */
export const MAX_RESPONSE_BYTES = 16_384;
