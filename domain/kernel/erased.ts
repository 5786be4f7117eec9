/** The value of a personal field whose key is destroyed. Every evolve and every projection accepts it. */
export const ERASED = '<erased>';

/** The value of a personal field whose key is missing although nobody destroyed it. No decision may take it for an erasure. */
export const KEY_MISSING = '<key_missing>';

export const isUnreadable = (value: unknown): boolean => value === ERASED || value === KEY_MISSING;
