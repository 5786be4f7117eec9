/** A callback that is due once. */
export interface Timer {
  /** The callback is no longer called. */
  cancel(): void;
}

/** All time comes in through this port: the time of day, durations, waiting. */
export interface Clock {
  /** The time of day, in milliseconds since 1970. It may jump. */
  now(): number;
  /** Milliseconds since an arbitrary moment, with fractions. It never goes back: for durations. */
  monotonic(): number;
  /** Resolves after this many milliseconds, or at once when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls back once after this many milliseconds, unless cancelled. */
  timer(ms: number, callback: () => void): Timer;
  /** Resolves once everything that waits for this thread's event loop has had its turn. */
  yieldToEventLoop(): Promise<void>;
}
