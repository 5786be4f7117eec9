/** The value of a personal field whose key is destroyed. Every evolve and every projection accepts it. */
export const ERASED = '<erased>';
